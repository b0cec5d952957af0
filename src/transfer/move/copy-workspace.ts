/**
 * The first part of a move: everything as it is at one moment, and a slot that keeps whatever is written from that moment on. The
 * copy is one transaction: killed, there is nothing of it, and it begins anew.
 */
import { DatabaseHosts, onWritableHost } from '../../db/wire/database-hosts.ts';
import { countTable, deletePortion, selectAllTenantTables } from '../forget.sql.ts';
import { lockExclusively } from '../move.sql.ts';
import { readRows } from '../read-rows.ts';
import { insertRows } from '../transfer.sql.ts';
import { TransferError } from '../transfer-format.ts';
import {
  countRows,
  dropSlot,
  insertArriving,
  markCopied,
  selectCopied,
  selectSlugTaken,
} from './move.sql.ts';
import { hasSlot, hasSubscription, type Sides, together } from './two-sides.ts';

const BEGINNINGS_MAX = 5;

/** Copies the rows, unless a copy is there and nothing since is lost. Returns the number of copied rows. */
export async function copyWorkspace(sides: Sides): Promise<number> {
  const { from, to, workspace, name, tables } = sides;
  const taken = await to.query(selectSlugTaken, [workspace.id, workspace.slug]);
  if (taken.length > 0) throw new TransferError(`There, another workspace has the slug ${workspace.slug}.`);
  if (await hasSubscription(sides)) return 0;
  const isCopied = (await to.query(selectCopied, [workspace.id])).length > 0;
  if (isCopied && (await hasSlot(sides))) return 0;
  await beginAnew(sides);
  const url = new URL(from.url);
  url.searchParams.set('replication', 'database');
  const copied = await onWritableHost(new DatabaseHosts(url.href), {}, async (keeper) => {
    // The snapshot is there until this connection says something else.
    const { rows } = await keeper.query<{ snapshot_name: string }>(
      `CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput (SNAPSHOT 'export')`,
    );
    const snapshot = rows[0]?.snapshot_name ?? '';
    return together(to, async () => {
      await from.query('begin isolation level repeatable read read only');
      try {
        await from.query(`set transaction snapshot '${snapshot}'`);
        let copied = 0;
        for (const table of tables) {
          for await (const page of readRows(from, workspace.id, table)) {
            const columns = table.columns.map((_, at) => page.map((row) => row[at] ?? null));
            await to.query(insertRows(table), [workspace.id, ...columns]);
            copied += page.length;
          }
        }
        await to.query(markCopied, [workspace.id]);
        return copied;
      } finally {
        await from.query('rollback');
      }
    });
  });
  await countAnew(sides);
  return copied;
}

/**
 * Tables that were counted when nobody was there are full now, and until PostgreSQL counts them by itself its planner would take every
 * index for as good as any other: a batch of twenty changes ran for minutes.
 */
async function countAnew({ to }: Sides): Promise<void> {
  for (const { name } of await to.query<{ name: string }>(selectAllTenantTables))
    await to.query(countTable(name));
}

/** The other side knows of it, has nothing of it, and lets nobody in. */
async function beginAnew(sides: Sides): Promise<void> {
  const { from, to, workspace, name, tables } = sides;
  for (let tries = 1; ; tries++) {
    // First what an earlier copy left, then the slot that it had: a copy is never beside the slot of another.
    await clearArriving(sides);
    await from.query(dropSlot, [name]);
    await to.query(insertArriving, [workspace.id, workspace.slug, workspace.name, workspace.createdAt]);
    // Whoever was let in when nobody knew of it (a job from when it was there before) has ended then, and wrote nothing.
    await to.query(lockExclusively, [workspace.id]);
    const early = await to.query<{ rows: number }>(countRows(tables), [workspace.id]);
    if (early.every(({ rows }) => rows === 0)) return;
    if (tries >= BEGINNINGS_MAX)
      throw new TransferError('Something writes in it there, where it has not arrived.');
  }
}

/** Deletes what is there of a workspace that has not arrived. */
export async function clearArriving({ to, workspace }: Sides): Promise<void> {
  const tables = await to.query<{ name: string }>(selectAllTenantTables);
  await together(to, async () => {
    // The guard of the ledger lets nothing go of a workspace that may yet be worked on: its name goes with it.
    const gone = await to.query(
      `update workspace set state = 'gone' where id = $1 and state = 'moving' returning id`,
      [workspace.id],
    );
    if (gone.length === 0) return;
    for (const { name } of tables) await to.query(deletePortion(name), [workspace.id, null]);
    await to.query(`delete from workspace where id = $1 and state = 'gone'`, [workspace.id]);
  });
}
