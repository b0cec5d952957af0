/** Deliveries of webhooks that wait, as they stand now: the figures know only what was due and not sent, and a receiver that is away makes none due for hours. */
import type { InstanceTx } from '../db/transaction.ts';
import { selectWaitingDeliveries } from './console.sql.ts';
import { time } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface WaitingDeliveries {
  /** `COUNTED_MAX` where there may be more. */
  count: number;
  /** Since when the oldest waits. */
  since: string | null;
  next: string | null;
  /** The next one need not wait any more. */
  is_due: boolean;
  /** Whether the workspace is paused; of several, whether each with some is. */
  paused: boolean;
}

const COUNTED_MAX = 10_000;

/** Reads waiting deliveries of all workspaces, or of one. */
export async function readWaitingDeliveries(
  tx: InstanceTx,
  workspaceId: string | null = null,
): Promise<WaitingDeliveries> {
  const [found] = await tx.query<WaitingDeliveries>(selectWaitingDeliveries, [COUNTED_MAX, workspaceId]);
  return found ?? { count: 0, since: null, next: null, is_due: false, paused: false };
}

export function waitingDeliveriesPart({
  count,
  since,
  next,
  is_due: isDue,
  paused,
}: WaitingDeliveries): Html {
  if (count === 0) return html`<p class="muted">No delivery waits now.</p>`;
  const many = count < COUNTED_MAX ? count : `${count} and more`;
  const noun = count === 1 ? 'delivery waits' : 'deliveries wait';
  const goesOn = paused
    ? html`they are paused`
    : isDue
      ? html`the next is being sent, or about to be`
      : html`the next try is at ${time(next)}`;
  return html`<p><b>${many} ${noun}</b> now, the oldest since ${time(since)}; ${goesOn}.</p>`;
}
