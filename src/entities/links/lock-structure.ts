/**
 * The structure of a workspace has one writer at a time, so that no two can close a cycle together, and a
 * count of the links that were made or removed other than by sync, so that a batch which planned before knows.
 */
import type { Tx } from '../../db/transaction.ts';

/** $1 workspace. Held to the end of the transaction. */
const structureLock = `select pg_advisory_xact_lock(hashtextextended('structure:' || $1, 0))`;

/** $1 workspace. */
const countEdit = `
  insert into structure_edit as s (workspace_id, edits) values ($1, 1)
  on conflict (workspace_id) do update set edits = s.edits + 1`;

/** $1 workspace. */
const selectEdits = `select edits::text from structure_edit where workspace_id = $1`;

/**
 * Lock order: configuration, structure, rows of entities by GUID or id. Whoever holds entity rows already must not
 * come for this lock. Number counters are taken last before new rows are inserted, in the order of their categories;
 * nobody who holds one waits for a row that is there.
 */
export async function lockStructure(tx: Tx): Promise<void> {
  await tx.query(structureLock, [tx.workspaceId]);
}

/**
 * Tells batches under way that a link was made or removed beside them: to change the quantity of one that is gone is to
 * make it. Under the structure lock.
 */
export async function noteStructureEdit(tx: Tx): Promise<void> {
  await tx.query(countEdit, [tx.workspaceId]);
}

/** The count so far. Read under the structure lock, and as a statement after it, it is the present one. */
export async function readStructureEdits(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ edits: string }>(selectEdits, [tx.workspaceId]);
  return row?.edits ?? '0';
}
