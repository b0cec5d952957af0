/**
 * What row-level security costs the statements of a chunk: the same inserts and comparisons as the application
 * role, whom the policies bind, and as the owner, whom they do not, in turn.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { startEmbedded } from '../src/embedded/start-embedded.ts';
import { compareWithStored } from '../src/sync/plan/compare-elements.sql.ts';
import { insertEntities } from '../src/sync/write/write-entities.sql.ts';

export const name = 'row-security';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CHUNKS = 8;
const ROWS = 2500;

type Role = 'bound' | 'owner';

export async function run(): Promise<unknown> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const servers = await startEmbedded(readConfig({ DATA_DIR: dataDir }), log);
  try {
    const ownerUrl = servers.migrationUrl ?? servers.databaseUrl;
    await migrate(ownerUrl, log);
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    const ratios = { insert: [] as number[], compare: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      // In turn, and each first as often: what the machine does meanwhile falls on both.
      const order: Role[] = round % 2 === 0 ? ['bound', 'owner'] : ['owner', 'bound'];
      const times = {} as Record<Role, { insertMs: number; compareMs: number }>;
      for (const role of order) times[role] = await measure(client, role);
      ratios.insert.push(times.bound.insertMs / times.owner.insertMs);
      ratios.compare.push(times.bound.compareMs / times.owner.compareMs);
    }
    await client.end();
    const result = { insert: median(ratios.insert), compare: median(ratios.compare) };
    console.log(
      `row-level security on the chunk path, time with it against without, median of ${ROUNDS} pairs`,
    );
    console.log(`  insert of ${ROWS} entities      ${result.insert.toFixed(3)}`);
    console.log(`  comparison of ${ROWS} entities  ${result.compare.toFixed(3)}`);
    return result;
  } finally {
    await servers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(client: Client, role: Role): Promise<{ insertMs: number; compareMs: number }> {
  const workspace = randomUUID();
  let insertMs = 0;
  let compareMs = 0;
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const guids = Array.from({ length: ROWS }, () => randomUUID()).sort();
    const ids = guids.map(() => randomUUID());
    const hashes = guids.map((guid) => Buffer.from(guid.slice(0, 16)));
    const texts = guids.map((_, i) => `Hexagon socket head cap screw M${i}`);
    const same = (value: string) => guids.map(() => value);
    await client.query('begin');
    if (role === 'bound') await client.query('set local role partbook_app');
    await client.query(`select set_config('partbook.workspace_id', $1, true)`, [workspace]);
    let started = performance.now();
    await client.query(insertEntities, [
      workspace,
      ids,
      ids,
      guids,
      texts,
      texts,
      same('part'),
      same('In Work'),
      same('{"Mass": 1.5, "Supplier": "ACME"}'),
      hashes,
      workspace,
    ]);
    insertMs += performance.now() - started;
    started = performance.now();
    await client.query(compareWithStored, [workspace, guids, hashes]);
    compareMs += performance.now() - started;
    await client.query('commit');
  }
  return { insertMs, compareMs };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
