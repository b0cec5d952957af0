/** Shortages in the form of the API, a portion at a time: memory and turns of the event loop do not grow with them. */
import type { Tx } from '../../db/transaction.ts';
import type { Slices } from '../../fairness/slices.ts';
import { numberOf, numberOfExact, times } from '../../quantity.ts';
import type { ItemNeed, ItemUse } from './find-shortages.ts';
import type { Shortage } from './shortages.schema.ts';
import { selectNames } from './structure.sql.ts';

export interface Named {
  id: string;
  number: string | null;
  name: string;
}

/** Items and places of use, together, that are shown at once. */
const PORTION = 1000;

/** An item, or one of the places where it is used, which follow it. */
type Entry = { need: ItemNeed; use: null } | { need: null; use: ItemUse };

/** The text of the answer, in pieces. `read` runs a transaction: none is open between two portions. */
export async function* showShortages(
  read: (work: (tx: Tx) => Promise<Named[]>) => Promise<Named[]>,
  { projectId, needs, itemCount }: { projectId: string; needs: readonly ItemNeed[]; itemCount: number },
  slices: Slices,
): AsyncGenerator<string> {
  let text = `${JSON.stringify({ projectId, itemCount }).slice(0, -1)},"items":[`;
  let isFirstItem = true;
  let isFirstUse = true;
  for (const portion of portionsOf(needs)) {
    const ids = new Set(portion.map(({ need, use }) => (use === null ? need.id : use.parentId)));
    const rows = await read((tx) => tx.query<Named>(selectNames, [tx.workspaceId, [...ids]]));
    const names = new Map(rows.map((row) => [row.id, row]));
    for (const { need, use } of portion) {
      if (slices.areDue) await slices.next();
      if (use === null) {
        text += `${isFirstItem ? '' : ']},'}${JSON.stringify(showItem(need, names)).slice(0, -1)},"usedIn":[`;
        isFirstItem = false;
      } else text += `${isFirstUse ? '' : ','}${JSON.stringify(showUse(use, names))}`;
      isFirstUse = use === null;
    }
    yield text;
    text = '';
  }
  yield `${text}${isFirstItem ? '' : ']}'}]}`;
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

function showItem(need: ItemNeed, names: ReadonlyMap<string, Named>): Omit<Shortage, 'usedIn'> {
  return {
    itemEntityId: need.id,
    itemNumber: names.get(need.id)?.number ?? null,
    itemName: names.get(need.id)?.name ?? '',
    isAssembly: need.isAssembly,
    requiredQty: numberOfExact(need.gross),
    neededQty: numberOfExact(need.needed),
    reservedQty: numberOf(need.reserved),
    availableQty: numberOf(need.available),
    onOrderQty: numberOf(need.onOrder),
    shortageQty: numberOfExact(need.short),
    openRequirementQty: numberOf(need.openRequired),
  };
}

function showUse(
  { parentId, quantity, parentGross }: ItemUse,
  names: ReadonlyMap<string, Named>,
): Shortage['usedIn'][number] {
  return {
    entityId: parentId,
    number: names.get(parentId)?.number ?? null,
    name: names.get(parentId)?.name ?? '',
    quantity: numberOfExact(quantity),
    requiredQty: numberOfExact(times(parentGross, quantity)),
  };
}
