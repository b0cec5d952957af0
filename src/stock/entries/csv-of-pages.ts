/** Yields a list as CSV, page by page: no long transaction, no more in memory than a page. */
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { type CsvColumn, csvLine } from '../../http/csv-line.ts';

const PAGE_ROWS = 1000;

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

/** Yields lines of text in the order of the list, until the reader has gone. */
export async function* csvOfPages<Item>(
  { db, workspaceId, gone }: { db: Db; workspaceId: string; gone: AbortSignal },
  columns: readonly CsvColumn<Item>[],
  read: (tx: Tx, page: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  const slices = new Slices(gone);
  yield csvLine(columns.map(([title]) => title));
  for (let after: string | undefined; ; ) {
    const cursor: string | undefined = after;
    const { items, nextCursor }: Page<Item> = await inTransaction(
      db,
      { workspaceId },
      (tx) => read(tx, { limit: PAGE_ROWS, cursor }),
      // A page and the place where it ends fit together.
      { readOnly: true, snapshot: true, gone },
    );
    let text = '';
    for (const item of items) {
      if (slices.areDue) await slices.next();
      text += csvLine(columns.map(([, cell]) => cell(item)));
    }
    if (text !== '') yield text;
    if (nextCursor === null) return;
    after = nextCursor;
  }
}
