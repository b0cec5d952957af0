/** Lots as CSV. */
import type { Db } from '../../db/connect.ts';
import { type CsvColumn, pickColumns } from '../../http/csv-line.ts';
import { csvOfPages } from '../entries/csv-of-pages.ts';
import type { LotQuery, StockLot } from './lots.schema.ts';
import { listLots } from './lots.ts';

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
export function exportLots(
  db: Db,
  workspaceId: string,
  { columns: titles, ...wanted }: LotsWanted,
  gone: AbortSignal,
): AsyncGenerator<string> {
  return csvOfPages({ db, workspaceId, gone }, pickColumns(columns, titles), (tx, page) =>
    listLots(tx, { ...wanted, ...page }),
  );
}
