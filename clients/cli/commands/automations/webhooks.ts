/** `partbook webhooks`: who outside is told of events, what did not arrive and why, and what an administrator does about it. */
import { type Command, Option } from 'commander';
import type { NewWebhook, Webhook, WebhookDelivery } from '../../../typescript/generated/types.ts';
import { listItems, listPages } from '../../../typescript/list-items.ts';
import { confirm } from '../../confirm.ts';
import { UsageError } from '../../exit-codes.ts';
import { pausedSince } from '../../held-batches.ts';
import { plain, tableText } from '../../output.ts';
import { openSession, requireUuid, type Session } from '../../session.ts';
import { type LimitFlags, limited, listFirst, wholeNumber } from '../../take-items.ts';
import {
  adviceFor,
  NO_WEBHOOKS,
  outcomeOf,
  stateOf,
  webhookMeant,
  webhookText,
} from '../../webhook-words.ts';
import { addResend, addTest } from './webhooks-send.ts';

type EventType = NewWebhook['events'][number];

/** A type that the service learns is missed here by the compiler. */
const eventTypes = Object.keys({
  'import.completed': true,
  'entity.created': true,
  'entity.updated': true,
  'lifecycle.transitioned': true,
  'feature.triggered': true,
  'stock.moved': true,
  'order.changed': true,
  'schedule.fired': true,
  'threshold.crossed': true,
  'import.not_clean': true,
  'stock.belowReorderPoint': true,
  'planning.finished': true,
  'ledger.digested': true,
} satisfies Record<EventType, true>) as EventType[];

const WEBHOOK = '<webhook>';
const SHOWN_WITH_IT = 10;

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('manage webhooks and their deliveries');
  addList(webhooks);
  addShow(webhooks);
  addDeliveries(webhooks);
  addResend(webhooks);
  addTest(webhooks);
  addSwitch(webhooks);
  addMake(webhooks);
}

function addList(webhooks: Command): void {
  const list = webhooks
    .command('list', { isDefault: true })
    .description('list webhooks with the outcome of their last delivery')
    .action(async () => {
      const session = openSession(list);
      const { partbook, output } = session;
      const all = listItems(partbook, 'GET /webhooks', {}, session);
      if (output.form !== 'text') {
        await output.list<Webhook>(all, {}, NO_WEBHOOKS);
        return;
      }
      let wanting = 0;
      await output.list<{ one: Webhook; last: WebhookDelivery | null }>(
        withLast(session, all),
        {
          address: ({ one }) => one.url,
          description: ({ one }) => one.description,
          state: ({ one }) => {
            const state = stateOf(one);
            if (state === 'failing' || one.disabledReason !== null) wanting += 1;
            return state;
          },
          'last delivery': ({ last }) => (last === null ? 'none' : last.status),
          at: ({ last }) => last?.lastAttemptAt ?? last?.createdAt,
          answer: ({ last }) => (last === null ? '' : outcomeOf(last)),
          id: ({ one }) => one.id,
        },
        NO_WEBHOOKS,
      );
      await tellPaused(session);
      if (wanting > 0) output.say('"partbook webhooks show ADDRESS" says what is wrong, and what to do.');
    });
}

/** There are few webhooks, and each has its deliveries in a list of its own. */
async function* withLast(
  { partbook, signal }: Session,
  all: AsyncIterable<Webhook>,
): AsyncGenerator<{ one: Webhook; last: WebhookDelivery | null }> {
  for await (const one of all) {
    const input = { id: one.id, query: { limit: 1 } };
    const { items } = await partbook('GET /webhooks/{id}/deliveries', input, { signal });
    yield { one, last: items[0] ?? null };
  }
}

async function tellPaused(session: Session): Promise<void> {
  if (session.output.form !== 'text') return;
  const since = await pausedSince(session, 'webhook');
  if (since !== null)
    session.output.say(
      `Webhooks are paused by the operator since ${since}: what is pending is sent by itself when they are resumed.`,
      'yellow',
    );
}

const columns = {
  happened: (one: WebhookDelivery) => one.createdAt,
  event: (one: WebhookDelivery) => one.type,
  status: (one: WebhookDelivery) => one.status,
  tries: (one: WebhookDelivery) => one.attempts,
  'next try': (one: WebhookDelivery) => one.nextAttemptAt,
  answer: outcomeOf,
  id: (one: WebhookDelivery) => one.id,
};

function addShow(webhooks: Command): void {
  const show = webhooks
    .command(`show ${WEBHOOK}`)
    .description(
      'one webhook by its address, a part of that, its description or id, with its last deliveries',
    )
    .action(async (text: string) => {
      const session = openSession(show);
      const { partbook, output, signal } = session;
      const webhook = await webhookMeant(session, text);
      const { id } = webhook;
      const read = async (query: { limit: number; status?: WebhookDelivery['status'] }) =>
        (await partbook('GET /webhooks/{id}/deliveries', { id, query }, { signal })).items;
      const deliveries = await read({ limit: SHOWN_WITH_IT });
      output.answer({ ...webhook, deliveries }, () => {
        if (deliveries.length === 0) return `${webhookText(webhook)}\n\nNothing was to be delivered yet.`;
        return `${webhookText(webhook)}\n\n${tableText(deliveries, columns)}`;
      });
      if (output.form !== 'text') return;
      await tellPaused(session);
      // A test told of nothing: nobody wants it again.
      const failed = await read({ limit: 100, status: 'failed' });
      const advice = adviceFor(
        webhook,
        failed.some(({ type }) => type !== 'webhook.test'),
      );
      if (advice !== null) output.say(advice, 'yellow');
      if (deliveries.length === SHOWN_WITH_IT)
        output.say(
          `"partbook webhooks deliveries ${id}" shows further deliveries, --status failed those that failed.`,
        );
    });
}

interface DeliveryFlags extends LimitFlags {
  status?: WebhookDelivery['status'];
}

function addDeliveries(webhooks: Command): void {
  const deliveries = webhooks
    .command(`deliveries ${WEBHOOK} [delivery]`)
    .description(
      'what was delivered and what was not, newest first; or one of them with its message and its attempts',
    )
    .addOption(
      new Option('--status <status>', 'only of this status').choices(['pending', 'delivered', 'failed']),
    );
  limited(deliveries, 20).action(
    async (text: string, delivery: string | undefined, { status, ...flags }: DeliveryFlags) => {
      if (delivery !== undefined) requireUuid('delivery', delivery);
      const session = openSession(deliveries);
      const { partbook, output, signal } = session;
      const { id } = await webhookMeant(session, text);
      if (delivery !== undefined) {
        const input = { id, deliveryId: delivery };
        const whole = await partbook('GET /webhooks/{id}/deliveries/{deliveryId}', input, { signal });
        output.answer(whole, () => JSON.stringify(whole, null, 2));
        return;
      }
      const query = status === undefined ? {} : { status };
      await listFirst<WebhookDelivery>(
        output,
        listPages(partbook, 'GET /webhooks/{id}/deliveries', { id, query }, { signal }),
        flags,
        columns,
        status === undefined ? 'Nothing was to be delivered yet.' : `No delivery is ${status}.`,
      );
      await tellPaused(session);
    },
  );
}

function addSwitch(webhooks: Command): void {
  const enable = webhooks
    .command(`enable ${WEBHOOK}`)
    .description('switch a webhook on; pending deliveries are sent at once')
    .action(async (text: string) => {
      const { session, url, id, isChanged } = await switchTo(enable, text, true);
      session.output.say(
        isChanged
          ? `${url} is on: what is pending is sent now. What happened while it was off it is not told of.\n"partbook webhooks test ${id}" tries it.`
          : `${url} is on already. "partbook webhooks test ${id}" tries it.`,
      );
    });
  const disable = webhooks
    .command(`disable ${WEBHOOK}`)
    .description('switch a webhook off; pending deliveries are kept')
    .action(async (text: string) => {
      const { session, url, id, isChanged } = await switchTo(disable, text, false);
      session.output.say(
        `${url} is off${isChanged ? ': it is told of nothing that happens from now on, and what is pending waits.' : ' already.'}\n"partbook webhooks enable ${id}" switches it on again.`,
      );
    });
}

async function switchTo(command: Command, text: string, enabled: boolean) {
  const session = openSession(command);
  const { partbook, output, signal } = session;
  const { id } = await webhookMeant(session, text);
  const current = await partbook.send('GET /webhooks/{id}', { id }, { signal });
  const before = (await current.json()) as Webhook;
  const { url, description, events } = before;
  const body = { url, description, events, enabled };
  // A change that was made since it was read is kept.
  const headers = { 'If-Match': current.headers.get('ETag') ?? '*' };
  const changed = await partbook('PUT /webhooks/{id}', { id, body }, { signal, headers });
  if (output.form !== 'text') output.answer(changed, () => '');
  return { session, url, id, isChanged: before.enabled !== enabled };
}

interface CreateFlags {
  events: string;
  description?: string;
}

/** Secrets go to standard output, once, as keys do. */
function addMake(webhooks: Command): void {
  const create = webhooks
    .command('create <address>')
    .description('create a webhook; its secret is shown only once')
    .requiredOption('--events <types>', `of what, with commas between: ${eventTypes.join(',')}`)
    .option('--description <text>', 'what it is, such as ERP')
    .action(async (url: string, { events, description = '' }: CreateFlags) => {
      const body = { url, description, events: eventsOf(events) };
      const { partbook, output, signal } = openSession(create);
      const made = await partbook('POST /webhooks', { body }, { signal });
      output.answer(made, () => made.secret);
      output.say(
        `${made.url} is told of ${made.events.join(', ')} from now on; messages are signed with that secret, which is not shown again.\n"partbook webhooks test ${made.id}" tries it.`,
      );
    });
  const rotate = webhooks
    .command(`rotate-secret ${WEBHOOK}`)
    .description('create a new secret, which is shown only once; the old one keeps signing for a while')
    .option('--overlap <hours>', 'for how long', '24')
    .action(async (text: string, { overlap }: { overlap: string }) => {
      const body = { overlapHours: wholeNumber('--overlap', overlap, 0) };
      const session = openSession(rotate);
      const { partbook, output, signal } = session;
      const { id } = await webhookMeant(session, text);
      const made = await partbook('POST /webhooks/{id}/rotate-secret', { id, body }, { signal });
      output.answer(made, () => made.secret);
      const until = made.previousSecretUntil;
      output.say(
        until === null
          ? `${made.url}: the old secret signs no more. Give the receiver the new one now.`
          : `${made.url}: messages are signed with the old secret, too, until ${until}. Give the receiver the new one by then.`,
      );
    });
  const remove = webhooks
    .command(`delete ${WEBHOOK}`)
    .description('delete a webhook and its deliveries')
    .option('-y, --yes', 'do not ask')
    .action(async (text: string, { yes }: { yes?: boolean }) => {
      const session = openSession(remove);
      const { partbook, output, signal } = session;
      const { id, url } = await webhookMeant(session, text);
      if (yes !== true)
        await confirm(
          session,
          `Delete the webhook ${plain(url)} and its deliveries?`,
          `--yes deletes ${plain(url)} and its deliveries.`,
        );
      await partbook('DELETE /webhooks/{id}', { id }, { signal });
      output.say(`${url} is deleted, and its deliveries are forgotten.`);
    });
}

function eventsOf(text: string): EventType[] {
  const names = text.split(',').map((one) => one.trim());
  const wrong = names.filter((one) => !eventTypes.some((type) => type === one));
  if (wrong.length > 0)
    throw new UsageError(
      `There is no event "${plain(wrong.join(','))}". Write commas between several events of: ${eventTypes.join(', ')}.`,
    );
  return names as EventType[];
}
