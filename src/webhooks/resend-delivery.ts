/** Puts a delivery in line again, with the same `webhook-id`, whatever became of it. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { findWebhook } from './change-webhook.ts';
import { findDelivery } from './find-delivery.ts';
import { resendDelivery as resendStatement } from './webhook.sql.ts';

/** Nothing is sent to one that is disabled. Throws `webhook_not_found`, `webhook_disabled`, `delivery_not_found`. */
export async function resendDelivery(tx: Tx, webhookId: string, id: string): Promise<void> {
  const { enabled } = await findWebhook(tx, webhookId);
  if (!enabled) throw new AppError('webhook_disabled', 'Enable the webhook to send messages again.');
  await findDelivery(tx, webhookId, id);
  await tx.query(resendStatement, [tx.workspaceId, webhookId, id]);
}
