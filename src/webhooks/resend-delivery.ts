/** Puts a delivery in line again, with the same `webhook-id`, whatever became of it. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { findWebhook } from './change-webhook.ts';
import { findDelivery } from './find-delivery.ts';
import { lockDelivery, resendDelivery as resendStatement } from './webhook.sql.ts';

/** Nothing is sent to one that is disabled. Throws `webhook_not_found`, `webhook_disabled`, `delivery_not_found`. */
export async function resendDelivery(tx: Tx, webhookId: string, id: string): Promise<void> {
  const { enabled } = await findWebhook(tx, webhookId);
  if (!enabled) throw new AppError('webhook_disabled', 'Enable the webhook to send messages again.');
  await findDelivery(tx, webhookId, id);
  await tx.query(resendStatement, [tx.workspaceId, webhookId, id]);
}

/**
 * Resends a delivery that somebody has seen fail, and that nobody has resent since. Resolves to its status, which is `failed` if it is in
 * line again. Throws as `resendDelivery` does.
 */
export async function resendFailed(tx: Tx, webhookId: string, id: string): Promise<string> {
  const [known] = await tx.query<{ status: string }>(lockDelivery, [tx.workspaceId, webhookId, id]);
  // Where there is none, that is said by the other.
  if (known !== undefined && known.status !== 'failed') return known.status;
  await resendDelivery(tx, webhookId, id);
  return 'failed';
}
