/** Values what a transaction records, in a workspace that keeps the cost of its stock. The positions are locked. */
import type { Costing } from '../../configuration/stock-settings/stock-settings.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Slices } from '../../fairness/slices.ts';
import { decimalOf } from '../../quantity.ts';
import type { LedgerEntry } from '../entries/ledger-entry.ts';
import type { UnitCost } from '../entries/movement.ts';
import { CostEntries } from './cost-entries.ts';
import {
  insertLayers,
  insertSteps,
  insertUses,
  removeOpenLayers,
  removePooledLayers,
  saveOpenLayers,
} from './costs.sql.ts';
import { placeOfKey } from './place-key.ts';
import type { Layer, PositionCosts } from './position-costs.ts';
import { readCosts } from './read-costs.ts';
import { readSources } from './read-sources.ts';

/** Rows that one statement writes. */
const AT_ONCE = 1000;

/**
 * Writes layers, uses and steps of the entries, which must not be written yet. `stated` has the costs that movements state, by the entry's
 * id.
 */
export async function recordCosts(
  tx: Tx,
  costing: Costing,
  written: readonly LedgerEntry[],
  stated: ReadonlyMap<string, UnitCost>,
  slices: Slices,
): Promise<void> {
  const entries = written.filter(({ onHandDelta }) => onHandDelta !== 0n);
  if (entries.length === 0) return;
  const [costs, sources] = await Promise.all([
    readCosts(tx, costing.method, entries),
    readSources(tx, costing, entries, stated),
  ]);
  const valued = new CostEntries(entries, costs, sources);
  for (const at of entries.keys()) {
    if (slices.areDue) await slices.next();
    valued.value(at);
  }
  const placeOf = (entry: { itemId: string; locationId: string }) => [entry.itemId, entry.locationId];
  await send(tx, insertLayers, slices, valued.layers, ({ entry, price, standard, ...layer }) => [
    ...placeOf(entry),
    layer.layer.toString(),
    entry.id,
    layer.originId,
    layer.kind,
    layer.kind === 'opening' ? null : entry.lineId,
    decimalOf(layer.quantity),
    layer.cost === null ? null : decimalOf(layer.cost),
    price === null ? null : decimalOf(price.price),
    price?.currency ?? null,
    standard === null ? null : decimalOf(standard.cost),
    standard === null || standard.paid === null ? null : decimalOf(standard.paid),
  ]);
  await send(tx, insertUses, slices, valued.uses, ({ entry, ...use }) => [
    ...placeOf(entry),
    entry.id,
    use.number,
    use.layer.toString(),
    use.originId,
    decimalOf(use.quantity),
    use.cost === null ? null : decimalOf(use.cost),
  ]);
  await send(tx, insertSteps, slices, valued.steps, ({ entry, layers, known, value, standardId }) => [
    ...placeOf(entry),
    entry.id,
    costing.method,
    layers.toString(),
    decimalOf(entry.onHandAfter),
    decimalOf(known),
    decimalOf(value),
    standardId,
  ]);
  await saveOpen(tx, costing, costs, slices);
}

/** Stores what is left of the layers. */
export async function saveOpen(
  tx: Tx,
  { method }: Costing,
  costs: ReadonlyMap<string, PositionCosts>,
  slices: Slices,
): Promise<void> {
  const kept: [string, Layer][] = [];
  const gone: [string, Layer][] = [];
  for (const [key, position] of costs) {
    const changes = position.changes;
    for (const layer of changes.gone) gone.push([key, layer]);
    for (const layer of changes.kept) kept.push([key, layer]);
  }
  await send(tx, removeOpenLayers, slices, gone, ([key, layer]) => [
    ...placeOfKey(key),
    layer.originId,
    layer.layer.toString(),
  ]);
  if (method === 'average')
    await send(tx, removePooledLayers, slices, [...costs], ([key, { state }]) => [
      ...placeOfKey(key),
      state.known > 0n,
    ]);
  await send(tx, saveOpenLayers, slices, kept, ([key, layer]) => [
    ...placeOfKey(key),
    layer.originId,
    layer.layer.toString(),
    layer.entryId,
    layer.lineId,
    decimalOf(layer.quantity),
    layer.cost === null ? null : decimalOf(layer.cost),
  ]);
}

/** Sends rows with the commit, as an array for each column. */
export async function send<Row>(
  tx: Tx,
  sql: string,
  slices: Slices,
  rows: readonly Row[],
  columnsOf: (row: Row) => readonly unknown[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    if (slices.areDue) await slices.next();
    const some = rows.slice(from, from + AT_ONCE).map(columnsOf);
    const columns = (some[0] as readonly unknown[]).map((_, at) => some.map((row) => row[at]));
    tx.withCommit(tx.query(sql, [tx.workspaceId, ...columns]));
  }
}
