/** Reads what members and keys may do at present, for work that is done in their names later. */
import { type Area, areasOfPermission, type Permission } from '../areas.ts';
import type { Tx } from '../db/transaction.ts';
import { selectCallers } from './caller-rights.sql.ts';

export interface CallerRights {
  id: string;
  name: string;
  areas: readonly Area[];
  /** Why nothing can be done for the caller any more; null if it can. */
  ended: 'member_ended' | 'api_key_revoked' | null;
}

interface CallerRow {
  id: string;
  name: string;
  areas: Area[] | null;
  permission: Permission | null;
  ended: CallerRights['ended'];
}

/** Returns each of the callers by its id, with its present rights. */
export async function readCallerRights(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CallerRights>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<CallerRow>(selectCallers, [tx.workspaceId, [...new Set(ids)]]);
  return new Map(
    rows.map(({ id, name, areas, permission, ended }) => [
      id,
      { id, name, areas: areas ?? areasOfPermission[permission ?? 'read'], ended },
    ]),
  );
}
