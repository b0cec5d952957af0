/** Finds a link of the workspace. Throws `csv_link_not_found`. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import type { CsvLink } from './csv-link.schema.ts';
import { type CsvLinkRow, selectCsvLink } from './csv-links.sql.ts';
import { showCsvLink } from './show-csv-link.ts';

export async function findCsvLink(tx: Tx, id: string): Promise<CsvLink> {
  const [row] = await tx.query<CsvLinkRow>(selectCsvLink, [tx.workspaceId, id]);
  if (row === undefined) throw new AppError('csv_link_not_found', 'There is no CSV link with this id.');
  return showCsvLink(row);
}
