/** Gives layers of positions another cost, and writes what they are worth then. */
import type { Actor } from '../../actor.ts';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import { msOfId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { amountAt, type Money, moneyText } from '../../money/money.ts';
import { decimalOf, type Micro, numberOf } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import { insertLayers, insertSteps } from '../costs/costs.sql.ts';
import type { Layer, PositionCosts, Standard } from '../costs/position-costs.ts';
import { readCosts } from '../costs/read-costs.ts';
import { saveOpen, send } from '../costs/record-costs.ts';
import { entryIdsAt } from '../entries/ledger-entry.ts';
import { type Position, positionKey } from '../movements/decide-movements.ts';
import { openPositions } from '../movements/record-requests.ts';
import type { Revalued } from './value.schema.ts';
import { insertRevaluations } from './value.sql.ts';

const US_PER_MS = 1000n;

interface Changed {
  position: Position;
  id: string;
  layer: Layer;
  cost: Money;
}

/** Positions of an item that are locked, with their costs. */
export interface OpenedStock {
  readonly stocked: readonly Position[];
  readonly costs: ReadonlyMap<string, PositionCosts>;
  readonly latest: bigint;
  /** Returns an id of that time. Positions take the first ordinals; other records take those that follow. */
  readonly idOf: (ordinal: number) => string;
}

/** Locks the positions and reads all their layers, or the named one. Ids of new records are later than the positions and than `after`. */
export async function openStock(
  tx: Tx,
  { method }: Costing,
  places: readonly { itemId: string; locationId: string }[],
  { layer, after = null }: { layer?: number | undefined; after?: Standard | null } = {},
): Promise<OpenedStock> {
  const { positions, nowUs } = await openPositions(tx, places);
  const stocked = [...positions.values()].filter(({ onHand }) => onHand > 0n);
  const leaving = stocked.map((position) => ({
    ...position,
    onHandDelta: -position.onHand,
    reversesId: null,
    lineId: null,
    layer,
  }));
  const costs = await readCosts(tx, method, leaving);
  const behind = after === null ? nowUs : BigInt(msOfId(after.id) + 1) * US_PER_MS;
  const latest = stocked.reduce(
    (us, { updatedUs }) => (updatedUs >= us ? updatedUs + 1n : us),
    behind > nowUs ? behind : nowUs,
  );
  return { stocked, costs, latest, idOf: entryIdsAt(latest) };
}

export interface Revaluation {
  /** The cost of a base unit in the currency of the workspace. */
  price: Money;
  /** The only layer; absent: all. */
  only?: number | undefined;
  note: string | null;
  /** The standard cost that is set with it; absent: none is set. */
  standardId?: string;
}

/** Sends the revaluation with the commit. Returns null if there is no layer to revalue. */
export async function revalueLayers(
  tx: Tx,
  actor: Actor,
  costing: Costing,
  { stocked, costs, latest, idOf }: OpenedStock,
  { price, only, note, standardId }: Revaluation,
): Promise<Revalued | null> {
  const slices = new Slices(tx.gone);
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
  if (changed.length === 0) return null;
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
    // The layer has no cost, price, currency, standard cost or amount paid.
    ...[null, null, null, null, null],
  ]);
  const at = new Date(Number(latest / US_PER_MS)).toISOString();
  await send(tx, insertRevaluations, slices, changed, ({ position, id, layer, cost }) => [
    ...placeOf(position),
    id,
    layer.layer.toString(),
    decimalOf(layer.quantity),
    layer.cost === null ? null : decimalOf(layer.cost),
    decimalOf(cost),
    note,
    actor.id,
    at,
  ]);
  await send(tx, insertSteps, slices, steps, ({ position, id }) => {
    const own = touched.get(positionKey(position)) as PositionCosts;
    const { layers, onHand, known, value } = own.state;
    const figures = [onHand, known, value].map(decimalOf);
    const standard = standardId ?? own.standard?.id ?? null;
    return [...placeOf(position), id, costing.method, layers.toString(), ...figures, standard];
  });
  await saveOpen(tx, costing, touched, slices);
  return sumUp(changed, costing.currency);
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
    valueBefore: unknown === quantity ? null : moneyText(before),
    valueAfter: moneyText(after),
    unknownBefore: numberOf(unknown),
    layers: changed.length,
  };
}
