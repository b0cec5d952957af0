/** Sets the standard cost of an item: what is on hand is revalued, and what arrives from then on comes in at it. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import type { EntityRef } from '../../entities/resolve-entity.ts';
import { moneyOf, moneyText } from '../../money/money.ts';
import { standardOf } from '../costs/read-costs.ts';
import { lockItem } from '../lots/lock-item.ts';
import { findItem } from '../movements/find-stock-entities.ts';
import { requireCosting } from './list-value.ts';
import { openStock, revalueLayers } from './revalue-layers.ts';
import { placesToRevalue } from './revalue-stock.ts';
import type { NewStandardCost, StandardCostSet } from './standard.schema.ts';
import { insertStandard, selectLastStandard } from './standard.sql.ts';

const US_PER_MS = 1000n;

/** A standard cost is of all stock. */
const remedies = {
  locations: 'Move the stock to fewer locations first.',
  layers:
    'Set the standard cost once less is left, or value stock at the average first: a location then has one layer.',
};

/**
 * A receipt waits for it at positions that there are, and where there are none: it comes in before, and is revalued, or at the new standard.
 * Throws `costing_off`, `entity_not_found`, `not_an_item`, `tree_too_large`.
 */
export async function setStandard(
  tx: Tx,
  actor: Actor,
  item: EntityRef,
  { cost, note = null }: NewStandardCost,
): Promise<StandardCostSet> {
  await shareConfiguration(tx);
  const costing = await requireCosting(tx);
  const { id: itemId } = await findItem(tx, item);
  await lockItem(tx, itemId);
  const all = { itemId, locationId: null, layer: undefined };
  const places = cost === null ? [] : await placesToRevalue(tx, all, remedies);
  const [row] = await tx.query<{ standard_id: string; standard: string | null }>(selectLastStandard, [
    tx.workspaceId,
    itemId,
  ]);
  const before = standardOf(row);
  const stock = await openStock(tx, costing, places, before);
  const id = stock.nextId();
  const from = new Date(Number(stock.latest / US_PER_MS)).toISOString();
  const given = cost === null ? null : { price: moneyOf(cost), note, standardId: id };
  const revalued = given === null ? null : await revalueLayers(tx, actor, costing, stock, given);
  tx.withCommit(tx.query(insertStandard, [tx.workspaceId, itemId, id, cost, note, actor.id, from]));
  const shown = cost === null ? null : moneyText(moneyOf(cost));
  const old = before === null || before.cost === null ? null : moneyText(before.cost);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'stockValue',
    subjectKey: itemId,
    before: { standardCost: old, value: revalued?.valueBefore ?? null },
    after: { standardCost: shown, value: revalued?.valueAfter ?? null, currency: costing.currency, note },
  });
  return { id, cost: shown, currency: costing.currency, note, from, revalued };
}
