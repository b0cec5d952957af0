/** The ledger entries that a call has written for a line, those of feature automations among them. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import type { LedgerEntry } from '../../stock/entries/ledger-entry.ts';
import { showEntry } from '../../stock/entries/show-stock.ts';
import type { StockLedgerEntry } from '../../stock/entries/stock.schema.ts';
import { type EntryRow, entryColumns, entryOfRow } from '../../stock/ledger/ledger.sql.ts';
import type { Line } from '../records/line.ts';
import { lineEntries, selectLastEntry } from '../records/lines.sql.ts';

/** Id of the last so far; to be read under the line's lock. */
export async function lastEntryOf(tx: Tx, lineId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(selectLastEntry, [tx.workspaceId, lineId]);
  return row?.id ?? null;
}

/** The entries of a line behind that one, or all of them, in order. */
export async function entriesSince(tx: Tx, lineId: string, after: string | null): Promise<LedgerEntry[]> {
  const rows = await tx.query<EntryRow>(
    `select ${entryColumns} from stock_ledger l where ${lineEntries} order by l.id`,
    [tx.workspaceId, lineId, after],
  );
  return rows.map(entryOfRow);
}

/** They are of one transaction, and so of one actor. */
export function showEntries(
  entries: readonly LedgerEntry[],
  { itemNumber, locationNumber }: Pick<Line, 'itemNumber' | 'locationNumber'>,
  actor: Actor,
): StockLedgerEntry[] {
  return entries.map((entry) => showEntry(entry, itemNumber, locationNumber, actor));
}
