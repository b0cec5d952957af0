/**
 * `npm run bench -- cost`: the cost of an item with 100 000 links below it, against a single entity read in the same run. The figure to
 * quote is the processor time of the service and of PostgreSQL for one call, the median over rounds.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectDb, type Db } from '../src/db/connect.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { startEmbeddedRedis } from '../src/embedded/redis.ts';
import { cpuOf } from './stock/cpu-of.ts';
import { makeDatabase, median, OPERATOR_TOKEN, startService } from './stock.ts';

export const name = 'cost';

const ASSEMBLIES = 3000;
const PARTS = 20_000;
const LINKS_EACH = 33;
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
    return await measure(db, await startService(databaseUrl, redis?.url ?? '', stops));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function measure(db: Db, { port, pid }: { port: number; pid: number }) {
  const made = await ask(port, OPERATOR_TOKEN, '/workspaces', { slug, name: 'Bench', template: 'default' });
  const { key } = made.apiKey;
  const supplier = await ask(port, key, `/wid/${slug}/suppliers`, { name: 'Seller', currency: 'EUR' });
  await fill(db, made.workspace.id, supplier.id);
  const used = { cost: [] as number[], read: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [one, path] of [
      ['cost', `/wid/${slug}/entities/${idOf(0)}/cost?quantity=10`],
      ['read', `/wid/${slug}/entities/${idOf(0)}`],
    ] as const) {
      const before = await cpuOf(db, pid);
      const answer = await ask(port, key, path);
      const after = await cpuOf(db, pid);
      if (one === 'cost' && answer.itemCount !== PARTS)
        throw new Error(`${answer.itemCount} items have a price`);
      if (one === 'cost')
        console.error('service', after.service - before.service, 'db', after.database - before.database);
      // The first round warms up.
      if (round > 0) used[one].push(after.service + after.database - before.service - before.database);
    }
  }
  const [cost, read] = [median(used.cost), median(used.read)];
  const links = ASSEMBLIES * LINKS_EACH;
  console.log(
    `cost of an item with ${links} links: ${cost} ms of CPU (goal below ${GOAL_MS}); a read of it: ${read} ms`,
  );
  return { links, costMs: cost, readMs: read, met: cost < GOAL_MS };
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

const idOf = (n: number) => `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const sqlIdOf = (n: string) => `('019a0000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** Assemblies come first. Each has two assemblies, as a tree, and parts, which follow each other around. */
async function fill(db: Db, workspaceId: string, supplierId: string): Promise<void> {
  await inTransaction(db, { workspaceId }, async (tx) => {
    await tx.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, ${sqlIdOf('n')}, gen_random_uuid(), 'N-' || n, 'An entity', case when n < $2::int then 'assembly' else 'part' end, 'In Work', $1
       from generate_series(0, $2::int + $3::int - 1) as n`,
      [workspaceId, ASSEMBLIES, PARTS],
    );
    await tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select distinct $1::uuid, ${sqlIdOf('parent')}, ${sqlIdOf('child')}, 2 from (
         select (n - 1) / 2 as parent, n as child from generate_series(1, $2::int - 1) as n
         union all
         select n, $2::int + (n * $4::int + k) % $3::int from generate_series(0, $2::int - 1) as n cross join generate_series(1, $4::int - 1) as k) as l`,
      [workspaceId, ASSEMBLIES, PARTS, LINKS_EACH],
    );
    await tx.query(
      `insert into supplier_part (workspace_id, id, item_id, supplier_id, sku, pack_quantity, rank, status, prices)
       select $1, gen_random_uuid(), ${sqlIdOf('n')}, $2, 'S-' || n, 10, 1, 'active',
         '[{"from":"1.000000","price":"0.500000","currency":"EUR","validFrom":null,"source":null},{"from":"1000.000000","price":"0.400000","currency":"EUR","validFrom":null,"source":null}]'
       from generate_series($3::int, $3::int + $4::int - 1) as n`,
      [workspaceId, supplierId, ASSEMBLIES, PARTS],
    );
  });
}
