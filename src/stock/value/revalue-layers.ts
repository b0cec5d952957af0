/** Gives layers of positions another cost, and writes what they are worth then. */
import type { Actor } from '../../actor.ts';
import { revaluationLimits } from '../../config.ts';
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import { msOfId } from '../../db/ids.ts';
import type { Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { amountAt, type Money, moneyText } from '../../money/money.ts';
import { decimalOf, numberOf } from '../../quantity.ts';
import { ONE } from '../../units/rational.ts';
import { insertLayers, insertSteps } from '../costs/costs.sql.ts';
import { placeKey } from '../costs/place-key.ts';
import { type Layer, POOL, PositionCosts, type Standard } from '../costs/position-costs.ts';
import { readCosts, readLayers } from '../costs/read-costs.ts';
import { saveOpen, send } from '../costs/record-costs.ts';
import { entryIdsAt } from '../entries/ledger-entry.ts';
import { type Position, positionKey } from '../movements/decide-movements.ts';
import { openPositions } from '../movements/record-requests.ts';
import type { Revalued } from './value.schema.ts';
import { insertRevaluations } from './value.sql.ts';

const US_PER_MS = 1000n;

/** Positions whose layers are read at once. */
const POSITIONS_AT_ONCE = 16;

interface Changed {
  layer: Layer;
  cost: Money;
}

/** A position, as far as it is revalued. */
interface Progress {
  position: Position;
  costs: PositionCosts;
  /** The last layer that was looked at. */
  last: Layer | null;
}

/** Positions of an item that are locked, with their costs, without layers. */
export interface OpenedStock {
  readonly stocked: readonly Position[];
  readonly costs: ReadonlyMap<string, PositionCosts>;
  readonly latest: bigint;
  /** Returns an id of that time, later than all that it returned before. */
  readonly nextId: () => string;
}

/** Locks the positions and reads their costs. Ids of new records are later than the positions and than `after`. */
export async function openStock(
  tx: Tx,
  { method }: Costing,
  places: readonly { itemId: string; locationId: string }[],
  after: Standard | null = null,
): Promise<OpenedStock> {
  const { positions, nowUs } = await openPositions(tx, places);
  const stocked = [...positions.values()].filter(({ onHand }) => onHand > 0n);
  const unmoved = { onHandDelta: 0n, reversesId: null, lineId: null };
  const costs = await readCosts(
    tx,
    method,
    stocked.map((position) => ({ ...position, ...unmoved })),
  );
  const behind = after === null ? nowUs : BigInt(msOfId(after.id) + 1) * US_PER_MS;
  const latest = stocked.reduce(
    (us, { updatedUs }) => (updatedUs >= us ? updatedUs + 1n : us),
    behind > nowUs ? behind : nowUs,
  );
  const idOf = entryIdsAt(latest);
  let ids = 0;
  return { stocked, costs, latest, nextId: () => idOf(ids++) };
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

/** Sends the revaluation with the commit, in steps of at most `layersOfStep` layers. Returns null if there is no layer to revalue. */
export async function revalueLayers(
  tx: Tx,
  actor: Actor,
  costing: Costing,
  stock: OpenedStock,
  given: Revaluation,
): Promise<Revalued | null> {
  const { layersOfStep: limit } = revaluationLimits;
  const slices = new Slices(tx.gone);
  const sums = new Sums();
  const { stocked, costs } = stock;
  for (let from = 0; from < stocked.length; from += POSITIONS_AT_ONCE) {
    let left = stocked.slice(from, from + POSITIONS_AT_ONCE).map((position): Progress => {
      return { position, costs: costs.get(positionKey(position)) as PositionCosts, last: null };
    });
    while (left.length > 0) {
      const read = await readLayers(
        tx,
        costing.method,
        left.map(({ position, last }) => ({ ...position, last, number: given.only })),
        limit,
      );
      const more: Progress[] = [];
      for (const one of left) {
        const layers = read.get(placeKey(one.position)) ?? [];
        const isLast = layers.length < limit;
        const after = await takeStep(tx, { actor, costing, stock, given, slices, sums }, one, {
          layers,
          isLast,
        });
        if (!isLast) more.push({ ...one, costs: after, last: layers.at(-1) as Layer });
      }
      left = more;
    }
  }
  return sums.show(costing.currency);
}

interface Revaluing {
  actor: Actor;
  costing: Costing;
  stock: OpenedStock;
  given: Revaluation;
  slices: Slices;
  sums: Sums;
}

/** Revalues the next layers of a position. Returns its costs after that. */
async function takeStep(
  tx: Tx,
  { actor, costing, stock, given, slices, sums }: Revaluing,
  { position, costs, last }: Progress,
  { layers, isLast }: { layers: readonly Layer[]; isLast: boolean },
): Promise<PositionCosts> {
  const own = new PositionCosts(costing.method, costs.state, layers, costs.standard);
  const { only } = given;
  const id = stock.nextId();
  const missing = isLast ? position.onHand - own.state.onHand : 0n;
  const piece = { originId: id, quantity: missing, cost: null };
  const opening = missing > 0n ? own.put(piece, { entryId: id, lineId: null }) : null;
  // The first step has revalued the average.
  const isWanted = ({ layer }: Layer) =>
    only === undefined ? last === null || layer !== POOL : layer === BigInt(only);
  const changed: Changed[] = [];
  for (const layer of own.open) {
    if (!isWanted(layer)) continue;
    if (slices.areDue) await slices.next();
    changed.push({ layer, cost: amountAt(given.price, layer.quantity, ONE) });
  }
  if (changed.length === 0) return costs;
  sums.add(changed);
  own.revalue(new Map(changed.map(({ layer, cost }) => [layer, cost])));
  const place = [position.itemId, position.locationId];
  const opened = opening === null ? [] : [opening];
  await send(tx, insertLayers, slices, opened, (layer) => [
    ...place,
    layer.toString(),
    id,
    id,
    'opening',
    null,
    decimalOf(missing),
    // The layer has no cost, price, currency, standard cost or amount paid.
    ...[null, null, null, null, null],
  ]);
  const at = new Date(Number(stock.latest / US_PER_MS)).toISOString();
  await send(tx, insertRevaluations, slices, changed, ({ layer, cost }) => [
    ...place,
    id,
    layer.layer.toString(),
    decimalOf(layer.quantity),
    layer.cost === null ? null : decimalOf(layer.cost),
    decimalOf(cost),
    given.note,
    actor.id,
    at,
  ]);
  const { layers: number, onHand, known, value } = own.state;
  const standard = given.standardId ?? own.standard?.id ?? null;
  await send(tx, insertSteps, slices, [[onHand, known, value].map(decimalOf)], (figures) => [
    ...place,
    id,
    costing.method,
    number.toString(),
    ...figures,
    standard,
  ]);
  await saveOpen(tx, costing, new Map([[placeKey(position), own]]), slices);
  return own;
}

/** Adds up what was revalued. */
class Sums {
  #layers = 0;
  #quantity = 0n;
  #unknown = 0n;
  #before = 0n;
  #after = 0n;

  add(changed: readonly Changed[]): void {
    this.#layers += changed.length;
    for (const { layer, cost } of changed) {
      this.#quantity += layer.quantity;
      if (layer.cost === null) this.#unknown += layer.quantity;
      this.#before += layer.cost ?? 0n;
      this.#after += cost;
    }
  }

  /** Returns null if nothing was added. */
  show(currency: string): Revalued | null {
    if (this.#layers === 0) return null;
    return {
      currency,
      quantity: numberOf(this.#quantity),
      valueBefore: this.#unknown === this.#quantity ? null : moneyText(this.#before),
      valueAfter: moneyText(this.#after),
      unknownBefore: numberOf(this.#unknown),
      layers: this.#layers,
    };
  }
}
