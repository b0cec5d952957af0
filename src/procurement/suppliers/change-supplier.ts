/** Changes the supplier of a purchase order or the customer of a sales order, and the references of both sides, in any state of the order. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type AppError, invalidValue } from '../../errors.ts';
import { recordEntityUpdated } from '../../events/record-entity-events.ts';
import { findOrderType, readOrder } from '../records/find-order.ts';
import { ONLY_SALES, type OrderWithLines } from '../records/orders.schema.ts';
import { upsertReferences } from '../records/suppliers/purchase-terms.sql.ts';
import { ensureSupplier, supplierKey, tidyName } from '../records/suppliers/supplier-key.ts';
import { deleteSupplier, upsertSupplier } from '../records/suppliers/suppliers.sql.ts';

export interface SupplierChange {
  order: EntityRef;
  /** Supplier; null clears it, absent keeps it. */
  supplier: string | null | undefined;
  customer?: string | null | undefined;
  ourReference?: string | null | undefined;
  theirReference?: string | null | undefined;
  /** Sees the order as it is locked, and may refuse. */
  check: (order: OrderWithLines) => void;
}

/** A change that changes nothing writes nothing. Throws `order_not_found`, `validation_failed`. */
export async function changeSupplier(
  tx: Tx,
  actor: Actor,
  { order: ref, supplier, customer, ourReference, theirReference, check }: SupplierChange,
): Promise<OrderWithLines> {
  const { id } = await findOrderType(tx, ref);
  const row = await lockEntityRow(tx, id);
  const order = await readOrder(tx, id);
  check(order);
  const kept = <Value>(value: Value | undefined, present: Value) => (value === undefined ? present : value);
  const before = factsOf(order);
  const after = {
    supplier: supplier == null ? kept(supplier, order.supplier) : tidyName(supplier),
    customer: kept(customer, order.customer),
    ourReference: kept(ourReference, order.ourReference),
    theirReference: kept(theirReference, order.theirReference),
  };
  const changes = (['supplier', 'customer', 'ourReference', 'theirReference'] as const).flatMap((property) =>
    before[property] === after[property] ? [] : [{ property, from: before[property], to: after[property] }],
  );
  if (changes.length === 0) return order;
  if (after.customer !== null && order.type !== 'salesOrder') throw refuse('customer', ONLY_SALES);
  if (after.supplier !== before.supplier) await setSupplier(tx, order, after.supplier);
  if (changes.some(({ property }) => property !== 'supplier')) {
    const references = [[after.ourReference], [after.theirReference], [after.customer]];
    await tx.query(upsertReferences, [tx.workspaceId, [id], ...references]);
  }
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'order',
    subjectKey: id,
    before: { number: order.number, ...before },
    after: { number: order.number, ...after },
  });
  await recordEntityUpdated(tx, row, changes);
  // Every line shows the supplier too.
  const lines = order.lines.map((line) => ({ ...line, supplier: after.supplier }));
  return { ...order, ...after, lines };
}

function factsOf({ supplier, customer, ourReference, theirReference }: OrderWithLines) {
  return { supplier, customer, ourReference, theirReference };
}

/** Throws `validation_failed`. */
async function setSupplier(tx: Tx, { id, type }: OrderWithLines, name: string | null): Promise<void> {
  if (type !== 'purchaseOrder') throw refuse('supplier', 'Only a purchase order has a supplier.');
  if (name === null) {
    await tx.query(deleteSupplier, [tx.workspaceId, id]);
    return;
  }
  await ensureSupplier(tx, name);
  await tx.query(upsertSupplier, [tx.workspaceId, id, name, supplierKey(name)]);
}

function refuse(field: string, message: string): AppError {
  return invalidValue(`/${field}`, message);
}
