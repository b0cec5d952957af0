/** Reads one delivery with its message. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { DeliveryRow } from './show-webhook.ts';
import type { DeliveryWithPayload } from './webhook.schema.ts';
import { selectDelivery } from './webhook.sql.ts';

export type FullDeliveryRow = DeliveryRow & { payload: string; history: DeliveryWithPayload['history'] };

/** Throws `delivery_not_found`. */
export async function findDelivery(tx: Tx, webhookId: string, id: string): Promise<FullDeliveryRow> {
  const [row] = await tx.query<FullDeliveryRow>(selectDelivery, [tx.workspaceId, webhookId, id]);
  if (row === undefined) {
    throw new AppError('delivery_not_found', `This webhook has no delivery ${id}, or none any more.`);
  }
  return row;
}
