/** Goods in transit as CSV. */
import type { Db } from '../../db/connect.ts';
import type { CsvColumn } from '../../http/csv-line.ts';
import { csvOfPages } from '../entries/csv-of-pages.ts';
import type { StockTransit, TransitQuery } from './transit.schema.ts';
import { listTransits } from './transits.ts';

const titles = [
  'id',
  'itemEntityId',
  'itemNumber',
  'itemName',
  'fromLocationEntityId',
  'fromLocationNumber',
  'fromLocationName',
  'toLocationEntityId',
  'toLocationNumber',
  'toLocationName',
  'lot',
  'sentQty',
  'receivedQty',
  'inTransitQty',
  'differenceQty',
  'sentAt',
  'closedAt',
  'note',
] as const satisfies readonly (keyof StockTransit)[];

const columns = titles.map((title): CsvColumn<StockTransit> => [title, (transit) => transit[title]]);

/** Yields lines of text in the order of the list, until the reader has gone. */
export function exportTransits(
  db: Db,
  workspaceId: string,
  wanted: Pick<TransitQuery, 'open' | 'itemEntityId'>,
  gone: AbortSignal,
): AsyncGenerator<string> {
  return csvOfPages({ db, workspaceId, gone }, columns, (tx, page) =>
    listTransits(tx, { ...wanted, ...page }),
  );
}
