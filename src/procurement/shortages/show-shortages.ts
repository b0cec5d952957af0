/** Shows shortages in the form of the API, as JSON or CSV, a portion at a time, so that memory and turns of the event loop stay bounded. */
import type { Tx } from '../../db/transaction.ts';
import { revisionLabel } from '../../entities/revision-label.ts';
import type { Slices } from '../../fairness/slices.ts';
import { type CsvColumn, csvLine } from '../../http/csv-line.ts';
import { numberOf, numberOfExact, times } from '../../quantity.ts';
import { selectSuppliersOfItems } from '../records/suppliers/suppliers.sql.ts';
import type { ItemNeed, ItemUse } from './find-shortages.ts';
import type { ProjectShortages, Shortage } from './shortages.schema.ts';
import { selectNames } from './structure.sql.ts';

export interface Named {
  id: string;
  number: string | null;
  name: string;
  picture: string | null;
  revision: number;
  /** Base unit of an item. */
  unit: string | null;
}

/** Items and places of use, together, that are shown at once. */
const PORTION = 1000;

/** An item, or one of the places where it is used, which follow it. */
type Entry = { need: ItemNeed; use: null } | { need: null; use: ItemUse };

/** Runs a transaction: none is open between two portions. */
type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Names of items and of their parents by id, and the suppliers of items. */
interface Labels {
  names: ReadonlyMap<string, Named>;
  suppliers: ReadonlyMap<string, string>;
}

function readLabels(read: Read, ids: ReadonlySet<string>, items: readonly string[]): Promise<Labels> {
  return read(async (tx) => {
    const [names, suppliers] = await Promise.all([
      tx.query<Named>(selectNames, [tx.workspaceId, [...ids]]),
      tx.query<{ id: string; name: string }>(selectSuppliersOfItems, [tx.workspaceId, items]),
    ]);
    return {
      names: new Map(names.map((row) => [row.id, row])),
      suppliers: new Map(suppliers.map(({ id, name }) => [id, name])),
    };
  });
}

export interface ShownShortages extends Omit<ProjectShortages, 'items'> {
  needs: readonly ItemNeed[];
}

/** Yields the JSON of the answer in pieces. */
export async function* showShortages(
  read: Read,
  { needs, ...head }: ShownShortages,
  slices: Slices,
): AsyncGenerator<string> {
  let text = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let isFirstItem = true;
  let isFirstUse = true;
  for (const portion of portionsOf(needs)) {
    const ids = new Set(portion.map(({ need, use }) => (use === null ? need.id : use.parentId)));
    const items = portion.flatMap(({ need }) => (need === null ? [] : [need.id]));
    const labels = await readLabels(read, ids, items);
    for (const { need, use } of portion) {
      if (slices.areDue) await slices.next();
      if (use === null) {
        text += `${isFirstItem ? '' : ']},'}${JSON.stringify(showItem(need, labels)).slice(0, -1)},"usedIn":[`;
        isFirstItem = false;
      } else text += `${isFirstUse ? '' : ','}${JSON.stringify(showUse(use, labels))}`;
      isFirstUse = use === null;
    }
    yield text;
    text = '';
  }
  yield `${text}${isFirstItem ? '' : ']}'}]}`;
}

const columns: readonly CsvColumn<Omit<Shortage, 'usedIn'>>[] = [
  ['itemEntityId', (item) => item.itemEntityId],
  ['itemNumber', (item) => item.itemNumber],
  ['itemName', (item) => item.itemName],
  ['isAssembly', (item) => item.isAssembly],
  ['supplier', (item) => item.supplier],
  ['requiredQty', (item) => item.requiredQty],
  ['neededQty', (item) => item.neededQty],
  ['reservedQty', (item) => item.reservedQty],
  ['availableQty', (item) => item.availableQty],
  ['onOrderQty', (item) => item.onOrderQty],
  ['shortageQty', (item) => item.shortageQty],
  ['openRequirementQty', (item) => item.openRequirementQty],
  ['unit', (item) => item.unit],
  ['itemRevision', (item) => item.itemRevision],
];

/** Yields the items as lines of CSV, without their uses. */
export async function* exportShortages(
  read: Read,
  needs: readonly ItemNeed[],
  slices: Slices,
): AsyncGenerator<string> {
  yield csvLine(columns.map(([title]) => title));
  for (let from = 0; from < needs.length; from += PORTION) {
    const some = needs.slice(from, from + PORTION);
    const ids = some.map(({ id }) => id);
    const labels = await readLabels(read, new Set(ids), ids);
    let text = '';
    for (const need of some) {
      if (slices.areDue) await slices.next();
      const item = showItem(need, labels);
      text += csvLine(columns.map(([, cell]) => cell(item)));
    }
    yield text;
  }
}

function* portionsOf(needs: readonly ItemNeed[]): Generator<Entry[]> {
  let portion: Entry[] = [];
  for (const entry of entriesOf(needs)) {
    portion.push(entry);
    if (portion.length < PORTION) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

function* entriesOf(needs: readonly ItemNeed[]): Generator<Entry> {
  for (const need of needs) {
    yield { need, use: null };
    for (const use of need.usedIn) yield { need: null, use };
  }
}

function showItem(need: ItemNeed, { names, suppliers }: Labels): Omit<Shortage, 'usedIn'> {
  return {
    itemEntityId: need.id,
    itemNumber: names.get(need.id)?.number ?? null,
    itemName: names.get(need.id)?.name ?? '',
    itemPicture: names.get(need.id)?.picture ?? null,
    itemRevision: revisionLabel(names.get(need.id)?.revision ?? 1),
    unit: names.get(need.id)?.unit ?? null,
    isAssembly: need.isAssembly,
    requiredQty: numberOfExact(need.gross),
    neededQty: numberOfExact(need.needed),
    reservedQty: numberOf(need.reserved),
    availableQty: numberOf(need.available),
    onOrderQty: numberOf(need.onOrder),
    shortageQty: numberOfExact(need.short),
    openRequirementQty: numberOf(need.openRequired),
    supplier: suppliers.get(need.id) ?? null,
  };
}

function showUse(
  { parentId, quantity, parentGross }: ItemUse,
  { names }: Labels,
): Shortage['usedIn'][number] {
  return {
    entityId: parentId,
    number: names.get(parentId)?.number ?? null,
    name: names.get(parentId)?.name ?? '',
    quantity: numberOfExact(quantity),
    requiredQty: numberOfExact(times(parentGross, quantity)),
  };
}
