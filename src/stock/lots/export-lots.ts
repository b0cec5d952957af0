/** Lots as CSV, page by page: no long transaction, no more in memory than a page. */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { type CsvColumn, csvLine, pickColumns } from '../../http/csv-line.ts';
import type { LotQuery, StockLot } from './lots.schema.ts';
import { listLots } from './lots.ts';

const PAGE_ROWS = 1000;

const columns: readonly CsvColumn<StockLot>[] = [
  ['id', (lot) => lot.id],
  ['itemEntityId', (lot) => lot.itemEntityId],
  ['itemNumber', (lot) => lot.itemNumber],
  ['itemName', (lot) => lot.itemName],
  ['number', (lot) => lot.number],
  ['kind', (lot) => lot.kind],
  ['expiresOn', (lot) => lot.expiresOn],
  ['supplierLot', (lot) => lot.supplierLot],
  ['status', (lot) => lot.status],
  ['onHand', (lot) => lot.onHand],
  ['createdAt', (lot) => lot.createdAt],
  ['properties', (lot) => (Object.keys(lot.properties).length === 0 ? null : JSON.stringify(lot.properties))],
];

export const lotTitles = columns.map(([title]) => title);

/** Which lots, and which of the columns; all where none are named. */
export type LotsWanted = Omit<LotQuery, 'limit' | 'cursor'> & { columns?: readonly string[] | undefined };

/** Yields lines of text in the order of the list, until the reader has gone. */
export async function* exportLots(
  db: Db,
  workspaceId: string,
  { columns: titles, ...wanted }: LotsWanted,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const slices = new Slices(gone);
  const shown = pickColumns(columns, titles);
  yield csvLine(shown.map(([title]) => title));
  for (let after: string | undefined; ; ) {
    const cursor: string | undefined = after;
    const { items, nextCursor }: Awaited<ReturnType<typeof listLots>> = await inTransaction(
      db,
      { workspaceId },
      (tx) => listLots(tx, { ...wanted, limit: PAGE_ROWS, cursor }),
      // A page and the place where it ends fit together.
      { readOnly: true, snapshot: true, gone },
    );
    let text = '';
    for (const lot of items) {
      if (slices.areDue) await slices.next();
      text += csvLine(shown.map(([, cell]) => cell(lot)));
    }
    if (text !== '') yield text;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
