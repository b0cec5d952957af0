/** Puts a message in line that tries a receiver: sent, signed and kept as any other, but once. */
import type { Actor } from '../actor.ts';
import { newId } from '../db/ids.ts';
import { databaseNow, rfc3339 } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { findWebhook } from './change-webhook.ts';
import { type FullDeliveryRow, findDelivery } from './find-delivery.ts';
import { TEST_TYPE } from './webhook.schema.ts';
import { countWaitingTests, insertDeliveries } from './webhook.sql.ts';

/** Throws `webhook_not_found`, `webhook_disabled`, `test_waiting`. */
export async function sendTest(tx: Tx, actor: Actor, webhookId: string): Promise<FullDeliveryRow> {
  const { enabled } = await findWebhook(tx, webhookId, true);
  if (!enabled) throw new AppError('webhook_disabled', 'Enable the webhook to send it a test.');
  const [waiting] = await tx.query<{ count: number }>(countWaitingTests, [tx.workspaceId, webhookId, 1]);
  if (waiting?.count === 1) {
    throw new AppError('test_waiting', 'The test before it has not been sent yet. Look at the deliveries.');
  }
  const id = newId();
  const message = {
    type: TEST_TYPE,
    timestamp: rfc3339(await databaseNow(tx)),
    data: { webhookId, sentBy: { type: actor.type, id: actor.id, name: actor.name } },
  };
  const delivery = {
    webhook_id: webhookId,
    id,
    type: TEST_TYPE,
    payload: JSON.stringify(message),
    traceparent: currentTraceparent(),
  };
  await tx.query(insertDeliveries, [tx.workspaceId, JSON.stringify([delivery])]);
  return findDelivery(tx, webhookId, id);
}
