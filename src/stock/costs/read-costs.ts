/** Reads the layers that movements of locked positions take. */
import type { CostMethod } from '../../configuration/stock-settings/stock-settings.ts';
import type { Tx } from '../../db/transaction.ts';
import { moneyOf } from '../../money/money.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import type { CostedEntry } from './cost-sources.ts';
import {
  selectLastSteps,
  selectLayersOfEntries,
  selectLayersOfLines,
  selectLayersOfNumbers,
  selectOpenLayers,
} from './costs.sql.ts';
import { placeKey } from './place-key.ts';
import { type CostState, type Layer, nothingCosted, PositionCosts, type Standard } from './position-costs.ts';

/** Layers of a position that are read at once; most movements take one or two. */
const FIRST_LAYERS = 16;
const MORE_LAYERS = 2000;

interface PlaceRow {
  item_id: string;
  location_id: string;
}

interface StepRow extends PlaceRow {
  /** This and the next three are null if the position has no step. */
  layers: string | null;
  on_hand: string | null;
  known: string | null;
  value: string | null;
  standard_id: string | null;
  standard: string | null;
}

interface LayerRow extends PlaceRow {
  /** The line or entry for which it was read. */
  key?: string;
  origin_id: string;
  layer: string;
  entry_id: string;
  line_id: string | null;
  quantity: string;
  cost: string | null;
}

interface Wanted {
  itemId: string;
  locationId: string;
  /** The line or entry whose layers are wanted; null: any. */
  key: string | null;
  /** How much is taken. */
  need: Micro;
  layers: Layer[];
}

/** The layers that are wanted of each position, and of lines and entries. */
class WantedLayers {
  readonly #found = new Map<string, Wanted>();

  add({ itemId, locationId, onHandDelta }: Leaving, key: string | null = null): void {
    const at = placeKey({ itemId, locationId }) + (key ?? '');
    const one = this.#found.get(at) ?? { itemId, locationId, key, need: 0n, layers: [] };
    if (onHandDelta < 0n) one.need -= onHandDelta;
    this.#found.set(at, one);
  }

  get all(): Wanted[] {
    return [...this.#found.values()];
  }
}

type Leaving = Pick<CostedEntry, 'itemId' | 'locationId' | 'onHandDelta' | 'reversesId' | 'lineId'>;

/** Returns the costs of the entries' positions, with as many layers as the entries take. */
export async function readCosts(
  tx: Tx,
  method: CostMethod,
  entries: readonly Leaving[],
): Promise<Map<string, PositionCosts>> {
  const any = new WantedLayers();
  const [ofLines, ofEntries] = [new WantedLayers(), new WantedLayers()];
  for (const entry of entries) {
    const { onHandDelta, reversesId, lineId } = entry;
    any.add(entry);
    if (onHandDelta >= 0n) continue;
    if (reversesId !== null) ofEntries.add(entry, reversesId);
    else if (lineId !== null) ofLines.add(entry, lineId);
  }
  // Entries before it may take layers that an entry prefers, at most as much as all entries of the position take.
  const needs = new Map(any.all.map((place) => [placeKey(place), place.need]));
  for (const one of [...ofLines.all, ...ofEntries.all]) one.need = needs.get(placeKey(one)) ?? one.need;
  const [steps] = await Promise.all([
    tx.query<StepRow>(selectLastSteps, [tx.workspaceId, ...placesOf(any.all)]),
    readNeeded(tx, method, any.all, selectOpenLayers),
    readNeeded(tx, method, ofLines.all, selectLayersOfLines),
    readNeeded(tx, method, ofEntries.all, selectLayersOfEntries),
  ]);
  const last = new Map(steps.map((row) => [keyOf(row), row]));
  const preferred = Map.groupBy([...ofLines.all, ...ofEntries.all], placeKey);
  return new Map(
    any.all.map((place) => {
      const key = placeKey(place);
      const read = [place, ...(preferred.get(key) ?? [])].flatMap(({ layers }) => layers);
      const known = new Map(read.map((one) => [orderOf(one), one]));
      const stored = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, layer]) => layer);
      const step = last.get(key);
      return [key, new PositionCosts(method, stateOf(step), stored, standardOf(step))];
    }),
  );
}

/** Reads layers until they suffice. */
async function readNeeded(tx: Tx, method: CostMethod, wanted: readonly Wanted[], sql: string): Promise<void> {
  let left = wanted.filter(({ need }) => need > 0n);
  for (let limit = FIRST_LAYERS; left.length > 0; limit = MORE_LAYERS) {
    const places = left.map((one) => ({ ...one, last: one.layers.at(-1) ?? null }));
    const read = await readBehind(tx, sql, places, { method, limit });
    left = left.filter((one) => {
      const own = read.get(placeKey(one) + (one.key ?? '')) ?? [];
      one.layers.push(...own);
      const sum = one.layers.reduce((total, { quantity }) => total + quantity, 0n);
      return sum < one.need && own.length === limit;
    });
  }
}

interface Place {
  itemId: string;
  locationId: string;
  /** The layer behind which they are read. */
  last: Layer | null;
}

/** Returns at most so many layers of each position, by its `placeKey`. A number names the only layer. */
export async function readLayers(
  tx: Tx,
  method: CostMethod,
  places: readonly (Place & { number?: number | undefined })[],
  limit: number,
): Promise<Map<string, Layer[]>> {
  const of = Map.groupBy(places, ({ number }) => number !== undefined);
  const named = (of.get(true) ?? []).map((place) => ({ ...place, key: String(place.number) }));
  const [any, numbered] = await Promise.all([
    readBehind(tx, selectOpenLayers, of.get(false) ?? [], { method, limit }),
    readBehind(tx, selectLayersOfNumbers, named, { method, limit }),
  ]);
  for (const place of named) any.set(placeKey(place), numbered.get(placeKey(place) + place.key) ?? []);
  return any;
}

/** Returns layers by the `placeKey` of each position and the key for which they are read. */
async function readBehind(
  tx: Tx,
  sql: string,
  places: readonly (Place & { key?: string | null })[],
  { method, limit }: { method: CostMethod; limit: number },
): Promise<Map<string, Layer[]>> {
  if (places.length === 0) return new Map();
  const rows = await tx.query<LayerRow>(sql, [
    tx.workspaceId,
    ...placesOf(places),
    ...(sql === selectOpenLayers ? [] : [places.map(({ key }) => key)]),
    places.map(({ last }) => last?.originId ?? LOWEST_ID),
    places.map(({ last }) => last?.layer.toString() ?? '-1'),
    method === 'average',
    limit,
  ]);
  const read = Map.groupBy(rows, (row) => keyOf(row) + (row.key ?? ''));
  return new Map([...read].map(([key, own]) => [key, own.map(layerOf)]));
}

export function placesOf(places: readonly { itemId: string; locationId: string }[]): [string[], string[]] {
  return [places.map(({ itemId }) => itemId), places.map(({ locationId }) => locationId)];
}

function keyOf(row: PlaceRow): string {
  return placeKey({ itemId: row.item_id, locationId: row.location_id });
}

const LAYER_DIGITS = 20;

function orderOf({ originId, layer }: Layer): string {
  return originId + layer.toString().padStart(LAYER_DIGITS, '0');
}

function stateOf(row: StepRow | undefined): CostState {
  if (row === undefined || row.layers === null) return nothingCosted;
  return {
    onHand: microOfDecimal(row.on_hand as string),
    layers: BigInt(row.layers),
    known: microOfDecimal(row.known as string),
    value: moneyOf(row.value as string),
  };
}

/** Reads the standard cost of the item as it was last set. */
export function standardOf(
  row: { standard_id: string | null; standard: string | null } | undefined,
): Standard | null {
  if (row === undefined || row.standard_id === null) return null;
  return { id: row.standard_id, cost: row.standard === null ? null : moneyOf(row.standard) };
}

function layerOf(row: LayerRow): Layer {
  return {
    originId: row.origin_id,
    layer: BigInt(row.layer),
    entryId: row.entry_id,
    lineId: row.line_id,
    quantity: microOfDecimal(row.quantity),
    cost: row.cost === null ? null : moneyOf(row.cost),
  };
}
