/**
 * Takes a workspace out of use, and back, by the owner of the schema: held, it is left alone by everything until it is
 * resumed, or leaves for the installation that has taken it over.
 */

import { sqlState } from '../db/transaction.ts';
import type { OwnerConnection } from '../db/wire/database-hosts.ts';
import { lockExclusively, setState } from './move.sql.ts';
import { TransferError } from './transfer-format.ts';

export interface Rested {
  workspaceId: string;
  slug: string;
  state: 'active' | 'moving' | 'gone';
}

/** A transaction that runs already may be a long one of a batch. */
const HOLD_MS_MAX = 300_000;

/** Resolves when the last transaction in it has ended; from then on nothing of it changes. */
export async function holdWorkspace(owner: OwnerConnection, slug: string): Promise<Rested> {
  const held = await change(owner, slug, 'moving');
  await owner.query('begin');
  try {
    await owner.query(`set local lock_timeout = ${HOLD_MS_MAX}`);
    await owner.query(lockExclusively, [held.workspaceId]);
  } finally {
    await owner.query('rollback');
  }
  return held;
}

export function resumeWorkspace(owner: OwnerConnection, slug: string): Promise<Rested> {
  return change(owner, slug, 'active');
}

/** For good. `movedTo`: the address that callers are told. */
export function leaveWorkspace(owner: OwnerConnection, slug: string, movedTo: string): Promise<Rested> {
  return change(owner, slug, 'gone', movedTo);
}

async function change(
  owner: OwnerConnection,
  slug: string,
  state: Rested['state'],
  movedTo: string | null = null,
): Promise<Rested> {
  try {
    const { rows } = await owner.query<{ id: string }>(setState, [slug, state, movedTo]);
    const [row] = rows;
    if (row === undefined) throw new TransferError(`There is no workspace ${slug}.`);
    return { workspaceId: row.id, slug, state };
  } catch (error) {
    // The trigger on the table says which change is none.
    if (sqlState(error) !== '55000') throw error;
    throw new TransferError(`${slug}: ${(error as Error).message}.`, { cause: error });
  }
}
