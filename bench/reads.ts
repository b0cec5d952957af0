/**
 * `npm run bench -- reads`: reading one entity, its children and its parents over HTTP at 200 requests a
 * second with a million entities loaded, against the same SELECT by a plain client in the same run. Open
 * loop: requests leave on the clock, so that a slow answer does not hold back the next and hide the wait.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { pino } from 'pino';
import { admitLogin } from '../src/db/check-login.ts';
import { startEmbeddedPostgres } from '../src/embedded/postgres.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { selectEntity } from '../src/entities/entity.sql.ts';
import { selectUses, selectWhereUsed } from '../src/entities/structure/uses.sql.ts';

export const name = 'reads';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 1_000_000);
const CHILDREN = 10;
const PER_SECOND = 200;
/** Short rounds in turns, medians over them: what else the machine does then weighs on both alike. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const P99_GOAL_MS = 10;
const OPERATOR_TOKEN = 'operator-token-of-the-bench';
const log = pino({ level: 'error' });
const root = fileURLToPath(new URL('..', import.meta.url));

interface Latency {
  p50Ms: number;
  p99Ms: number;
}

export interface ReadsBench {
  entities: number;
  perSecond: number;
  cases: Record<string, { http: Latency; select: Latency; ratioP50: number; ratioP99: number; met: boolean }>;
}

export async function run(): Promise<ReadsBench> {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
    stops.push(() => postgres.stop());
    const redis = await startEmbeddedRedis({ dataDir: folder, cacheDir: '.cache', log });
    if (redis === null) throw new Error('The bench needs a Redis');
    stops.push(() => redis.stop());
    return await measure(postgres.adminUrl, redis.url, stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(
  databaseUrl: string,
  redisUrl: string,
  stops: (() => Promise<unknown>)[],
): Promise<ReadsBench> {
  // Refuses a superuser's login, which the bench measures with.
  const login = { username: 'partbook_bench', password: 'password-of-the-bench' };
  const serviceUrl = Object.assign(new URL(databaseUrl), login).href;
  await admitLogin(databaseUrl, serviceUrl);
  const port = 20_000 + (process.pid % 20_000);
  const web = spawn(process.execPath, [join(root, 'src/main.ts'), 'web'], {
    env: {
      ...process.env,
      DATABASE_URL: serviceUrl,
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN,
      PORT: String(port),
      LOG_LEVEL: 'error',
      RATE_LIMIT_REQUESTS: '10000000',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  stops.push(() => stopped(web));
  const workspace = await makeWorkspace(`http://127.0.0.1:${port}`);
  const settings = `-c role=partbook_app -c partbook.workspace_id=${workspace.id}`;
  const pool = new Pool({ connectionString: databaseUrl, max: 8, options: settings });
  stops.push(() => pool.end());
  await fill(databaseUrl, workspace.id);

  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  stops.push(async () => agent.destroy());
  const get = (path: string) => () =>
    httpGet(agent, port, `/api/wid/${workspace.slug}/entities/${path}`, workspace.key);
  const any = () => Math.floor(Math.random() * ENTITIES);
  const parent = () => Math.floor((Math.random() * (ENTITIES - 1)) / CHILDREN);
  const child = () => 1 + Math.floor(Math.random() * (ENTITIES - 1));
  const select = (sql: string, ...params: unknown[]) => selectAs(pool, workspace.id, sql, params);
  const cases = {
    entity: {
      http: () => get(idOf(any()))(),
      select: () => select(selectEntity, idOf(any())),
    },
    uses: {
      http: () => get(`${idOf(parent())}/uses`)(),
      select: () => select(selectUses, idOf(parent()), null, 101),
    },
    'where-used': {
      http: () => get(`${idOf(child())}/where-used`)(),
      select: () => select(selectWhereUsed, idOf(child()), null, 101, 'false'),
    },
  };
  const result: ReadsBench = { entities: ENTITIES, perSecond: PER_SECOND, cases: {} };
  for (const [title, one] of Object.entries(cases)) {
    const http: Latency[] = [];
    const sql: Latency[] = [];
    // The first round warms both up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [viaHttp, viaSql] = [await atRate(one.http, SECONDS), await atRate(one.select, SECONDS)];
      if (round === 0) continue;
      http.push(viaHttp);
      sql.push(viaSql);
    }
    const [a, b] = [medians(http), medians(sql)];
    const met = a.p99Ms < P99_GOAL_MS;
    const [ratioP50, ratioP99] = [a.p50Ms / b.p50Ms, a.p99Ms / b.p99Ms];
    result.cases[title] = { http: a, select: b, ratioP50, ratioP99, met };
    const figures = `http p50 ${a.p50Ms.toFixed(2)} p99 ${a.p99Ms.toFixed(2)} ms   select p50 ${b.p50Ms.toFixed(2)} p99 ${b.p99Ms.toFixed(2)} ms`;
    const ratios = `ratio p50 ${ratioP50.toFixed(1)} p99 ${ratioP99.toFixed(1)}   p99 < ${P99_GOAL_MS} ms ${met ? 'met' : 'MISSED'}`;
    process.stdout.write(`${title.padEnd(11)} ${figures}   ${ratios}\n`);
  }
  return result;
}

/** Calls leave at the rate, whatever the answers do. */
async function atRate(call: () => Promise<void>, seconds: number): Promise<Latency> {
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let sent = 0; sent < PER_SECOND * seconds; ) {
    const due = Math.floor(((performance.now() - start) / 1000) * PER_SECOND);
    for (; sent < due; sent++) {
      const began = performance.now();
      pending.push(call().then(() => void latencies.push(performance.now() - began)));
    }
    await delay(1);
  }
  await Promise.all(pending);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** The same statement, as the application's role in its workspace. */
async function selectAs(pool: Pool, workspaceId: string, sql: string, params: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query(sql, [workspaceId, ...params]);
    if (rows.length === 0) throw new Error('The SELECT found nothing');
  } finally {
    client.release();
  }
}

function httpGet(agent: Agent, port: number, path: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ agent, port, host: '127.0.0.1', path, headers: { Authorization: `Bearer ${key}` } }, (res) => {
      if (res.statusCode !== 200) reject(new Error(`${path} gave ${res.statusCode}`));
      res.resume().on('end', resolve).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

/** Ids that count, so that any can be named. */
function idOf(n: number): string {
  return `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

async function fill(databaseUrl: string, workspaceId: string): Promise<void> {
  const admin = new Pool({ connectionString: databaseUrl, max: 1 });
  const id = (n: string) => `('019a0000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await admin.query(
    `insert into entity (workspace_id, id, version_id, guid, number, name, category, state, properties, revised_by)
     select $1, ${id('n')}, gen_random_uuid(), gen_random_uuid(), 'PRT-' || lpad(n::text, 8, '0'),
            'Part ' || md5(n::text), 'part', case when n % 4 = 0 then 'Released' else 'In Work' end,
            '{"Mass": 1.25, "Material": "EN AW-6082", "Supplier": "ACME", "Approved": true}', $1
     from generate_series(0, $2::int - 1) as n`,
    [workspaceId, ENTITIES],
  );
  await admin.query(
    `insert into entity_link (workspace_id, parent_id, child_id, quantity)
     select $1, ${id('(n - 1) / $3::int')}, ${id('n')}, 2 from generate_series(1, $2::int - 1) as n`,
    [workspaceId, ENTITIES, CHILDREN],
  );
  await admin.query('vacuum analyze entity, entity_link');
  await admin.query('checkpoint');
  await admin.end();
}

async function makeWorkspace(baseUrl: string): Promise<{ id: string; slug: string; key: string }> {
  const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ slug: 'bench-reads', name: 'Bench' });
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`${baseUrl}/api/workspaces`, { method: 'POST', headers, body }).catch(
      () => null,
    );
    if (answer?.status === 201) {
      const made = (await answer.json()) as {
        workspace: { id: string; slug: string };
        apiKey: { key: string };
      };
      return { ...made.workspace, key: made.apiKey.key };
    }
    await delay(100);
  }
  throw new Error('The web process did not become ready');
}

function medians(rounds: Latency[]): Latency {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return { p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)), p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)) };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
