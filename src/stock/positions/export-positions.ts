/** Positions as CSV, page by page: no long transaction, no more in memory than a page. */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { type CsvColumn, csvLine, pickColumns } from '../../http/csv-line.ts';
import { listAllPositions, listPositionsWithin } from './list-positions.ts';
import type { AllPositionsQuery, ListedStockPosition } from './positions.schema.ts';

const PAGE_ROWS = 1000;

const columns: readonly CsvColumn<ListedStockPosition>[] = [
  ['itemEntityId', (position) => position.itemEntityId],
  ['itemNumber', (position) => position.itemNumber],
  ['itemName', (position) => position.itemName],
  ['locationEntityId', (position) => position.locationEntityId],
  ['locationNumber', (position) => position.locationNumber],
  ['locationName', (position) => position.locationName],
  ['onHand', (position) => position.onHand],
  ['reserved', (position) => position.reserved],
  ['onOrder', (position) => position.onOrder],
  ['available', (position) => position.available],
  ['updatedAt', (position) => position.updatedAt],
  ['locationPath', (position) => position.locationPath.join(' > ')],
  ['lastCountedAt', (position) => position.lastCountedAt],
  ['blocked', (position) => position.blocked],
  ['inLots', (position) => position.inLots],
  ['unit', (position) => position.unit],
  ['itemRevision', (position) => position.itemRevision],
];

export const positionTitles = columns.map(([title]) => title);

/** Which positions, and which of the columns; all where none are named. */
export type PositionsWanted = Pick<AllPositionsQuery, 'q' | 'short'> & {
  countedBefore?: number | undefined;
  locationId?: string | undefined;
  below?: 'true' | 'false' | undefined;
  columns?: readonly string[] | undefined;
};

/** Yields lines of text in the order of items and locations, or of locations and items if one location is named, until the reader disconnects. */
export async function* exportPositions(
  db: Db,
  workspaceId: string,
  { columns: titles, locationId, below = 'false', ...wanted }: PositionsWanted,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const slices = new Slices(gone);
  const shown = pickColumns(columns, titles);
  yield csvLine(shown.map(([title]) => title));
  for (let after: string | undefined; ; ) {
    const cursor: string | undefined = after;
    const { items, nextCursor }: Awaited<ReturnType<typeof listAllPositions>> = await inTransaction(
      db,
      { workspaceId },
      (tx) =>
        locationId === undefined
          ? listAllPositions(tx, { ...wanted, limit: PAGE_ROWS, cursor })
          : listPositionsWithin(tx, { ...wanted, locationId, below, limit: PAGE_ROWS, cursor }),
      // A page and the place where it ends fit together.
      { readOnly: true, snapshot: true, gone },
    );
    let text = '';
    for (const position of items) {
      if (slices.areDue) await slices.next();
      text += csvLine(shown.map(([, cell]) => cell(position)));
    }
    if (text !== '') yield text;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
