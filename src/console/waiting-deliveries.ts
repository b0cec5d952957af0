/** Webhook deliveries that wait now. The figures count only those that were due, and back-off delays the next attempt for hours. */
import type { InstanceTx } from '../db/transaction.ts';
import { selectWaitingDeliveries } from './actions/console.sql.ts';
import { time } from './page-parts.ts';
import { type Html, html } from './write-page.ts';

export interface WaitingDeliveries {
  /** `COUNTED_MAX` if there may be more. */
  count: number;
  /** When the oldest was created. */
  since: string | null;
  next: string | null;
  /** Whether the next attempt is due. */
  is_due: boolean;
  /** Whether all workspaces with waiting deliveries are paused. */
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
  if (count === 0) return html`<p class="muted">No deliveries are waiting.</p>`;
  const many = count < COUNTED_MAX ? count : `${count} or more`;
  const noun = count === 1 ? 'delivery is' : 'deliveries are';
  const goesOn = paused
    ? html`webhooks are paused`
    : isDue
      ? html`the next one is being sent`
      : html`the next attempt is at ${time(next)}`;
  return html`<p><b>${many} ${noun}</b> waiting, the oldest since ${time(since)}; ${goesOn}.</p>`;
}
