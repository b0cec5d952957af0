/**
 * Deletes what is left behind of a workspace that is gone: every row of it, portion by portion, ledger and history among them.
 * Its name stays, so that whoever asks here is told where it is, and nobody else gets it. What is deleted already is not
 * there any more: it can be broken off and done again.
 */
import type { OwnerConnection } from '../db/wire/database-hosts.ts';
import { deleteName, deletePortion, selectAllTenantTables, selectState } from './forget.sql.ts';
import { TransferError } from './transfer-format.ts';

/** Rows of payloads have a megabyte each. */
const ROWS_MAX = 500;

export interface Forgotten {
  workspaceId: string;
  slug: string;
  rows: number;
}

/**
 * The owner of the schema calls this, because the service's own login may not. `withName` deletes the name too, so that it can
 * come back. Throws `TransferError` if the workspace is not gone.
 */
export async function forgetWorkspace(
  owner: OwnerConnection,
  slug: string,
  { withName = false } = {},
): Promise<Forgotten> {
  const { rows: found } = await owner.query<{ id: string; state: string }>(selectState, [slug]);
  const [workspace] = found;
  if (workspace === undefined) throw new TransferError(`There is no workspace ${slug}.`);
  if (workspace.state !== 'gone')
    throw new TransferError(
      `The workspace ${slug} is ${workspace.state}: only one that is gone is forgotten.`,
    );
  const { rows: tables } = await owner.query<{ name: string }>(selectAllTenantTables);
  let rows = 0;
  // Its rows are found by index: of tables that everybody shares it may be a small part, or all.
  await owner.query('set enable_seqscan = off');
  for (const { name } of tables) {
    for (;;) {
      const { rowCount } = await owner.query(deletePortion(name), [workspace.id, ROWS_MAX]);
      rows += rowCount ?? 0;
      if ((rowCount ?? 0) < ROWS_MAX) break;
    }
  }
  if (withName) await owner.query(deleteName, [workspace.id]);
  return { workspaceId: workspace.id, slug, rows };
}
