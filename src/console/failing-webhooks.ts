/** Receivers that fail or were disabled for that. Deliveries are retried for days before one counts as a failure. */
import type { InstanceTx } from '../db/transaction.ts';
import { failingWebhooks } from './actions/console.sql.ts';
import { hostOf } from './actions/host-of.ts';
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
  /** Waiting deliveries, `COUNTED_MAX` if there may be more, and when the next one is sent. */
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

/** Returns null if all receivers respond. `ofOne`: they belong to one workspace. */
export function failingWebhooksPart(webhooks: readonly FailingWebhook[], ofOne: boolean): Html | null {
  if (webhooks.length === 0) return null;
  const bySlug = Map.groupBy(webhooks, ({ slug }) => slug);
  const isFull = webhooks.length >= SHOWN_MAX;
  const isCut = isFull || [...bySlug.values()].some((some) => some.length >= OF_ONE_MAX);
  const mostOfOne = isFull ? html`<p>At most ${SHOWN_MAX} are shown here. The web app shows all.</p>` : null;
  const mostOfAll = isCut
    ? html`<p>At most ${OF_ONE_MAX} per workspace and ${SHOWN_MAX} in total are shown here. The page of a workspace shows its own.</p>`
    : null;
  const most = ofOne ? mostOfOne : mostOfAll;
  return html`<section><h2>Failing webhooks</h2>
<p>Waiting deliveries are sent automatically when the receiver responds. An administrator of the workspace enables a disabled webhook in
the settings under Webhooks. Then retry its failed deliveries under Failures.</p>${most}${table(
    ['Workspace', 'Receiver', 'Failing since', 'State', 'Last and next attempt', 'Last error'],
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
  if (!enabled) return html`<span class="bad">disabled</span>`;
  return html`retrying<br>${waiting < COUNTED_MAX ? waiting : `${waiting} or more`} waiting`;
}

function triesOf({ enabled, at, next }: FailingWebhook): Html {
  const last = at === null ? '' : time(at);
  return enabled && next !== null ? html`${last}<br>next ${time(next)}` : html`${last}`;
}
