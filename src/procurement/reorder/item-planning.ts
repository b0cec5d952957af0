/** Reads and sets how an item is reordered. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type AppError, fieldError, invalidValue } from '../../errors.ts';
import { listeningSlug } from '../../events/record-events.ts';
import { decimalOf, MICRO_MAX, type Micro, microOfDecimal, microOfNumber, numberOf } from '../../quantity.ts';
import { requestLooks } from '../../stock/events/reorder-looks.ts';
import { findItem, findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { amountOf, refuseLocation } from '../records/refusals.ts';
import { readParts } from '../records/suppliers/find-offers.ts';
import type { ItemPlanning, NewItemPlanning } from './planning.schema.ts';
import { lockPlanning, type PlanningRow, selectPlanning, upsertPlanning } from './planning.sql.ts';

export interface ShownPlanning {
  shown: ItemPlanning;
  version: number;
}

/** Throws `entity_not_found`, `not_an_item`. */
export async function readPlanning(tx: Tx, ref: EntityRef): Promise<ShownPlanning> {
  return show(tx, await findItem(tx, ref));
}

/**
 * `check` sees the planning as it is locked, and may refuse. A change that changes nothing writes nothing. Throws `entity_not_found`, `not_an_item`,
 * `entity_archived`, `not_a_location`, `supplier_part_not_found`, `validation_failed`, `quantity_out_of_range`, `zero_quantity`.
 */
export async function changePlanning(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  given: NewItemPlanning,
  check: (locked: ShownPlanning) => void,
): Promise<ShownPlanning> {
  const item = await findItem(tx, ref);
  await tx.query(lockPlanning, [tx.workspaceId, item.id]);
  const locked = await show(tx, item);
  check(locked);
  const facts = await factsOf(tx, item, given);
  const { itemEntityId, itemNumber, itemName, ...present } = locked.shown;
  // An item without planning gets one even with the default values: `buy` then says that the item is not made.
  if (locked.version > 0 && JSON.stringify(facts) === JSON.stringify(present)) return locked;
  const decimal = (value: number | null) => (value === null ? null : decimalOf(microOf(value)));
  await tx.query(upsertPlanning, [
    tx.workspaceId,
    item.id,
    facts.policy,
    decimal(facts.reorderPoint),
    decimal(facts.maximum),
    decimal(facts.safety),
    decimal(facts.minimum),
    decimal(facts.multiple),
    facts.makeOrBuy,
    facts.leadTimeDays,
    facts.supplierPartId,
    facts.locationEntityId,
  ]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'itemPlanning',
    subjectKey: item.id,
    before: { number: itemNumber, ...present },
    after: { number: itemNumber, ...facts },
  });
  if ((await listeningSlug(tx, 'belowReorderPoint')) !== null)
    await requestLooks(tx, { items: [item.id], procured: [] });
  return show(tx, item);
}

type Facts = Omit<ItemPlanning, 'itemEntityId' | 'itemNumber' | 'itemName'>;

async function factsOf(tx: Tx, item: StockEntity, given: NewItemPlanning): Promise<Facts> {
  const { policy, reorderPoint, maximum, safety, minimum, multiple, makeOrBuy, leadTimeDays } = given;
  requireZeroOrMore(reorderPoint, 'reorderPoint');
  requireZeroOrMore(safety, 'safety');
  for (const [field, value] of Object.entries({ maximum, minimum, multiple }))
    if (value !== null) amountOf(value, field);
  if ((policy === 'minMax') !== (maximum !== null))
    throw invalid('maximum', 'The policy minMax has a maximum, and no other policy has one.');
  if (maximum !== null && maximum <= reorderPoint)
    throw invalid('maximum', `The maximum is above the reorder point of ${reorderPoint}.`);
  return {
    policy,
    reorderPoint,
    maximum,
    safety,
    minimum,
    multiple,
    makeOrBuy,
    leadTimeDays,
    supplierPartId: await supplierPartOf(tx, item, given.supplierPartId),
    locationEntityId: await locationOf(tx, given.locationEntityId),
  };
}

async function supplierPartOf(tx: Tx, item: StockEntity, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const part = (await readParts(tx, [id])).get(id.toLowerCase())?.part;
  if (part === undefined) {
    const message = `There is no supplier part ${id} in this workspace.`;
    throw fieldError('supplier_part_not_found', '/supplierPartId', message);
  }
  if (part.itemId !== item.id)
    throw invalid('supplierPartId', `Supplier part ${part.sku} is for another item.`);
  return part.id;
}

async function locationOf(tx: Tx, ref: EntityRef | null): Promise<string | null> {
  if (ref === null) return null;
  const location = (await findStockEntities(tx, [ref])).get(ref);
  if (location?.isLocation !== true || location.isArchived) throw refuseLocation(ref, location);
  return location.id;
}

function requireZeroOrMore(value: number, field: string): void {
  const amount = microOfNumber(value);
  if (amount !== null && amount >= 0n && amount <= MICRO_MAX) return;
  const message = `${value} is not 0 or more with at most 9 integer and 6 fractional digits.`;
  throw fieldError('quantity_out_of_range', `/${field}`, message);
}

/** Quantities of the facts are checked already. */
function microOf(value: number): Micro {
  return microOfNumber(value) ?? 0n;
}

function invalid(field: string, message: string): AppError {
  return invalidValue(`/${field}`, message, 'The planning is not valid.');
}

async function show(tx: Tx, item: StockEntity): Promise<ShownPlanning> {
  const [row] = await tx.query<PlanningRow>(selectPlanning, [tx.workspaceId, item.id]);
  const figure = (decimal: string | null | undefined) =>
    decimal == null ? null : numberOf(microOfDecimal(decimal));
  const shown: ItemPlanning = {
    itemEntityId: item.id,
    itemNumber: item.number,
    itemName: item.name,
    policy: row?.policy ?? 'none',
    reorderPoint: figure(row?.reorder_point) ?? 0,
    maximum: figure(row?.maximum),
    safety: figure(row?.safety) ?? 0,
    minimum: figure(row?.minimum),
    multiple: figure(row?.multiple),
    makeOrBuy: row?.make_or_buy ?? 'buy',
    leadTimeDays: row?.lead_time_days ?? null,
    supplierPartId: row?.supplier_part_id ?? null,
    locationEntityId: row?.location_id ?? null,
  };
  return { shown, version: row?.version ?? 0 };
}
