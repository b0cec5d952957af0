/** Compares what is stored with the book. */

import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { contextTypes } from '../../src/events/record-events.ts';
import { type Book, eventsOf, type Kept, totalsOf } from './book.ts';
import {
  countUnread,
  selectEntities,
  selectEvents,
  selectFailedRuns,
  selectRuns,
  selectTotals,
  selectWrongReceipts,
} from './stored.sql.ts';

const PAUSE_MS = 100;

export interface Database {
  /** Reads again while PostgreSQL is away, until `deadlineMs` after the first attempt. */
  read<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

export function openDatabase(connectionString: string, deadlineMs: number): Database {
  return {
    read: async <Row>(sql: string, params: readonly unknown[] = []) => {
      const deadline = Date.now() + deadlineMs;
      for (;;) {
        const client = new Client({ connectionString });
        client.on('error', () => {});
        try {
          await client.connect();
          return (await client.query(sql, [...params])).rows as Row[];
        } catch (error) {
          if (Date.now() > deadline) throw error;
        } finally {
          await client.end().catch(() => {});
        }
        await delay(PAUSE_MS);
      }
    },
  };
}

/** Returns when automations are through with every event of the workspace. */
export async function untilEventsRead(
  database: Database,
  workspaceId: string,
  deadlineMs: number,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const [row] = await database.read<{ unread: number }>(countUnread, [workspaceId]);
    if (row?.unread === 0) return;
    if (Date.now() > deadline) throw new Error(`${row?.unread} rows of the outbox are never read`);
    await delay(PAUSE_MS);
  }
}

export async function verifyTotals(database: Database, workspaceId: string, book: Book): Promise<void> {
  const [totals] = await database.read(selectTotals, [workspaceId]);
  requireEqual('Stored', totals, totalsOf(book));
  const receipts = await database.read(selectWrongReceipts, [workspaceId]);
  requireEqual('Batches without exactly one receipt', receipts, []);
}

/** Every event once, and for each exactly one run, which succeeded. */
export async function verifyEvents(database: Database, workspaceId: string, book: Book): Promise<void> {
  const failed = await database.read(selectFailedRuns, [workspaceId]);
  requireEqual('Runs that did not succeed', failed, []);
  const { created, updated, imported } = eventsOf(book);
  const expected = [
    { contextType: contextTypes.importCompleted, events: imported },
    { contextType: contextTypes.entityCreated, events: created },
    { contextType: contextTypes.entityUpdated, events: updated },
  ].filter(({ events }) => events > 0);
  const byType = (a: { contextType: number }, b: { contextType: number }) => a.contextType - b.contextType;
  const events = await database.read<(typeof expected)[number]>(selectEvents, [workspaceId]);
  requireEqual('Events', events.sort(byType), expected);
  const runs = await database.read<(typeof expected)[number]>(selectRuns, [workspaceId]);
  const perfect = expected.map((one) => ({ ...one, runs: one.events, succeeded: one.events }));
  requireEqual('Runs', runs.sort(byType), perfect);
}

/** Values, revision, place in the structure and counters of the entities, one by one. */
export async function verifyEntities(
  database: Database,
  workspaceId: string,
  entities: readonly Kept[],
): Promise<void> {
  const guids = entities.map(({ element }) => element.guid);
  const rows = await database.read<{ guid: string }>(selectEntities, [workspaceId, guids]);
  const stored = new Map(rows.map((row) => [row.guid, row]));
  if (rows.length !== entities.length)
    throw new Error(
      `${rows.length} rows of ${entities.length} entities: some are missing or have two parents`,
    );
  for (const entity of entities) {
    const { guid, number, name, parentGuid, quantity } = entity.element;
    requireEqual(`Entity ${number}`, stored.get(guid), {
      guid,
      number,
      name,
      state: entity.released ? 'Released' : 'In Work',
      revisionNumber: entity.revisionNumber,
      created: 1,
      updates: entity.updates,
      revisions: entity.revisionNumber,
      parentGuid,
      quantity,
      children: entity.children,
    });
  }
}

function requireEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(plain(found), plain(expected))) return;
  throw new Error(`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}

/** Rows of pg and objects of ours compare by what they hold. */
function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
