/**
 * `npm run bench -- stock`: adjustments against what bounds them, measured in the same run: (a) the same HTTP
 * call with an empty handler, (b) a careful hand-written transaction on plain connections. Figures mean
 * little on shared cores; the ratios are what counts, medians over rounds that go through all cases.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { createApiKey } from '../src/access/create-api-key.ts';
import { connectDb } from '../src/db/connect.ts';
import { newId } from '../src/db/ids.ts';
import { migrate } from '../src/db/migrate.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { V8_FLAGS } from '../src/process/launcher.ts';
import { verifyLedger } from '../src/stock/ledger/verify-ledger.ts';
import { cpuOf } from './stock/cpu-of.ts';
import { handWritten } from './stock/hand-written.ts';
import { type LoadResult, load } from './stock/load.ts';
import { randomAdjustment, randomMove } from './stock/random-bodies.ts';

export const name = 'stock';

/** Of the services that benches start. */
export const OPERATOR_TOKEN = 'operator-token-of-the-bench';
const ITEMS = 1000;
const LOCATIONS = 10;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const BATCH = 1000;
const log = pino({ level: 'error' });

export interface StockBench {
  /** CPU times are those of a request. */
  figures: Record<string, { perSecond: number; p99Ms: number; serviceUs: number; databaseUs: number }>;
  ratios: Record<string, { value: number; goal: string; met: boolean }>;
  verified: { entries: number; perSecond: number };
}

export async function run(): Promise<StockBench> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const databaseUrl = await makeDatabase(folder, stops);
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis !== null) stops.push(() => redis.stop());
    return await measure(databaseUrl, redis?.url ?? '', stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** On BENCH_DATABASE_URL's server (a superuser's), or on one of our own with the embedded default's settings. */
export async function makeDatabase(folder: string, stops: (() => Promise<unknown>)[]): Promise<string> {
  let adminUrl = process.env.BENCH_DATABASE_URL;
  if (adminUrl === undefined) {
    const server = await startEmbeddedPostgres({ dataDir: folder, log });
    stops.push(() => server.stop());
    adminUrl = server.adminUrl;
  }
  const database = `partbook_bench_${process.pid}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${database}`);
  stops.push(async () => {
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
  });
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  await migrate(url.href, log);
  return url.href;
}

interface Stocked {
  workspaceId: string;
  slug: string;
  key: string;
  items: string[];
  locations: string[];
}

async function measure(
  databaseUrl: string,
  redisUrl: string,
  stops: (() => Promise<unknown>)[],
): Promise<StockBench> {
  const db = await connectDb({ url: databaseUrl, poolMax: 2, applicationName: 'partbook bench', log });
  stops.push(() => db.close());
  const stocked = await fill(db);
  const { port, pid } = await startService(databaseUrl, redisUrl, stops);
  const at = (path: string, body: () => unknown) => () => request(stocked, path, body());
  const random = (quantity: number) => randomAdjustment(stocked, quantity);
  const hot = { itemEntityId: stocked.items[0], locationEntityId: stocked.locations[0], quantity: 1 };
  const adjust = (body: () => unknown) => at('/stock/adjustments', body);
  // Every position exists before anything is measured.
  const opening = stocked.items.flatMap((itemEntityId) =>
    stocked.locations.map((locationEntityId) => ({ itemEntityId, locationEntityId, quantity: 1000 })),
  );
  for (let i = 0; i < opening.length; i += BATCH) {
    const batch = request(stocked, '/stock/adjustments/batch', { adjustments: opening.slice(i, i + BATCH) });
    expectAll(await load({ port, connections: 1, seconds: 0, next: () => batch }), '201');
  }

  const cases: Record<string, () => Promise<LoadResult>> = {};
  for (const connections of [32, 128]) {
    const http = (next: () => Buffer) => () => load({ port, connections, seconds: SECONDS, next });
    cases[`a empty handler, ${connections}`] = http(at('/stock/nothing', () => random(1)));
    cases[`b hand-written, ${connections}`] = () => handWritten(databaseUrl, stocked, connections, SECONDS);
    cases[`c random, ${connections}`] = http(adjust(() => random(Math.random() < 0.5 ? 1 : -1)));
    cases[`d hot, ${connections}`] = http(adjust(() => hot));
    cases[`f transfers, ${connections}`] = http(
      at('/stock/transfers', () => ({ lines: [randomMove(stocked)] })),
    );
  }
  cases['e batches of 1000'] = () =>
    load({
      port,
      connections: 2,
      seconds: SECONDS,
      next: at('/stock/adjustments/batch', () => ({
        adjustments: Array.from({ length: BATCH }, () => random(1)),
      })),
    });

  const results = new Map<string, Measured[]>(Object.keys(cases).map((title) => [title, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [title, measureCase] of Object.entries(cases)) {
      const before = await cpuOf(db, pid);
      const result = await measureCase();
      const after = await cpuOf(db, pid);
      const us = (ms: number) => (ms * 1000) / result.requests;
      const serviceUs = us(after.service - before.service);
      const databaseUs = us(after.database - before.database);
      expectAll(result, '201');
      // The first round warms up.
      if (round > 0) results.get(title)?.push({ ...result, serviceUs, databaseUs });
    }
  }

  const began = performance.now();
  const verification = await verifyLedger(db, stocked.workspaceId);
  if (!verification.ok)
    throw new Error(`The ledger does not verify: ${JSON.stringify(verification.problems[0])}`);
  const verified = {
    entries: verification.entries,
    perSecond: verification.entries / ((performance.now() - began) / 1000),
  };
  return report(results, verified);
}

/** A result, and the CPU time of a request in the service and in the database. */
interface Measured extends LoadResult {
  serviceUs: number;
  databaseUs: number;
}

function report(results: Map<string, Measured[]>, verified: StockBench['verified']): StockBench {
  const rate = (title: string, factor = 1) =>
    (results.get(title) ?? []).map(({ perSecond }) => perSecond * factor);
  const p99 = (title: string) => median((results.get(title) ?? []).map(({ p99Ms }) => p99Ms));
  const ratio = (above: string, below: string) =>
    median(rate(above).map((value, round) => value / (rate(below)[round] as number)));
  const cpu = (title: string, of: (result: Measured) => number) => median((results.get(title) ?? []).map(of));
  const serviceOf = (title: string) => cpu(title, ({ serviceUs }) => serviceUs);
  const databaseOf = (title: string) => cpu(title, ({ databaseUs }) => databaseUs);
  const figures: StockBench['figures'] = {};
  for (const title of results.keys()) {
    figures[title] = {
      perSecond: median(rate(title, title.startsWith('e') ? BATCH : 1)),
      p99Ms: p99(title),
      serviceUs: serviceOf(title),
      databaseUs: databaseOf(title),
    };
  }
  const atLeast = (value: number, goal: number) => ({ value, goal: `≥ ${goal}`, met: value >= goal });
  const ratios: StockBench['ratios'] = {};
  for (const connections of [32, 128]) {
    const of = (letter: string) => `${letter}, ${connections}`;
    ratios[`c/a at ${connections}`] = atLeast(ratio(of('c random'), of('a empty handler')), 0.6);
    ratios[`d/c at ${connections}`] = atLeast(ratio(of('d hot'), of('c random')), 0.9);
    ratios[`f/c at ${connections}`] = atLeast(ratio(of('f transfers'), of('c random')), 0.45);
    ratios[`c/b at ${connections}`] = atLeast(ratio(of('c random'), of('b hand-written')), 0.7);
    // What c/a would be if only the service's own thread were the bound, as it is where cores are free.
    const own = serviceOf(of('a empty handler')) / serviceOf(of('c random'));
    ratios[`service CPU a/c at ${connections}`] = { value: own, goal: '', met: true };
    const slowest = p99(of('d hot'));
    ratios[`d p99 ms at ${connections}`] = { value: slowest, goal: '< 50', met: slowest < 50 };
  }
  ratios['e movements/s'] = atLeast(figures['e batches of 1000']?.perSecond ?? 0, 20_000);

  const lines = Object.entries(figures).map(
    ([title, { perSecond, p99Ms, serviceUs, databaseUs }]) =>
      `${title.padEnd(24)} ${Math.round(perSecond).toString().padStart(7)}/s   p99 ${p99Ms.toFixed(1).padStart(6)} ms   ` +
      `CPU: service ${serviceUs.toFixed(0).padStart(5)} us, database ${databaseUs.toFixed(0).padStart(5)} us`,
  );
  for (const [title, { value, goal, met }] of Object.entries(ratios)) {
    lines.push(`${title.padEnd(24)} ${value.toFixed(2).padStart(9)}   ${goal} ${met ? '' : 'MISSED'}`);
  }
  lines.push(`verify                   ${Math.round(verified.perSecond)} entries/s over ${verified.entries}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return { figures, ratios, verified };
}

async function fill(db: Awaited<ReturnType<typeof connectDb>>): Promise<Stocked> {
  const workspaceId = newId();
  const slug = 'bench';
  const ids = (count: number) => Array.from({ length: count }, newId);
  const stocked = { workspaceId, slug, items: ids(ITEMS), locations: ids(LOCATIONS) };
  await inTransaction(db, 'instance', (tx) =>
    tx.query('insert into workspace (id, slug, name) values ($1, $2, $2)', [workspaceId, slug]),
  );
  const key = await inTransaction(db, { workspaceId }, async (tx) => {
    await tx.query(
      `insert into category (workspace_id, key, name, numbering, lifecycle, role, behaviour, hidden_from_new)
       select $1, role, role, '{}', 'part', role, 'none', false from unnest('{item,location}'::text[]) role`,
      [workspaceId],
    );
    for (const [category, members] of [
      ['item', stocked.items],
      ['location', stocked.locations],
    ] as const) {
      await tx.query(
        `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
         select $1, id, id, 'N-' || row_number() over (), 'An entity', $3, 'In Work', $1
         from unnest($2::uuid[]) as given (id)`,
        [workspaceId, members, category],
      );
    }
    const made = await createApiKey(tx, { workspaceId, name: 'bench', permission: 'write', expiresAt: null });
    return made.key;
  });
  return { ...stocked, key };
}

const SERVICE = './stock/server.script.ts';

export async function startService(
  databaseUrl: string,
  redisUrl: string,
  stops: (() => Promise<unknown>)[],
  script = SERVICE,
): Promise<{ port: number; pid: number }> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  // The service as it is started; what is written by hand as Node is.
  const flags = script === SERVICE ? V8_FLAGS : [];
  const child = spawn(process.execPath, [...flags, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN,
      RATE_LIMIT_REQUESTS: '10000000',
      LOG_LEVEL: 'warn',
    },
  });
  const exited = once(child, 'exit');
  stops.push(async () => {
    child.stdin.end();
    await exited;
  });
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(() => null)]);
  if (line === null) throw new Error('The service did not start');
  const { port } = JSON.parse(String(line[0])) as { port: number };
  return { port, pid: child.pid as number };
}

export function request({ slug, key }: { slug: string; key: string }, path: string, body: unknown): Buffer {
  const json = JSON.stringify(body);
  return Buffer.from(
    `POST /api/wid/${slug}${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  );
}

function expectAll({ statuses }: LoadResult, status: string): void {
  if (Object.keys(statuses).join() !== status)
    throw new Error(`Not all ${status}: ${JSON.stringify(statuses)}`);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
