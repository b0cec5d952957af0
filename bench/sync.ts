/**
 * Sync end to end against PostgreSQL's own limit in the same run: COPY of the same rows into a table with the
 * same columns and indexes. From the first byte of the request to `completed`, links and results included.
 * BENCH_ENTITIES sets the size (default 100 000).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '../src/db/ids.ts';
import { type BenchEntity, defineProperties, entitiesOf, generateGuids } from './entities.ts';
import { measureSync, medianOf, medianRates, type SyncRates, warmUp } from './sync-rates.ts';
import { type System, startSystem } from './system.ts';

export const name = 'sync';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

/** Rows per second of COPY into a table like `entity`, indexes and all. */
async function copyLimit(system: System, entities: readonly BenchEntity[]): Promise<number> {
  const client = new Client({ connectionString: system.databaseUrl });
  await client.connect();
  try {
    await client.query('drop table if exists bench_entity');
    await client.query('create table bench_entity (like entity including all)');
    // As the service writes them: one workspace, and ids in the order in which they are made.
    const workspaceId = newId();
    const lines = entities.map((entity) => {
      const { guid, number, name: label, categoryKey, properties } = entity;
      return [
        workspaceId,
        newId(),
        newId(),
        guid,
        number,
        label,
        categoryKey,
        'In Work',
        '1',
        JSON.stringify(properties),
        '1',
        workspaceId,
      ].join('\t');
    });
    const started = performance.now();
    const stream = client.query(
      copyFrom(
        `copy bench_entity (workspace_id, id, version_id, guid, number, name, category, state, revision_number,
           properties, version, revised_by) from stdin`,
      ),
    );
    await pipeline(Readable.from(batches(lines)), stream);
    const seconds = (performance.now() - started) / 1000;
    await client.query('drop table bench_entity');
    return entities.length / seconds;
  } finally {
    await client.end();
  }
}

function* batches(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += 1000) yield `${lines.slice(at, at + 1000).join('\n')}\n`;
}

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    await warmUp(system);
    const rounds: (SyncRates & { copy: number })[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(system));
    const copy = medianOf(rounds.map((round) => round.copy));
    const { created, unchanged, changed } = medianRates(rounds);
    const rows = [
      ['COPY into entity (the limit)', copy],
      ['all new', created],
      ['unchanged', unchanged],
      ['10 % changed', changed],
    ] as const;
    console.log(`sync of ${ENTITIES} entities, median of ${ROUNDS} rounds`);
    for (const [label, rate] of rows) {
      console.log(
        `  ${label.padEnd(32)} ${Math.round(rate).toString().padStart(8)} rows/s   ${(rate / copy).toFixed(2)} of the limit`,
      );
    }
    const memory = { webPeakMiB: system.web.peakRssMiB(), workerPeakMiB: system.worker.peakRssMiB() };
    const loop = { web: await system.web.loopDelay(), worker: await system.worker.loopDelay() };
    console.log(`  peak RSS: web ${memory.webPeakMiB} MiB, worker ${memory.workerPeakMiB} MiB`);
    for (const [role, { busyMs, lateMs }] of Object.entries(loop)) {
      console.log(
        `  event loop of ${role}: blocked for ${busyMs.toFixed(1)} ms at most, late by ${lateMs.toFixed(1)} ms at most`,
      );
    }
    return {
      entities: ENTITIES,
      rounds,
      ratios: Object.fromEntries(rows.map(([label, rate]) => [label, rate / copy])),
      memory,
      loop,
    };
  } finally {
    await system.close();
  }
}

async function measureOnce(system: System): Promise<SyncRates & { copy: number }> {
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  const guids = generateGuids(ENTITIES);
  await system.web.loopDelay();
  await system.worker.loopDelay();
  const copy = await copyLimit(system, [...entitiesOf(guids)]);
  return { copy, ...(await measureSync(workspace, guids)) };
}
