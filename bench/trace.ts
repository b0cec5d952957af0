/**
 * `npm run bench -- trace`: a lot that went into 111 110 others over five levels, followed to all of them, against a read of the lot in the
 * same run. The figure to quote is the processor time of the service and of PostgreSQL for one call, the median over rounds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { connectDb, type Db } from '../src/db/connect.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { cpuOf } from './stock/cpu-of.ts';
import { makeDatabase, median, OPERATOR_TOKEN, startService } from './stock.ts';

export const name = 'trace';

/** Lots that are made of each lot but those of the last level. */
const EACH = 10;
const LEVELS = 5;
const LOTS = (EACH ** (LEVELS + 1) - 1) / (EACH - 1);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const GOAL_MS = 1000;
const slug = 'bench';
const log = pino({ level: 'error' });

export async function run() {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    const db = await connectDb({ url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log });
    stops.push(() => db.close());
    return await measure(db, databaseUrl, await startService(databaseUrl, redis?.url ?? '', stops));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(db: Db, databaseUrl: string, { port, pid }: { port: number; pid: number }) {
  const made = await ask(port, OPERATOR_TOKEN, '/workspaces', { slug, name: 'Bench', template: 'default' });
  const { key } = made.apiKey;
  await fill(databaseUrl, made.workspace.id);
  const [first, last] = [0, LOTS - 1].map((n) => `/wid/${slug}/stock/lots/${idOf(LOT, n)}`);
  const used: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [one, path, nodes] of [
      ['up', `${first}/trace?direction=up`, LOTS - 1],
      ['down', `${last}/trace?direction=down`, LEVELS],
      ['read', first, null],
    ] as const) {
      const before = await cpuOf(db, pid);
      const answer = await ask(port, key, path as string);
      const after = await cpuOf(db, pid);
      if (nodes !== null && answer.items.length !== nodes)
        throw new Error(`${one}: ${answer.items.length} nodes instead of ${nodes}`);
      const service = after.service - before.service;
      const database = after.database - before.database;
      // The first round warms up.
      if (round > 0) {
        used[one] = [...(used[one] ?? []), service + database];
        used[`${one} in the service`] = [...(used[`${one} in the service`] ?? []), service];
      }
    }
  }
  const ms = Object.fromEntries(Object.entries(used).map(([one, values]) => [one, median(values)]));
  const met = (ms.up ?? 0) < GOAL_MS;
  for (const [one, value] of Object.entries(ms)) console.log(`${one.padEnd(24)} ${value} ms of CPU`);
  console.log(`trace of ${LOTS - 1} nodes: goal below ${GOAL_MS} ms of CPU: ${met ? 'holds' : 'FAILS'}`);
  return { nodes: LOTS - 1, ms, met };
}

// biome-ignore lint/suspicious/noExplicitAny: the bench reads a few fields of answers.
async function ask(port: number, key: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}

/** Kinds of ids, as the first digits of their last group. */
const [ITEM, LINE, REQUIREMENT, RECEIPT, ISSUE, LOT] = [1, 2, 3, 4, 5, 6];
const idOf = (kind: number, n: number) =>
  `019a0000-0000-7000-8000-${kind}${n.toString(16).padStart(11, '0')}`;
const sqlIdOf = (kind: number, n: string) =>
  `('019a0000-0000-7000-8000-${kind}' || lpad(to_hex(${n}), 11, '0'))::uuid`;
/** The level of a lot, 0 for the first one. */
const levelOf = (n: string) => `length((${EACH - 1} * ${n} + 1)::text) - 1`;

/** Lot n is issued for a line of which the lots 10 n + 1 … 10 n + 10 are received. Triggers are off: nothing here is verified. */
async function fill(databaseUrl: string, workspaceId: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await insertAll(client, workspaceId);
  } finally {
    await client.end();
  }
}

async function insertAll(client: Client, workspaceId: string): Promise<void> {
  const insert = (sql: string) => client.query(sql, [workspaceId]);
  const lots = `generate_series(0, ${LOTS - 1}) as n`;
  const inner = `generate_series(0, ${(LOTS - 1) / EACH - 1}) as n`;
  const columns = `workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity, on_hand_delta, reserved_delta,
    on_order_delta, on_hand_after, reserved_after, on_order_after, actor_id, hash, lot, line_id, requirement_id`;
  await client.query("set session_replication_role = 'replica'");
  await insert(`
    insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
    select $1, id, id, 'N-' || n, 'An item', 'part', 'In Work', $1
    from generate_series(0, ${LEVELS}) as n cross join lateral (select ${sqlIdOf(ITEM, 'n')} as id) as i`);
  await insert(`
    insert into stock_lot (workspace_id, item_id, number, id, kind, created_at)
    select $1, ${sqlIdOf(ITEM, levelOf('n'))}, 'L-' || n, ${sqlIdOf(LOT, 'n')}, 'lot', now() from ${lots}`);
  await insert(`
    insert into material_requirement (workspace_id, id, project_id, item_id, quantity, line_id)
    select $1, ${sqlIdOf(REQUIREMENT, 'n')}, null, ${sqlIdOf(ITEM, levelOf('n'))}, 1, ${sqlIdOf(LINE, 'n')} from ${inner}`);
  await insert(`
    insert into stock_ledger (${columns})
    select $1, ${sqlIdOf(ISSUE, 'n')}, ${sqlIdOf(ITEM, levelOf('n'))}, $1, 1000000 + n, now(), 'MRIssue', -1, -1, 0, 0, 1, 0, 0, $1,
           sha256(''), 'L-' || n, null, ${sqlIdOf(REQUIREMENT, 'n')}
    from ${inner}`);
  await insert(`
    insert into stock_ledger (${columns})
    select $1, ${sqlIdOf(RECEIPT, 'n')}, ${sqlIdOf(ITEM, levelOf('n'))}, $1, 2000000 + n, now(), 'MOReceipt', 1, 1, 0, -1, 1, 0, 0, $1,
           sha256(''), 'L-' || n, ${sqlIdOf(LINE, `(n - 1) / ${EACH}`)}, null
    from generate_series(1, ${LOTS - 1}) as n`);
  await client.query('vacuum analyze stock_ledger, material_requirement, stock_lot, entity');
}
