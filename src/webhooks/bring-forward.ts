/**
 * A message that was tried in vain waits for up to a day until it is tried again; once a receiver is mended nobody wants to wait so
 * long, nor to send each again by hand. It goes at once if a person says that it is mended (a test that arrives, another address, the webhook
 * switched on again), or where the receiver answers after it has refused several. One message that a receiver never takes, among others that
 * it takes, is no outage: it keeps its times, or each of the others would cost it an attempt.
 */
import type { Tx } from '../db/transaction.ts';
import { type Leasing, leaseSeconds } from './announce-deliveries.ts';
import { bringForward, countRefused } from './webhook.sql.ts';

/** Deliveries beyond this number go at their own time. */
const BROUGHT_MAX = 10_000;
const OUTAGE_MESSAGES = 2;
/** Deliveries to look at, longest wait first: all that were refused since are among them, except those refused for days. */
const LOOKED_AT = 20;

/** A wait longer than that of a delivery that is being sent, which must not be sent twice. */
export async function bringWaitingForward(tx: Tx, webhookId: string, config: Leasing): Promise<void> {
  await tx.query(bringForward, [tx.workspaceId, webhookId, leaseSeconds(config), BROUGHT_MAX]);
}

/** Whether several messages failed since then, and none arrived. */
export async function wasAway(tx: Tx, webhookId: string, since: string): Promise<boolean> {
  const values = [tx.workspaceId, webhookId, since, LOOKED_AT];
  const [row] = await tx.query<{ refused: number }>(countRefused, values);
  return (row?.refused ?? 0) >= OUTAGE_MESSAGES;
}
