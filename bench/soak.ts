/**
 * Breaks things for a while: SIGKILL of web, worker or a PostgreSQL backend (which makes PostgreSQL recover from
 * its log), and FLUSHALL of Redis, at random moments of running batches. After each round everything that was
 * acknowledged must be there once: `npm run soak`, with SOAK_ROUNDS and SOAK_SEED in the environment.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type System, startSystem } from './system.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS ?? 50);
const SEED = Number(process.env.SOAK_SEED ?? Date.now() % 1_000_000);
const PARTS = 3000;
const END_MS_MAX = 120_000;

type Fault = 'web' | 'worker' | 'postgres' | 'redis';
const faults: Fault[] = ['web', 'worker', 'postgres', 'redis'];

/** Repeatable randomness (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Element {
  guid: string;
  number: string;
  name: string;
  categoryKey: string;
  parentGuid: string | null;
}

function billOfMaterials(round: number): Element[] {
  const top: Element = {
    guid: randomUUID(),
    number: `T-${round}`,
    name: 'Top',
    categoryKey: 'assembly',
    parentGuid: null,
  };
  const parts = Array.from({ length: PARTS }, (_, i) => ({
    guid: randomUUID(),
    number: `P-${round}-${i}`,
    name: `Part ${i}`,
    categoryKey: 'part',
    parentGuid: top.guid,
  }));
  return [top, ...parts];
}

/** A call as a careful client makes it: again until there is an answer, with the same Idempotency-Key. */
async function ask(url: string, init: RequestInit): Promise<unknown> {
  const deadline = Date.now() + END_MS_MAX;
  for (;;) {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
      if (answer.ok) return await answer.json();
      if (answer.status < 500 && answer.status !== 409 && answer.status !== 429)
        throw new Error(await answer.text());
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(100);
  }
}

async function strike(system: System, fault: Fault, redis: Redis): Promise<void> {
  if (fault === 'redis') {
    await redis.flushall();
    return;
  }
  if (fault === 'postgres') {
    const client = new Client({ connectionString: system.databaseUrl });
    client.on('error', () => {});
    await client.connect();
    const found = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'partbook%' order by random() limit 1`,
    );
    await client.end();
    if (found.rows[0] !== undefined) process.kill(found.rows[0].pid, 'SIGKILL');
    return;
  }
  await system[fault].restart();
}

interface Batch {
  batchId: string;
  status: string;
  counts: Record<string, number>;
}

async function soak(): Promise<void> {
  const random = generator(SEED);
  console.log(`${ROUNDS} rounds, seed ${SEED}`);
  const system = await startSystem({ SYNC_CHUNK_ELEMENTS: '200' });
  const redis = new Redis(system.redisUrl);
  const struck: Record<Fault, number> = { web: 0, worker: 0, postgres: 0, redis: 0 };
  try {
    const workspace = await system.createWorkspace();
    const headers = { Authorization: `Bearer ${workspace.key}`, 'Content-Type': 'application/json' };
    const expected = { entities: 0, links: 0 };
    for (let round = 1; round <= ROUNDS; round++) {
      const entities = billOfMaterials(round);
      const first = await submit(workspace.path, headers, entities);
      const again = await submit(workspace.path, headers, entities);
      const fault = faults[Math.floor(random() * faults.length)] as Fault;
      await delay(random() * 1500);
      await strike(system, fault, redis);
      struck[fault]++;
      expected.entities += entities.length;
      expected.links += PARTS;
      await verify(workspace.path, headers, first, entities, { created: entities.length, error: 0 });
      await verify(workspace.path, headers, again, entities, { skipped: entities.length, error: 0 });
      await verifyStored(system, workspace.id, expected);
      console.log(`round ${round}: ${fault} struck, all there`);
    }
    console.log(`nothing lost, nothing twice; struck: ${JSON.stringify(struck)}`);
  } finally {
    redis.disconnect();
    await system.close();
  }
}

async function submit(path: string, headers: Record<string, string>, entities: Element[]): Promise<string> {
  const batch = (await ask(`${path}/pdm/sync`, {
    method: 'POST',
    headers: { ...headers, Prefer: 'respond-async', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ entities }),
  })) as Batch;
  return batch.batchId;
}

async function verify(
  path: string,
  headers: Record<string, string>,
  batchId: string,
  entities: Element[],
  counts: Record<string, number>,
): Promise<void> {
  const deadline = Date.now() + END_MS_MAX;
  let batch: Batch;
  do {
    batch = (await ask(`${path}/pdm/sync/batches/${batchId}`, { headers })) as Batch;
    if (Date.now() > deadline) throw new Error(`The batch never ended: ${JSON.stringify(batch)}`);
    await delay(50);
  } while (batch.status === 'queued' || batch.status === 'processing');
  for (const [kind, count] of Object.entries({ ...counts, processed: entities.length })) {
    if (batch.counts[kind] !== count) throw new Error(`${kind} is not ${count}: ${JSON.stringify(batch)}`);
  }
  const guids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url: string = `${path}/pdm/sync/batches/${batchId}/results?limit=1000${cursor && `&cursor=${cursor}`}`;
    const page = (await ask(url, { headers })) as { items: { guid: string }[]; nextCursor: string | null };
    guids.push(...page.items.map((item) => item.guid));
    cursor = page.nextCursor;
  }
  if (guids.join() !== entities.map((entity) => entity.guid).join())
    throw new Error('Results are missing, double or out of order');
}

async function verifyStored(
  system: System,
  workspaceId: string,
  expected: Record<string, number>,
): Promise<void> {
  const client = new Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, number>>(
      `select (select count(*)::integer from entity where workspace_id = $1) as entities,
         (select count(*)::integer from entity_link where workspace_id = $1) as links`,
      [workspaceId],
    );
    if (JSON.stringify(rows[0]) !== JSON.stringify(expected)) {
      throw new Error(`Stored ${JSON.stringify(rows[0])}, expected ${JSON.stringify(expected)}`);
    }
  } finally {
    await client.end();
  }
}

await soak();
