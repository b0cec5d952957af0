/** Gives stock another cost. What was used before keeps the cost that it had. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { revaluationLimits } from '../../config.ts';
import { shareConfiguration } from '../../configuration/lock-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EntityRef, resolveEntityId } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { Slices } from '../../fairness/slices.ts';
import { amountAt, type Money, moneyOf, moneyText } from '../../money/money.ts';
import { converted, readRates } from '../../money/read-rates.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import { insertLayers, insertSteps } from '../costs/costs.sql.ts';
import type { Layer, PositionCosts } from '../costs/position-costs.ts';
import { readCosts } from '../costs/read-costs.ts';
import { saveOpen, send } from '../costs/record-costs.ts';
import { entryIdsAt } from '../entries/ledger-entry.ts';
import { type Position, positionKey } from '../movements/decide-movements.ts';
import { openPositions } from '../movements/record-requests.ts';
import { requireCosting } from './list-value.ts';
import type { NewRevaluation, Revalued } from './value.schema.ts';
import { countLayersOfItem, insertRevaluations, selectStockOfItem } from './value.sql.ts';

const MS_PER_US = 1000n;

interface Changed {
  position: Position;
  id: string;
  layer: Layer;
  cost: Money;
}

/**
 * Throws `costing_off`, `entity_not_found`, `nothing_to_revalue`, `tree_too_large`, and `validation_failed` where there is no rate for the currency.
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
  const { positions, nowUs } = await openPositions(
    tx,
    places.map((row) => ({ itemId, locationId: row.location_id })),
  );
  const stocked = [...positions.values()].filter(({ onHand }) => onHand > 0n);
  const price = await priceIn(tx, costing.currency, unitCost);
  const costs = await readCosts(
    tx,
    costing.method,
    stocked.map((position) => ({
      ...position,
      onHandDelta: -position.onHand,
      reversesId: null,
      lineId: null,
      layer: only,
    })),
  );
  const slices = new Slices(tx.gone);
  const latest = stocked.reduce((us, { updatedUs }) => (updatedUs >= us ? updatedUs + 1n : us), nowUs);
  const idOf = entryIdsAt(latest);
  const opened: { position: Position; id: string; layer: bigint; quantity: Micro }[] = [];
  const changed: Changed[] = [];
  const touched = new Map<string, PositionCosts>();
  const steps: { position: Position; id: string }[] = [];
  for (const [at, position] of stocked.entries()) {
    const key = positionKey(position);
    const own = costs.get(key) as PositionCosts;
    const id = idOf(at);
    const missing = position.onHand - own.state.onHand;
    if (missing > 0n) {
      const layer = own.put({ originId: id, quantity: missing, cost: null }, { entryId: id, lineId: null });
      opened.push({ position, id, layer, quantity: missing });
    }
    const wanted = own.open.filter(({ layer }) => only === undefined || layer === BigInt(only));
    if (wanted.length === 0) continue;
    const given = new Map<Layer, Money>();
    for (const layer of wanted) {
      if (slices.areDue) await slices.next();
      const cost = amountAt(price, layer.quantity, ONE);
      changed.push({ position, id, layer, cost });
      given.set(layer, cost);
    }
    own.revalue(given);
    touched.set(key, own);
    steps.push({ position, id });
  }
  if (changed.length === 0)
    throw new AppError(
      'nothing_to_revalue',
      'Nothing is on hand of what was named, so there is nothing to revalue.',
    );
  const placeOf = (position: Position) => [position.itemId, position.locationId];
  const written = opened.filter(({ position }) => touched.has(positionKey(position)));
  await send(tx, insertLayers, slices, written, ({ position, id, layer, quantity }) => [
    ...placeOf(position),
    layer.toString(),
    id,
    id,
    'opening',
    null,
    decimalOf(quantity),
    null,
    null,
    null,
  ]);
  const at = new Date(Number(latest / MS_PER_US)).toISOString();
  await send(tx, insertRevaluations, slices, changed, ({ position, id, layer, cost }) => [
    ...placeOf(position),
    id,
    layer.layer.toString(),
    decimalOf(layer.quantity),
    layer.cost === null ? null : decimalOf(layer.cost),
    decimalOf(cost),
    note ?? null,
    actor.id,
    at,
  ]);
  await send(tx, insertSteps, slices, steps, ({ position, id }) => {
    const { layers, onHand, known, value } = (touched.get(positionKey(position)) as PositionCosts).state;
    const figures = [onHand, known, value].map(decimalOf);
    return [...placeOf(position), id, costing.method, layers.toString(), ...figures];
  });
  await saveOpen(tx, costing, touched, slices);
  const revalued = sumUp(changed, costing.currency);
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

/** Selects the positions with stock. Throws `tree_too_large` where they, or their layers, are more than one call revalues. */
async function placesToRevalue(
  tx: Tx,
  { itemId, locationId, layer }: { itemId: string; locationId: string | null; layer: number | undefined },
): Promise<{ location_id: string }[]> {
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
      `More than ${locationsMax} locations have stock of the item. Name one of them.`,
    );
  if ((counts[0]?.layers ?? 0) <= layersMax) return places;
  const what = locationId === null ? 'Name a location.' : 'Name one of the layers.';
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
  const day = new Date().toISOString().slice(0, 10);
  const rate = (await readRates(tx, { currencies: [currency], into, day })).of.get(currency);
  if (rate !== undefined) return converted(amount, rate.factor);
  const message = `There is no exchange rate from ${currency} into ${into} for ${day}. Set one, or state the cost in ${into}.`;
  throw new AppError('validation_failed', {
    detail: message,
    errors: [{ pointer: '/unitCost/currency', code: 'invalid_value', message }],
  });
}

function sumUp(changed: readonly Changed[], currency: string): Revalued {
  let [quantity, unknown, before, after] = [0n, 0n, 0n, 0n];
  for (const { layer, cost } of changed) {
    quantity += layer.quantity;
    if (layer.cost === null) unknown += layer.quantity;
    before += layer.cost ?? 0n;
    after += cost;
  }
  return {
    currency,
    quantity: numberOf(quantity),
    valueBefore: moneyText(before),
    valueAfter: moneyText(after),
    unknownBefore: numberOf(unknown),
    layers: changed.length,
  };
}
