/** The one way in which a stock line comes into being: its entity, its facts and its first ledger entry together. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../../db/transaction.ts';
import { createEntity } from '../../entities/create-entity.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { type Mover, transitionEntity, type WantedTransition } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { decimalOf, type Micro } from '../../quantity.ts';
import { findStockEntities, type StockEntity } from '../../stock/movements/find-stock-entities.ts';
import { lockOrder } from '../records/find-order.ts';
import { findLine, findRequirement } from '../records/find-procured.ts';
import { bareEntity, findProcurementCategory } from '../records/find-procurement-category.ts';
import { isSupply, type Line, type LineType, lineBehaviours, nameOfLine } from '../records/line.ts';
import { insertLine } from '../records/lines.sql.ts';
import { supplierKey } from '../records/supplier-key.ts';
import { upsertSupplier } from '../records/suppliers.sql.ts';
import { orderSupply, reserveSales } from './line-movements.ts';

export interface WantedLine {
  type: LineType;
  item: EntityRef;
  location: EntityRef;
  amount: Micro;
  order?: EntityRef | null | undefined;
  /** From whom the order is that is opened, tidy. */
  supplier?: string | null | undefined;
  requirement?: EntityRef | null | undefined;
  requiredBy?: string | null | undefined;
  state?: 'Draft' | 'Ordered' | 'Reserved' | undefined;
  note?: string | null | undefined;
}

/**
 * Made as a draft and then led to its state by the same transition that anybody may ask for, so that both
 * doors do the same. Lock order: transition-effect.ts. Throws `entity_not_found`, `not_an_item`,
 * `not_a_location`, `order_not_found`, `order_not_open`, `requirement_not_found`, `over_requirement`,
 * `insufficient_stock`, `validation_failed`, `procurement_not_configured`.
 */
export async function createLine(tx: Tx, by: Mover, wanted: WantedLine): Promise<Line> {
  const { type, amount } = wanted;
  const working = isSupply(type) ? 'Ordered' : 'Reserved';
  const state = wanted.state ?? working;
  if (state !== 'Draft' && state !== working) {
    throw invalid('state', `A line of type ${type} begins as Draft or ${working}.`);
  }
  const configuration = await configurationForWriting(tx);
  const { item, location } = await findPlace(tx, wanted);
  const requirementId = await requirementOf(tx, wanted, item);

  // Number counters come before rows of entities.
  const orderCategory = findProcurementCategory(configuration, type);
  const made =
    wanted.order == null
      ? await createEntity(
          tx,
          by.actor,
          { category: orderCategory.key, name: orderCategory.name },
          bareEntity,
        )
      : null;
  const { id } = await createEntity(
    tx,
    by.actor,
    {
      category: findProcurementCategory(configuration, lineBehaviours[type]).key,
      name: nameOfLine(amount, item.name),
    },
    bareEntity,
  );
  const order = made ?? (await lockOrder(tx, configuration, type, wanted.order as EntityRef));
  if (made !== null && wanted.supplier != null) {
    const { supplier } = wanted;
    await tx.query(upsertSupplier, [tx.workspaceId, made.id, supplier, supplierKey(supplier)]);
  }
  await tx.query(insertLine, [
    tx.workspaceId,
    id,
    type,
    order.id,
    item.id,
    location.id,
    requirementId,
    decimalOf(amount),
    wanted.requiredBy ?? null,
  ]);
  if (state !== 'Draft') await begin(tx, by, { entity: id, toState: state, note: wanted.note });
  return findLine(tx, id);
}

async function begin(tx: Tx, by: Mover, wanted: WantedTransition): Promise<void> {
  const { entity, note } = await transitionEntity(tx, by, wanted);
  // Done by the feature automation of the transition; a lifecycle without it must not make a line that the
  // ledger does not know (interface, Related resources).
  const line = await findLine(tx, entity.id);
  if (isSupply(line.type)) await orderSupply(tx, by, line, note);
  else await reserveSales(tx, by.actor, line, note);
}

async function findPlace(tx: Tx, wanted: WantedLine): Promise<{ item: StockEntity; location: StockEntity }> {
  const found = await findStockEntities(tx, [wanted.item, wanted.location]);
  const item = found.get(wanted.item);
  const location = found.get(wanted.location);
  if (item === undefined) throw notFound(wanted.item, 'itemEntityId');
  if (location === undefined) throw notFound(wanted.location, 'locationEntityId');
  if (!item.isItem) throw refusal('not_an_item', 'itemEntityId', item);
  if (!location.isLocation) throw refusal('not_a_location', 'locationEntityId', location);
  return { item, location };
}

async function requirementOf(tx: Tx, wanted: WantedLine, item: StockEntity): Promise<string | null> {
  if (wanted.requirement == null) return null;
  if (!isSupply(wanted.type)) {
    throw invalid('requirementId', 'A sales line is for no requirement: it takes stock away.');
  }
  const requirement = await findRequirement(tx, wanted.requirement);
  if (requirement.itemId !== item.id) {
    throw invalid(
      'requirementId',
      `Requirement ${requirement.number ?? requirement.id} is for another item.`,
    );
  }
  return requirement.id;
}

function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The line is not valid. ${message}`,
    errors: [{ pointer: `/${field}`, code: 'invalid_value', message }],
  });
}

function notFound(ref: EntityRef, field: string): AppError {
  const message = `There is no entity ${ref} in this workspace.`;
  return new AppError('entity_not_found', {
    detail: message,
    errors: [{ pointer: `/${field}`, code: 'entity_not_found', message }],
  });
}

function refusal(
  code: 'not_an_item' | 'not_a_location',
  field: string,
  { number, id }: StockEntity,
): AppError {
  const message = `${number ?? id} is of a category that is not for ${code === 'not_an_item' ? 'items' : 'locations'}.`;
  return new AppError(code, { detail: message, errors: [{ pointer: `/${field}`, code, message }] });
}
