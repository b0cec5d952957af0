/**
 * A search passes over each line of a block whose entity has another text since: where a million were renamed, the word that their old
 * names had in common would be a look at a million of them. Where many were, the blocks are rid of such lines.
 */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { dropStaleLines, forgetNewer, selectNewer, selectRenaming } from './drop-stale-lines.sql.ts';

/**
 * Number of outdated lines that a search passes in some milliseconds. To find their blocks, all of the workspace's
 * are read.
 */
const NEWER_MIN = 1000;
/** Whose marks one pass takes away; those of others, the next. */
const NEWER_MAX = 100_000;
const ROWS_AT_ONCE = 500;
/** Advisory lock that lets one process at a time do it. */
const STALE_LINES_LOCK = 7_278_623_003;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Drops outdated lines of all workspaces, in portions. Marks go last: if it ends early, the next run begins anew.
 * Returns the number of entities whose marks were removed.
 */
export async function dropAllStaleLines(db: Db, signal?: AbortSignal): Promise<number> {
  const renaming = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ workspace_id: string }>(selectRenaming, [NEWER_MIN]),
  );
  let total = 0;
  for (const { workspace_id: workspaceId } of renaming) {
    if (signal?.aborted === true) return total;
    total += await dropOfWorkspace(db, workspaceId, signal);
  }
  return total;
}

async function dropOfWorkspace(db: Db, workspaceId: string, signal?: AbortSignal): Promise<number> {
  const newer = await inTransaction(db, { workspaceId }, (tx) =>
    tx.query<{ id: string }>(selectNewer, [workspaceId, NEWER_MAX]),
  );
  for (let behind: string | null = LOWEST_ID; behind !== null; ) {
    if (signal?.aborted === true) return 0;
    const next = await dropOfPiece(db, workspaceId, behind);
    if (next === 'held elsewhere') return 0;
    behind = next;
  }
  const ids = newer.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE);
    await inTransaction(db, { workspaceId }, (tx) => tx.query(forgetNewer, [workspaceId, some]));
  }
  return ids.length;
}

/** Returns where the next piece continues, or null. */
async function dropOfPiece(
  db: Db,
  workspaceId: string,
  behind: string,
): Promise<string | null | 'held elsewhere'> {
  return inTransaction(db, { workspaceId }, async (tx) => {
    const [lock] = await tx.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
      STALE_LINES_LOCK,
    ]);
    if (lock?.held !== true) return 'held elsewhere';
    const [piece] = await tx.query<{ last: string | null }>(dropStaleLines, [
      workspaceId,
      behind,
      ROWS_AT_ONCE,
    ]);
    return piece?.last ?? null;
  });
}
