/** `partbook webhooks resend` and `test`: messages that go out because somebody says so. */
import type { Command } from 'commander';
import { wait } from '../../../typescript/connect.ts';
import { ApiError } from '../../../typescript/errors.ts';
import type { Webhook, WebhookDeliveryWithPayload } from '../../../typescript/generated/types.ts';
import { listItems } from '../../../typescript/list-items.ts';
import { countOf } from '../../count-of.ts';
import { Ended, exitCodes } from '../../exit-codes.ts';
import { pausedSince } from '../../held-batches.ts';
import { openSession, requireUuid, type Session } from '../../session.ts';
import { outcomeOf, webhookMeant } from '../../webhook-words.ts';

/** Longer than a receiver may take to answer. */
const TEST_WAIT_MS = 60_000;
const LOOK_MS = 250;
const LOOK_MS_MAX = 2_000;

/** Nothing is sent to one that is off, and there is no use in trying. */
async function requireOn(session: Session, text: string): Promise<Webhook> {
  const webhook = await webhookMeant(session, text);
  if (webhook.enabled) return webhook;
  session.output.say(
    `${webhook.url} is off, and nothing is sent to it. "partbook webhooks enable ${webhook.id}" switches it on.`,
    'red',
  );
  throw new Ended(exitCodes.failed);
}

export function addResend(webhooks: Command): void {
  const resend = webhooks
    .command('resend <webhook> [deliveries...]')
    .description('send failed deliveries again, oldest first, or the deliveries with these ids')
    .option('--plan', 'show how many there are without sending them')
    .action(async (text: string, given: string[], { plan }: { plan?: boolean }) => {
      for (const id of given) requireUuid('delivery', id);
      const session = openSession(resend);
      const { output } = session;
      const webhook = await requireOn(session, text);
      const ids = given.length > 0 ? [...given] : await failedOf(session, webhook);
      if (plan === true && given.length > 0) await leaveUnknown(session, webhook, ids);
      if (plan === true) {
        output.answer({ webhookId: webhook.id, deliveries: ids }, () =>
          ids.length === 0
            ? nothingFailed(webhook)
            : `${messages(ids.length)} would be sent again to ${webhook.url}`,
        );
        if (ids.length > 0) throw new Ended(exitCodes.planHasChanges);
        return;
      }
      await sendAgain(session, webhook, ids);
    });
}

/** A plan counts what is there: ids of other webhooks, or past their retention, are named and taken out. */
async function leaveUnknown(
  { partbook, output, signal }: Session,
  { id }: Webhook,
  ids: string[],
): Promise<void> {
  for (const deliveryId of [...ids]) {
    try {
      await partbook('GET /webhooks/{id}/deliveries/{deliveryId}', { id, deliveryId }, { signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'delivery_not_found') throw error;
      output.say(`${deliveryId} is not there: it is of another webhook, or past its retention.`, 'yellow');
      ids.splice(ids.indexOf(deliveryId), 1);
    }
  }
}

const messages = (count: number) => countOf(count, 'message');
const nothingFailed = ({ id, url, failingSince }: Webhook) =>
  `Nothing to send again: no delivery to ${url} has failed for good.${failingSince === null ? '' : ` What is pending is tried again by itself, and at once where the receiver takes a test: "partbook webhooks test ${id}".`}`;

/** Without tests, which told of nothing. A receiver gets what happened first before what came of it. */
async function failedOf({ partbook, signal }: Session, { id }: Webhook): Promise<string[]> {
  const ids: string[] = [];
  const input = { id, query: { status: 'failed' as const } };
  for await (const one of listItems(partbook, 'GET /webhooks/{id}/deliveries', input, { signal }))
    if (one.type !== 'webhook.test') ids.push(one.id);
  return ids.toReversed();
}

async function sendAgain(session: Session, webhook: Webhook, ids: readonly string[]): Promise<void> {
  const { partbook, output, signal } = session;
  let [sent, gone] = [0, 0];
  async function* again(): AsyncGenerator<WebhookDeliveryWithPayload> {
    for (const deliveryId of ids) {
      const input = { id: webhook.id, deliveryId };
      try {
        yield await partbook('POST /webhooks/{id}/deliveries/{deliveryId}/resend', input, { signal });
        sent += 1;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'delivery_not_found') throw error;
        gone += 1;
      }
    }
  }
  const tell = () => {
    if (sent > 0)
      output.say(
        `${messages(sent)} ${sent === 1 ? 'is' : 'are'} in line to ${webhook.url} again: "partbook webhooks deliveries ${webhook.id}" shows what becomes of ${sent === 1 ? 'it' : 'them'}.`,
      );
    if (gone > 0)
      output.say(
        `${gone} ${gone === 1 ? 'is' : 'are'} not there: of another webhook, or past ${gone === 1 ? 'its' : 'their'} retention.`,
        'yellow',
      );
  };
  try {
    if (output.form === 'text') for await (const _ of again());
    else await output.list(again(), {}, '');
  } catch (error) {
    tell();
    output.say(
      `${messages(ids.length - sent - gone)} not sent again yet: the same command goes on with them.`,
      'red',
    );
    throw error;
  }
  tell();
  if (ids.length === 0) output.say(nothingFailed(webhook));
  if (gone > 0) throw new Ended(exitCodes.failed);
}

export function addTest(webhooks: Command): void {
  const test = webhooks
    .command('test <webhook>')
    .description('send a test message and wait until the receiver answers')
    .option('--no-wait', 'do not wait for the answer')
    .action(async (text: string, flags: { wait: boolean }) => {
      const session = openSession(test);
      const { partbook, output, signal } = session;
      const webhook = await requireOn(session, text);
      const { id, url, failingSince } = webhook;
      const sent = await partbook('POST /webhooks/{id}/test', { id }, { signal });
      const became = flags.wait ? await outcome(session, id, sent) : sent;
      output.answer(became, () =>
        became.status === 'pending'
          ? `${url}: a test is in line`
          : `${url}: ${became.status}: ${outcomeOf(became)}`,
      );
      if (became.status === 'delivered') {
        if (failingSince !== null) output.say('What is pending is sent now.');
        return;
      }
      if (became.status === 'failed') {
        output.say(
          `Mend the receiver, or the address, and try again. "partbook webhooks deliveries ${id} ${sent.id}" shows what was sent.`,
          'red',
        );
        throw new Ended(exitCodes.failed);
      }
      output.say(`"partbook webhooks deliveries ${id} ${sent.id}" shows what becomes of it.`);
      if (flags.wait) throw new Ended(exitCodes.tryLater);
    });
}

/** A test is sent once: after that it is no longer pending. While webhooks are held back there is nothing to wait for. */
async function outcome(
  { partbook, output, signal }: Session,
  id: string,
  sent: WebhookDeliveryWithPayload,
): Promise<WebhookDeliveryWithPayload> {
  const until = performance.now() + TEST_WAIT_MS;
  let became = sent;
  for (let lookMs = LOOK_MS; became.status === 'pending'; lookMs = Math.min(2 * lookMs, LOOK_MS_MAX)) {
    const since = lookMs < LOOK_MS_MAX ? null : await pausedSince({ partbook, signal }, 'webhook');
    if (since !== null)
      output.say(
        `Webhooks are paused by the operator since ${since}: the test is sent when they are resumed.`,
        'yellow',
      );
    if (since !== null || performance.now() > until) break;
    await wait(lookMs, signal);
    const input = { id, deliveryId: sent.id };
    became = await partbook('GET /webhooks/{id}/deliveries/{deliveryId}', input, { signal });
  }
  return became;
}
