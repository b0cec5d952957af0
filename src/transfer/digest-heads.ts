/** The digest of a ledger as the transaction sees it, of the form that is kept elsewhere. */
import { DigestText } from '../stock/digest/digest-text.ts';
import { type HeadRow, LOWEST_ID } from '../stock/entries/ledger-entry.ts';
import type { Asked } from './read-rows.ts';
import { selectHeads } from './transfer.sql.ts';
import type { FileEnd } from './transfer-format.ts';

const PAGE_ROWS = 2000;

export async function digestHeads(tx: Asked, workspaceId: string, at: string): Promise<FileEnd['ledger']> {
  const text = new DigestText(workspaceId, at);
  let last = { itemId: LOWEST_ID, locationId: LOWEST_ID };
  for (;;) {
    const params = [workspaceId, last.itemId, last.locationId, PAGE_ROWS];
    const rows = await tx.query<HeadRow>(selectHeads, params);
    for (const row of rows) text.add(row);
    if (rows.length < PAGE_ROWS) return text.end();
    last = rows.at(-1) as HeadRow;
  }
}
