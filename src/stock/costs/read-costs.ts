/** Reads the layers that movements of locked positions take. */
import type { CostMethod } from '../../configuration/stock-settings/stock-settings.ts';
import type { Tx } from '../../db/transaction.ts';
import { moneyOf } from '../../money/money.ts';
import { type Micro, microOfDecimal } from '../../quantity.ts';
import { LOWEST_ID } from '../entries/ledger-entry.ts';
import type { CostedEntry } from './cost-sources.ts';
import { selectLastSteps, selectOpenLayers, selectPreferredLayers } from './costs.sql.ts';
import { placeKey } from './place-key.ts';
import { type CostState, type Layer, nothingCosted, PositionCosts } from './position-costs.ts';

/** Layers of a position that are read at once; most movements take one or two. */
const FIRST_LAYERS = 16;
const MORE_LAYERS = 2000;

interface PlaceRow {
  item_id: string;
  location_id: string;
}

interface StepRow extends PlaceRow {
  layers: string;
  on_hand: string;
  known: string;
  value: string;
}

interface LayerRow extends PlaceRow {
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
  /** How much is taken. */
  need: Micro;
  layers: Layer[];
}

type Leaving = Pick<CostedEntry, 'itemId' | 'locationId' | 'onHandDelta' | 'reversesId' | 'lineId'>;

/** Returns the costs of the entries' positions, with as many layers as the entries take. */
export async function readCosts(
  tx: Tx,
  method: CostMethod,
  entries: readonly Leaving[],
): Promise<Map<string, PositionCosts>> {
  const wanted = new Map<string, Wanted>();
  for (const entry of entries) {
    const key = placeKey(entry);
    const one = wanted.get(key) ?? { ...entry, need: 0n, layers: [] };
    if (entry.onHandDelta < 0n) one.need -= entry.onHandDelta;
    wanted.set(key, one);
  }
  const places = [...wanted.values()];
  const leaving = entries.filter(
    ({ onHandDelta, reversesId, lineId }) => onHandDelta < 0n && (reversesId !== null || lineId !== null),
  );
  const [steps, preferred] = await Promise.all([
    tx.query<StepRow>(selectLastSteps, [tx.workspaceId, ...placesOf(places)]),
    leaving.length === 0
      ? []
      : tx.query<LayerRow>(selectPreferredLayers, [
          tx.workspaceId,
          ...placesOf(leaving),
          leaving.map(({ reversesId }) => reversesId),
          leaving.map(({ lineId, reversesId }) => (reversesId === null ? lineId : null)),
          method === 'average',
        ]),
    readNeeded(tx, method, places),
  ]);
  const states = new Map(steps.map((row) => [keyOf(row), stateOf(row)]));
  const first = Map.groupBy(preferred, keyOf);
  return new Map(
    [...wanted].map(([key, { layers }]) => {
      const known = new Map(
        [...layers, ...(first.get(key) ?? []).map(layerOf)].map((one) => [orderOf(one), one]),
      );
      const stored = [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, layer]) => layer);
      return [key, new PositionCosts(method, states.get(key) ?? nothingCosted, stored)];
    }),
  );
}

/** Reads layers of each position until they suffice. */
async function readNeeded(tx: Tx, method: CostMethod, places: readonly Wanted[]): Promise<void> {
  let left = places.filter(({ need }) => need > 0n);
  for (let limit = FIRST_LAYERS; left.length > 0; limit = MORE_LAYERS) {
    const rows = await tx.query<LayerRow>(selectOpenLayers, [
      tx.workspaceId,
      ...placesOf(left),
      left.map(({ layers }) => layers.at(-1)?.originId ?? LOWEST_ID),
      left.map(({ layers }) => layers.at(-1)?.layer.toString() ?? '-1'),
      method === 'average',
      limit,
    ]);
    const read = Map.groupBy(rows, keyOf);
    left = left.filter((one) => {
      const own = (read.get(placeKey(one)) ?? []).map(layerOf);
      one.layers.push(...own);
      const sum = one.layers.reduce((total, { quantity }) => total + quantity, 0n);
      return sum < one.need && own.length === limit;
    });
  }
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

export function stateOf(row: Omit<StepRow, keyof PlaceRow>): CostState {
  return {
    onHand: microOfDecimal(row.on_hand),
    layers: BigInt(row.layers),
    known: microOfDecimal(row.known),
    value: moneyOf(row.value),
  };
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
