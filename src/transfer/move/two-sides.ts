/**
 * The two installations between which a workspace moves, each by the owner of its schema. What has been done of a move stands in
 * their databases and nowhere else, so that whoever was killed can be followed by anybody.
 */
import { DatabaseHosts, type OwnerConnection, onWritableHost } from '../../db/wire/database-hosts.ts';
import type { Asked } from '../read-rows.ts';
import { leftBehind, selectSchema, selectTenantTables, type TenantTable } from '../transfer.sql.ts';
import { TransferError } from '../transfer-format.ts';
import { lockMove, selectSlot, selectSubscription, selectWorkspaceBy } from './move.sql.ts';

export interface MoveUrls {
  /** Connections as the owners of the schemas. */
  from: string;
  to: string;
  /** The address by which the other side's PostgreSQL reaches the first, if it differs. */
  seenFrom?: string;
}

export interface Side extends Asked {
  readonly connection: OwnerConnection;
  readonly url: string;
}

export interface MovedWorkspace {
  id: string;
  slug: string;
  name: string;
  createdAt: string;
  state: 'active' | 'moving' | 'gone';
}

export interface Sides {
  from: Side;
  to: Side;
  /** The first, as the other side's PostgreSQL reaches it. */
  seenFrom: string;
  workspace: MovedWorkspace;
  tables: readonly TenantTable[];
  /** The name of the publication, the slot and the subscription. */
  name: string;
}

/** Does the work with both, alone: a second one that moves the same workspace is refused. */
export function betweenSides<T>(
  urls: MoveUrls,
  slug: string,
  work: (sides: Sides) => Promise<T>,
): Promise<T> {
  const settings = { application_name: 'partbook move' };
  return onWritableHost(new DatabaseHosts(urls.from), settings, (fromConnection, fromUrl) =>
    onWritableHost(new DatabaseHosts(urls.to), settings, async (toConnection, toUrl) => {
      const from = sideOf(fromConnection, fromUrl);
      const to = sideOf(toConnection, toUrl);
      const [workspace] = await from.query<MovedWorkspace>(selectWorkspaceBy('slug'), [slug]);
      if (workspace === undefined) throw new TransferError(`There is no workspace ${slug}.`);
      const [lock] = await from.query<{ held: boolean }>(lockMove, [workspace.id]);
      if (lock?.held !== true) throw new TransferError('Somebody else is moving this workspace.');
      const [schema, other] = await Promise.all(
        [from, to].map(async (side) => (await side.query<{ name: string }>(selectSchema))[0]?.name),
      );
      if (schema !== other)
        throw new TransferError(
          `One side has the schema ${schema}, the other ${other}: bring both to one release.`,
        );
      const tables = await from.query<TenantTable>(selectTenantTables, [Object.keys(leftBehind)]);
      const name = `partbook_move_${workspace.id.replaceAll('-', '')}`;
      return work({ from, to, seenFrom: urls.seenFrom ?? fromUrl, workspace, tables, name });
    }),
  );
}

function sideOf(connection: OwnerConnection, url: string): Side {
  return {
    connection,
    url,
    query: async <Row>(sql: string, params: readonly unknown[] = []) =>
      (await connection.query(sql, [...params])).rows as Row[],
  };
}

/** The work as one transaction of a side. */
export async function together<T>(side: Side, work: () => Promise<T>): Promise<T> {
  await side.query('begin');
  try {
    const value = await work();
    await side.query('commit');
    return value;
  } catch (error) {
    await side.query('rollback').catch(() => {});
    throw error;
  }
}

export async function stateThere({ to, workspace }: Sides): Promise<MovedWorkspace['state'] | null> {
  const [found] = await to.query<MovedWorkspace>(selectWorkspaceBy('id'), [workspace.id]);
  return found?.state ?? null;
}

export async function hasSlot({ from, name }: Sides): Promise<boolean> {
  return (await from.query(selectSlot, [name])).length > 0;
}

export async function hasSubscription({ to, name }: Sides): Promise<boolean> {
  return (await to.query(selectSubscription, [name])).length > 0;
}
