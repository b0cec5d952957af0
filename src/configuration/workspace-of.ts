/** The workspace of a transaction that must have one. */
import type { Tx } from '../db/transaction.ts';

/** Its id; a transaction of the instance as a whole is a bug here. */
export function workspaceOf(tx: Tx): string {
  if (tx.workspaceId === null) throw new Error('This works inside one workspace, not on the instance');
  return tx.workspaceId;
}
