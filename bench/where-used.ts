/**
 * Where-used by current and by released revisions, at one level and at all levels: a part in BENCH_ASSEMBLIES assemblies (default 5 000) of
 * three levels, each with BENCH_REVISIONS kept revisions (default 20). As the service reads it, without HTTP.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../src/config.ts';
import { connectMapped } from '../src/db/connect-mapped.ts';
import { newId } from '../src/db/ids.ts';
import { migrate } from '../src/db/migrate.ts';
import { inTransaction, type Tx } from '../src/db/transaction.ts';
import { startEmbedded } from '../src/embedded/start-embedded.ts';
import type { RevisionsUsing } from '../src/entities/structure/configuration.schema.ts';
import { releasedParents } from '../src/entities/structure/configured-uses.ts';
import { planWhereUsed } from '../src/entities/structure/plan-where-used.ts';
import { readWhereUsed } from '../src/entities/structure/read-where-used.ts';
import { Slices } from '../src/fairness/slices.ts';
import { mappedEntities } from '../src/mapped-entities.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { fillRevisions, partOfRevisions } from './where-used/fill.sql.ts';

export const name = 'where-used';

const ASSEMBLIES = Number(process.env.BENCH_ASSEMBLIES ?? 5000);
const REVISIONS = Number(process.env.BENCH_REVISIONS ?? 20);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
const P99_MS_MAX = 100;
const log = pino({ level: 'warn' }, pino.destination(2));

export async function run(): Promise<unknown> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partbook-bench-'));
  const servers = await startEmbedded(readConfig({ DATA_DIR: dataDir }), log);
  const ownerUrl = servers.migrationUrl ?? servers.databaseUrl;
  await migrate(ownerUrl, log);
  const options = { url: ownerUrl, poolMax: 2, applicationName: 'partbook bench', log };
  const db = await connectMapped(options, mappedEntities);
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const actor = { id: newId(), type: 'operator', name: 'bench' } as const;
    const { workspace } = await inTransaction(db, 'instance', (tx) =>
      createWorkspace(tx, actor, { slug: 'large', name: 'large', template: 'default' }),
    );
    for (const sql of fillRevisions)
      await client.query(
        sql,
        sql.includes('$3') ? [workspace.id, ASSEMBLIES, REVISIONS] : [workspace.id, ASSEMBLIES],
      );
    await client.query('vacuum analyze entity, entity_link, entity_revision, entity_revision_link');
    console.log(`${ASSEMBLIES} assemblies with ${REVISIONS} kept revisions each`);
    const begin =
      (snapshot: boolean) =>
      <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        inTransaction(db, { workspaceId: workspace.id }, work, { readOnly: true, snapshot });
    const all = async (revisions: RevisionsUsing) => {
      const limits = { onlyTop: false, revisions, linksMax: 200_000, levelsMax: 1000 };
      const planned = await begin(true)((tx) => planWhereUsed(tx, partOfRevisions, limits));
      let count = 0;
      const slices = new Slices(undefined);
      for await (const texts of readWhereUsed(begin(false), planned, { archived: 'true' }, slices))
        count += texts.length;
      return count;
    };
    const page = async (revisions: RevisionsUsing) => {
      const query = { revisions, archived: 'true' as const, limit: 100 };
      return (await begin(false)((tx) => releasedParents(tx, partOfRevisions, query))).items.length;
    };
    const cases: Record<string, () => Promise<number>> = {
      'a page of parents, released': () => page('released'),
      'a page of parents, all': () => page('all'),
      'all levels, current': () => all('current'),
      'all levels, released': () => all('released'),
      'all levels, all': () => all('all'),
    };
    const measured = [];
    for (const [title, read] of Object.entries(cases)) measured.push(await time(title, read));
    return { assemblies: ASSEMBLIES, revisions: REVISIONS, measured, ok: measured.every(({ ok }) => ok) };
  } finally {
    await client.end();
    await db.close();
    await servers.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function time(title: string, read: () => Promise<number>) {
  const times: number[] = [];
  let items = 0;
  for (let round = -2; round < ROUNDS; round++) {
    const began = performance.now();
    items = await read();
    if (round >= 0) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] as number;
  const [p50, p99] = [at(0.5), at(0.99)];
  const ok = p99 < P99_MS_MAX;
  console.log(
    `  ${title.padEnd(30)} ${String(items).padStart(6)} items   p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms, below ${P99_MS_MAX}: ${ok ? 'holds' : 'FAILS'}`,
  );
  return { title, items, p50, p99, ok };
}
