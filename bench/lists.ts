/**
 * `npm run bench -- lists`: every list and search that a person opens, in one workspace of BENCH_ENTITIES parts (default
 * 1 000 000) and BENCH_ENTRIES entries of the ledger (default 10 000 000), beside a small one. A list that takes long has a plan that
 * goes wrong with size: what is asked here answers a person who types. A 422 is an answer: of a list
 * that refuses to gather so many. What pages of one item or location cost is in `stock-size`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import type { Db } from '../src/db/connect.ts';
import { connectMapped } from '../src/db/connect-mapped.ts';
import { newId } from '../src/db/ids.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { mappedEntities } from '../src/mapped-entities.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { fillWorkspace } from './lists/fill-workspace.ts';
import { listCases, type Subjects } from './lists/list-cases.ts';
import { type Timed, timeList } from './lists/time-lists.ts';
import { withoutIndexes } from './stock/without-indexes.ts';
import { makeDatabase, startService } from './stock.ts';

export const name = 'lists';

const PARTS = Number(process.env.BENCH_ENTITIES ?? 1_000_000);
const ENTRIES = Number(process.env.BENCH_ENTRIES ?? 10_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const P50_GOAL_MS = 100;
/** These answer as much as they read: every position of the ledger, a tree of thousands of items, the requirements of a whole project. */
const WHOLE = new Set(['digest of the ledger', 'tree, from the top', 'shortages, of the largest project']);
/** All that is filled in large numbers. */
const tables = [
  ...['entity', 'entity_link', 'stock_ledger', 'stock_position', 'stock_line', 'material_requirement'],
  ...[
    'stock_line_total',
    'stock_requirement_total',
    'audit_log',
    'sync_batch',
    'automation_run',
    'webhook_delivery',
  ],
];
const log = pino({ level: 'error' });

export interface ListsBench {
  parts: number;
  entries: number;
  fillSeconds: number;
  lists: Record<string, Timed>;
  slow: string[];
  ok: boolean;
}

export async function run(): Promise<ListsBench> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    const began = performance.now();
    const { slug, key, subjects } = await fill(databaseUrl);
    const fillSeconds = (performance.now() - began) / 1000;
    process.stdout.write(`filled ${PARTS} parts, ${ENTRIES} entries in ${fillSeconds.toFixed(0)} s\n`);
    const { port } = await startService(databaseUrl, redis?.url ?? '', stops);
    const lists = await timeLists(`http://127.0.0.1:${port}/api/wid/${slug}`, key, subjects);
    const slow = Object.entries(lists)
      .filter(
        ([title, { status, p50Ms }]) =>
          (status !== 200 && status !== 422) || (p50Ms > P50_GOAL_MS && !WHOLE.has(title)),
      )
      .map(([title, { status, p50Ms }]) => `${title}: ${status}, ${p50Ms.toFixed(0)} ms`);
    const ok = slow.length === 0;
    process.stdout.write(
      ok ? `every list below ${P50_GOAL_MS} ms: holds\n` : `FAILS\n  ${slow.join('\n  ')}\n`,
    );
    return { parts: PARTS, entries: ENTRIES, fillSeconds, lists, slow, ok };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

export async function timeLists(
  base: string,
  key: string,
  subjects: Subjects,
): Promise<Record<string, Timed>> {
  const lists: Record<string, Timed> = {};
  for (const [title, path] of Object.entries(listCases(subjects))) {
    const timed = await timeList(base + path, key, ROUNDS);
    lists[title] = timed;
    const ms = [timed.p50Ms, timed.p95Ms, timed.maxMs].map((time) => time.toFixed(1).padStart(8)).join(' ');
    const items = timed.items === null ? '' : `${timed.items} items`;
    process.stdout.write(`${title.padEnd(48)} ${timed.status} ${ms} ms  ${items}\n`);
  }
  return lists;
}

async function fill(databaseUrl: string): Promise<{ slug: string; key: string; subjects: Subjects }> {
  const options = { url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log };
  const db = await connectMapped(options, mappedEntities);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const small = await makeWorkspace(db, 'small');
    const large = await makeWorkspace(db, 'large');
    const subjects = await withoutIndexes(client, ['stock_ledger', 'stock_position'], async () => {
      await fillWorkspace(client, small.workspaceId, { parts: 1000, entries: 20_000 });
      return fillWorkspace(client, large.workspaceId, { parts: PARTS, entries: ENTRIES });
    });
    await client.query(`vacuum analyze ${tables.join(', ')}`);
    return { ...large, subjects };
  } finally {
    await client.end();
    await db.close();
  }
}

async function makeWorkspace(
  db: Db,
  slug: string,
): Promise<{ workspaceId: string; slug: string; key: string }> {
  const actor = { id: newId(), type: 'operator', name: 'bench' } as const;
  const { workspace, apiKey } = await inTransaction(db, 'instance', (tx) =>
    createWorkspace(tx, actor, { slug, name: slug, template: 'default' }),
  );
  return { workspaceId: workspace.id, slug, key: apiKey.key };
}
