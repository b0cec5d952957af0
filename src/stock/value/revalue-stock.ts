/** Gives stock another cost. What was used before keeps the cost that it had. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { today } from '../../calendar/days.ts';
import { revaluationLimits } from '../../config.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { type Money, moneyOf } from '../../money/money.ts';
import { converted, readRates } from '../../money/read-rates.ts';
import { requireCosting } from './list-value.ts';
import { openStock, revalueLayers } from './revalue-layers.ts';
import type { NewRevaluation, Revalued } from './value.schema.ts';
import { countLayersOfItem, selectStockOfItem } from './value.sql.ts';

/**
 * Throws `costing_off`, `entity_not_found`, `nothing_to_revalue`, `standard_cost_set`, `tree_too_large`, and `validation_failed` where there is no
 * rate for the currency.
 */
export async function revalueStock(
  tx: Tx,
  actor: Actor,
  item: EntityRef,
  { locationEntityId, layer: only, unitCost, note }: NewRevaluation,
): Promise<Revalued> {
  await shareConfiguration(tx);
  const costing = await requireCosting(tx);
  const itemId = await resolveEntityId(tx, item);
  const locationId = locationEntityId === undefined ? null : await resolveEntityId(tx, locationEntityId);
  const places = await placesToRevalue(tx, { itemId, locationId, layer: only });
  const stock = await openStock(tx, costing, places);
  if (stock.costs.values().some(({ standard }) => (standard?.cost ?? null) !== null))
    throw new AppError(
      'standard_cost_set',
      'Stock of the item is valued at its standard cost. Set another standard cost, or remove it first.',
    );
  const price = await priceIn(tx, costing.currency, unitCost);
  const given = { price, only, note: note ?? null };
  const revalued = await revalueLayers(tx, actor, costing, stock, given);
  if (revalued === null)
    throw new AppError(
      'nothing_to_revalue',
      'Nothing is on hand of what was named, so there is nothing to revalue.',
    );
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'stockValue',
    subjectKey: itemId,
    before: { value: revalued.valueBefore, unknown: revalued.unknownBefore },
    after: {
      value: revalued.valueAfter,
      quantity: revalued.quantity,
      currency: costing.currency,
      note: note ?? null,
    },
  });
  return revalued;
}

/** The advice of a refusal where one call would revalue too much stock. */
const narrower = { locations: 'Name one of them.', layers: 'Name a location.' };

/** Selects the positions with stock. Throws `tree_too_large` where they, or their layers, are more than one call revalues. */
export async function placesToRevalue(
  tx: Tx,
  { itemId, locationId, layer }: { itemId: string; locationId: string | null; layer: number | undefined },
  remedies = narrower,
): Promise<{ itemId: string; locationId: string }[]> {
  const { locationsMax, layersMax } = revaluationLimits;
  const of = [tx.workspaceId, itemId, locationId];
  const [places, counts] = await Promise.all([
    tx.query<{ location_id: string }>(selectStockOfItem, [...of, locationsMax + 1]),
    layer !== undefined ? [] : tx.query<{ layers: number }>(countLayersOfItem, [...of, layersMax + 1]),
  ]);
  const tooMany = (limit: number, what: string) =>
    new AppError('tree_too_large', { detail: what, extensions: { limit } });
  if (places.length > locationsMax)
    throw tooMany(
      locationsMax,
      `More than ${locationsMax} locations have stock of the item. ${remedies.locations}`,
    );
  if ((counts[0]?.layers ?? 0) <= layersMax)
    return places.map((row) => ({ itemId, locationId: row.location_id }));
  const what = locationId === null ? remedies.layers : 'Name one of the layers.';
  throw tooMany(layersMax, `The stock has more than ${layersMax} layers. ${what}`);
}

/** Returns the price in the currency of the workspace, by today's rate. Throws `validation_failed` without a rate. */
async function priceIn(
  tx: Tx,
  into: string,
  { price, currency = into }: NewRevaluation['unitCost'],
): Promise<Money> {
  const amount = moneyOf(price);
  if (currency === into) return amount;
  const day = today();
  const rate = (await readRates(tx, { currencies: [currency], into, day })).of.get(currency);
  if (rate !== undefined) return converted(amount, rate.factor);
  const message = `There is no exchange rate from ${currency} into ${into} for ${day}. Set one, or state the cost in ${into}.`;
  throw new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: '/unitCost/currency', code: 'invalid_value', message }],
  });
}
