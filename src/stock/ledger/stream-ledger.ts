/** The whole ledger of an item or a location as CSV, page by page: no long transaction, no more in memory than a page. */

import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type CsvColumn, csvLine, pickColumns } from '../../http/csv-line.ts';
import { type LedgerLine, type LedgerWanted, readLedger } from './list-ledger.ts';

const PAGE_ROWS = 1000;

const columns: readonly CsvColumn<LedgerLine>[] = [
  ['id', (entry) => entry.id],
  ['sequence', (entry) => entry.sequence],
  ['recordedAt', (entry) => entry.recordedAt],
  ['movementType', (entry) => entry.movementType],
  ['itemEntityId', (entry) => entry.itemEntityId],
  ['itemNumber', (entry) => entry.itemNumber],
  ['locationEntityId', (entry) => entry.locationEntityId],
  ['locationNumber', (entry) => entry.locationNumber],
  ['quantity', (entry) => entry.quantity],
  ['onHandAfter', (entry) => entry.onHandAfter],
  ['reservedAfter', (entry) => entry.reservedAfter],
  ['onOrderAfter', (entry) => entry.onOrderAfter],
  ['note', (entry) => entry.note],
  ['lineId', (entry) => entry.lineId],
  ['orderId', (entry) => entry.orderId],
  ['requirementId', (entry) => entry.requirementId],
  ['actorType', (entry) => entry.actor.type],
  ['actorId', (entry) => entry.actor.id],
  ['actorName', (entry) => entry.actor.name],
  ['hash', (entry) => entry.hash],
  ['bookingId', (entry) => entry.bookingId],
  ['reversesId', (entry) => entry.reversesId],
  ['effectiveOn', (entry) => entry.effectiveOn],
  ['reason', (entry) => entry.reason],
  ['consume', (entry) => entry.consume],
  ['itemRevision', (entry) => entry.itemRevision],
  ['lot', (entry) => entry.lot],
  ['enteredQuantity', (entry) => entry.enteredQuantity],
  ['enteredUnit', (entry) => entry.enteredUnit],
  ['unit', (entry) => entry.unit],
  ['coveredQuantity', (entry) => entry.coveredQuantity],
];

export const ledgerTitles = columns.map(([title]) => title);

/** Lines of text, a page at a time, of what is behind that id, until its reader has gone; of the columns of those titles, or of all. */
export async function* streamLedger(
  db: Db,
  workspaceId: string,
  wanted: LedgerWanted,
  { behindId, columns: titles }: { behindId: string | null; columns?: readonly string[] | undefined },
  gone: AbortSignal,
): AsyncGenerator<string> {
  const shown = pickColumns(columns, titles);
  yield csvLine(shown.map(([title]) => title));
  for (let after = behindId; ; ) {
    const behind: string | null = after;
    const { rows: entries, lastId }: Awaited<ReturnType<typeof readLedger>> = await inTransaction(
      db,
      { workspaceId },
      (tx) => readLedger(tx, wanted, behind, PAGE_ROWS),
      { readOnly: true, gone },
    );
    if (entries.length > 0)
      yield entries.map((entry) => csvLine(shown.map(([, cell]) => cell(entry)))).join('');
    if (lastId === null) return;
    after = lastId;
  }
}
