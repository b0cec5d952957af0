/** Describes webhooks and their deliveries, and finds the webhook that a person means. */
import type { Webhook, WebhookDelivery } from '../typescript/generated/types.ts';
import { listItems } from '../typescript/list-items.ts';
import { UsageError } from './exit-codes.ts';
import { plain, shown } from './output.ts';
import type { Session } from './session.ts';

const NAMED_MAX = 12;

/** By its id, its whole address, or a part of its address or description that no other has. */
export async function webhookMeant(session: Session, text: string): Promise<Webhook> {
  const having: Webhook[] = [];
  const all: Webhook[] = [];
  const wanted = text.trim().toLowerCase();
  for await (const one of listItems(session.partbook, 'GET /webhooks', {}, session)) {
    if (one.id === wanted) return one;
    all.push(one);
    if (wanted !== '' && `${one.url}\n${one.description}`.toLowerCase().includes(wanted)) having.push(one);
  }
  // One address may begin as another does; two webhooks may have the same one.
  const exact = having.filter(({ url }) => url.toLowerCase() === wanted);
  const [only, ...others] = exact.length > 0 ? exact : having;
  if (only !== undefined && others.length === 0) return only;
  if (all.length === 0) throw new UsageError(NO_WEBHOOKS);
  if (only === undefined)
    throw new UsageError(`No webhook has "${shown(text)}" in its address or description. ${named(all)}`);
  throw new UsageError(
    `Several webhooks are meant by "${shown(text)}": name one by its id. ${named([only, ...others])}`,
  );
}

export const NO_WEBHOOKS =
  'The workspace has no webhooks: "partbook webhooks create ADDRESS --events import.completed" makes one.';

function named(webhooks: readonly Webhook[]): string {
  const lines = webhooks
    .slice(0, NAMED_MAX)
    .map(({ id, url, description }) => `\n  ${id}  ${plain(`${url}  ${description}`).trimEnd()}`);
  const more = webhooks.length > NAMED_MAX ? `\n  and ${webhooks.length - NAMED_MAX} more` : '';
  return `There ${webhooks.length === 1 ? 'is' : 'are'}:${lines.join('')}${more}`;
}

/** In a word, as the web app has it. */
export function stateOf({ enabled, failingSince }: Webhook): 'on' | 'failing' | 'off' {
  return !enabled ? 'off' : failingSince === null ? 'on' : 'failing';
}

/** The outcome of the last delivery that was tried. */
export function outcomeOf({ status, lastStatus, lastError, lastDurationMs }: WebhookDelivery): string {
  if (lastError !== null) return plain(lastError);
  if (lastStatus === null) return status === 'pending' ? 'not tried yet' : '';
  return `answered ${lastStatus}${lastDurationMs === null ? '' : ` in ${Math.round(lastDurationMs)} ms`}`;
}

/** The facts of one, and what to do where something is wrong with it. */
export function webhookText(webhook: Webhook): string {
  const { id, url, description, events, failingSince, disabledReason, previousSecretUntil } = webhook;
  const facts: [string, string | null][] = [
    ['address', url],
    ['description', description === '' ? null : description],
    ['state', stateOf(webhook)],
    ['events', events.join(', ')],
    ['failing since', failingSince],
    ['switched off because', disabledReason],
    ['old secret valid until', previousSecretUntil],
    ['id', id],
  ];
  return facts
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(22)}  ${plain(String(value))}`)
    .join('\n');
}

export function adviceFor(webhook: Webhook, failed: boolean): string | null {
  const { id } = webhook;
  const resend = failed ? `; "partbook webhooks resend ${id}" sends what failed again` : '';
  switch (stateOf(webhook)) {
    case 'off':
      return `It is told of nothing while it is off: "partbook webhooks enable ${id}" switches it on${resend}.`;
    case 'failing':
      return `Its receiver takes nothing: mend that, then "partbook webhooks test ${id}" tries it, and what is pending follows${resend}.`;
    default:
      return failed ? `"partbook webhooks resend ${id}" sends what failed again.` : null;
  }
}
