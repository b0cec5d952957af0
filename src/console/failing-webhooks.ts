/** Receivers that answer nothing, or were given up: their deliveries wait for days before one of them counts as a failure. */
import type { InstanceTx } from '../db/transaction.ts';
import { failingWebhooks } from './console.sql.ts';
import { hostOf } from './host-of.ts';
import { table, time, workspaceLink } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface FailingWebhook {
  slug: string;
  url: string;
  enabled: boolean;
  failing_since: string | null;
  disabled_reason: string | null;
  /** Result and time of the last attempt; null if its deliveries are gone. */
  text: string | null;
  at: string | null;
  /** Deliveries that wait, `COUNTED_MAX` where there may be more, and when the first of them is tried. */
  waiting: number;
  next: string | null;
}

const SHOWN_MAX = 50;
const OF_ONE_MAX = 5;
const TEXT_CHARS_MAX = 500;
const COUNTED_MAX = 1000;

/** Reads failing webhooks: a few of each workspace, or all of one. */
export function readFailingWebhooks(
  tx: InstanceTx,
  workspaceId: string | null = null,
): Promise<FailingWebhook[]> {
  const ofOne = workspaceId === null ? OF_ONE_MAX : SHOWN_MAX;
  return tx.query<FailingWebhook>(failingWebhooks, [SHOWN_MAX, ofOne, workspaceId, COUNTED_MAX]);
}

/** Nothing where all receivers answer. `ofOne`: they are those of one workspace. */
export function failingWebhooksPart(webhooks: readonly FailingWebhook[], ofOne: boolean): Html | null {
  if (webhooks.length === 0) return null;
  const bySlug = Map.groupBy(webhooks, ({ slug }) => slug);
  const isFull = webhooks.length >= SHOWN_MAX;
  const isCut = isFull || [...bySlug.values()].some((some) => some.length >= OF_ONE_MAX);
  const mostOfOne = isFull ? html`<p>At most ${SHOWN_MAX} stand here; the app has all.</p>` : null;
  const mostOfAll = isCut
    ? html`<p>At most ${OF_ONE_MAX} of a workspace stand here, and ${SHOWN_MAX} in all; the page of a workspace has its own.</p>`
    : null;
  const most = ofOne ? mostOfOne : mostOfAll;
  return html`<section><h2>Webhooks that fail</h2>
<p>What waits is sent by itself as soon as a receiver answers. One that is off is switched on by an administrator of its workspace, in
the settings under Webhooks; what failed meanwhile is retried under Failures.</p>${most}${table(
    ['Workspace', 'Receiver', 'Since', 'State', 'Last and next try', 'What the last came to'],
    webhooks.map((one) => [
      workspaceLink(one.slug),
      html`<span class="mono">${hostOf(one.url)}</span>`,
      one.failing_since === null ? '' : time(one.failing_since),
      stateOf(one),
      triesOf(one),
      (one.text ?? one.disabled_reason ?? '').slice(0, TEXT_CHARS_MAX),
    ]),
    '',
  )}</section>`;
}

function stateOf({ enabled, waiting }: FailingWebhook): Html {
  if (!enabled) return html`<span class="bad">off</span>`;
  return html`tried again<br>${waiting < COUNTED_MAX ? waiting : `${waiting} and more`} wait`;
}

function triesOf({ enabled, at, next }: FailingWebhook): Html {
  const last = at === null ? '' : time(at);
  return enabled && next !== null ? html`${last}<br>then ${time(next)}` : html`${last}`;
}
