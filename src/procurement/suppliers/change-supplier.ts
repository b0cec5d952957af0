/** Says from whom a purchase order is, afterwards too: who was asked for a price is often known when the lines are. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { recordEntityUpdated } from '../../events/record-entity-events.ts';
import { findOrderType, readOrder } from '../records/find-order.ts';
import type { OrderWithLines } from '../records/orders.schema.ts';
import { ensureSupplier, supplierKey, tidyName } from '../records/supplier-key.ts';
import { deleteSupplier, upsertSupplier } from '../records/suppliers.sql.ts';

export interface SupplierChange {
  order: EntityRef;
  /** Supplier; null clears it, absent keeps it. */
  supplier: string | null | undefined;
  /** Sees the order as it is locked, and may refuse. */
  check: (order: OrderWithLines) => void;
}

/** A change that changes nothing writes nothing. Throws `order_not_found`, `validation_failed`. */
export async function changeSupplier(
  tx: Tx,
  actor: Actor,
  { order: ref, supplier, check }: SupplierChange,
): Promise<OrderWithLines> {
  const { id } = await findOrderType(tx, ref);
  const row = await lockEntityRow(tx, id);
  const order = await readOrder(tx, id);
  check(order);
  const wanted = supplier === undefined ? order.supplier : supplier === null ? null : tidyName(supplier);
  if (wanted === order.supplier) return order;
  if (order.type !== 'purchaseOrder') throw noSupplier();
  if (wanted === null) await tx.query(deleteSupplier, [tx.workspaceId, id]);
  else {
    await ensureSupplier(tx, wanted);
    await tx.query(upsertSupplier, [tx.workspaceId, id, wanted, supplierKey(wanted)]);
  }
  const shown = (name: string | null) => ({ number: order.number, supplier: name });
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'order',
    subjectKey: id,
    before: shown(order.supplier),
    after: shown(wanted),
  });
  await recordEntityUpdated(tx, row, [{ property: 'supplier', from: order.supplier, to: wanted }]);
  // Every line shows it too.
  const lines = order.lines.map((line) => ({ ...line, supplier: wanted }));
  return { ...order, supplier: wanted, lines };
}

function noSupplier(): AppError {
  const message = 'Only a purchase order has a supplier.';
  return new AppError('validation_failed', {
    detail: `The request is not valid. ${message}`,
    errors: [{ pointer: '/supplier', code: 'invalid_value', message }],
  });
}
