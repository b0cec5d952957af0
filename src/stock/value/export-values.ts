/** The value of stock as CSV. */
import type { Db } from '../../db/connect.ts';
import type { CsvColumn } from '../../http/csv-line.ts';
import { csvOfPages } from '../entries/csv-of-pages.ts';
import { listValues, type Valued } from './list-value.ts';
import type { StockValue } from './value.schema.ts';

const titles = [
  'itemEntityId',
  'itemNumber',
  'itemName',
  'unit',
  'onHand',
  'unknownQuantity',
  'value',
  'unitValue',
  'standardCost',
  'currency',
] as const satisfies readonly (keyof StockValue)[];

const columns = titles.map((title): CsvColumn<StockValue> => [title, (one) => one[title]]);

/** Yields lines of text in the order of the list, until the reader has gone. All are of one moment: without `at`, that at which the call began. */
export function exportValues(
  db: Db,
  workspaceId: string,
  { at = Date.now(), ...valued }: Valued,
  gone: AbortSignal,
): AsyncGenerator<string> {
  return csvOfPages({ db, workspaceId, gone }, columns, (tx, page) =>
    listValues(tx, { at, ...valued }, page),
  );
}
