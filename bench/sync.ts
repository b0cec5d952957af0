/**
 * Sync end to end against the limit of the machine in the same run: COPY of the same rows into a bare table, with only
 * the primary key and the unique GUID. From the first byte of the request to `completed`, links, results and all
 * indexes included. Beside the rates stands what it costs: processor time in units of `JSON.parse` of the payload, and
 * bytes of write-ahead log. BENCH_ENTITIES sets the size (default 100 000).
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newId } from '../src/db/ids.ts';
import { type CpuSeconds, cpuBetween, cpuOfSystem, parseSeconds, totalCpu } from './cpu-of-system.ts';
import { type BenchEntity, defineProperties, entitiesOf, generateGuids } from './entities.ts';
import {
  measureSync,
  medianOf,
  medianRates,
  type Observe,
  type SyncKind,
  type SyncRates,
  warmUp,
} from './sync-rates.ts';
import { type LoopDelay, type System, startSystem } from './system.ts';

export const name = 'sync';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Of bare COPY at least, in units of parsing at most. */
const GOALS: Record<SyncKind, { ofCopy: number; units: number; label: string }> = {
  created: { ofCopy: 0.3, units: 60, label: 'all new' },
  unchanged: { ofCopy: 0.9, units: 20, label: 'unchanged' },
  changed: { ofCopy: 0.7, units: 25, label: '10 % changed' },
};
const LOG_MESSAGE_MIB = 16;
const kinds = Object.keys(GOALS) as SyncKind[];

interface Cost {
  cpu: CpuSeconds;
  walBytes: number;
}

interface Round extends SyncRates {
  copy: number;
  costs: Record<SyncKind, Cost>;
  /** Seconds of a unit beside each sync: processors are not equally fast from one minute to the next. */
  units: number[];
}

interface Watched {
  memory: { webPeakMiB: number; workerPeakMiB: number };
  loop: { web: LoopDelay; worker: LoopDelay };
}

/** Rows per second of COPY into a table with the columns of `entity`. */
async function copyLimit(client: Client, entities: readonly BenchEntity[]): Promise<number> {
  await client.query('drop table if exists bench_entity');
  await client.query('create table bench_entity (like entity including defaults)');
  await client.query('alter table bench_entity add primary key (workspace_id, id)');
  await client.query('create unique index on bench_entity (workspace_id, guid)');
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
}

function* batches(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += 1000) yield `${lines.slice(at, at + 1000).join('\n')}\n`;
}

export async function run(): Promise<unknown> {
  const system = await startSystem({}, { postgresSettings: {} });
  const client = new Client({ connectionString: system.databaseUrl });
  try {
    await client.connect();
    await warmUp(system);
    await fillLog(system);
    const payload = JSON.stringify({ entities: [...entitiesOf(generateGuids(ENTITIES))] });
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(system, client, payload));
    const memory = { webPeakMiB: system.web.peakRssMiB(), workerPeakMiB: system.worker.peakRssMiB() };
    const loop = await watchLoops(system);
    return report(rounds, medianOf(rounds.flatMap(({ units }) => units)), { memory, loop });
  } finally {
    await client.end();
    await system.close();
  }
}

/**
 * A server that has worked before writes into files of its log that are there. A new one makes each of them, 16 MiB of zeros, which is
 * no cost of a body, nor of COPY.
 */
async function fillLog(system: System): Promise<void> {
  const client = new Client({ connectionString: system.superuserUrl() ?? system.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ mebibytes: number }>(
      `select setting::integer as mebibytes from pg_settings where name = 'min_wal_size'`,
    );
    for (let written = 0; written < (rows[0]?.mebibytes ?? 0); written += LOG_MESSAGE_MIB)
      await client.query(`select pg_logical_emit_message(false, 'bench', repeat('x', $1))`, [
        LOG_MESSAGE_MIB * 1024 * 1024,
      ]);
    // What lies before the first of two checkpoints is to be written again after the second.
    for (let checkpoint = 0; checkpoint < 2; checkpoint++) await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** In syncs of their own, because watching a loop costs processor time, of which the rounds are an account. */
async function watchLoops(system: System): Promise<Watched['loop']> {
  const delays = async () => ({ web: await system.web.loopDelay(), worker: await system.worker.loopDelay() });
  await delays();
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  await measureSync(workspace, generateGuids(ENTITIES));
  return delays();
}

function report(rounds: readonly Round[], unit: number, { memory, loop }: Watched): unknown {
  const copy = medianOf(rounds.map((round) => round.copy));
  const rates = medianRates(rounds);
  const rate = (perSecond: number) => `${Math.round(perSecond).toString().padStart(8)} rows/s`;
  console.log(
    `sync of ${ENTITIES} entities, median of ${ROUNDS} rounds; a unit is ${(1000 * unit).toFixed(0)} ms`,
  );
  console.log(`  ${'bare COPY'.padEnd(14)}${rate(copy)}`);
  const measured = kinds.map((kind) => {
    const { ofCopy, units: unitsMax, label } = GOALS[kind];
    const ratio = rates[kind] / copy;
    const median = (of: (cost: Cost) => number) => medianOf(rounds.map((round) => of(round.costs[kind])));
    const units = median(({ cpu }) => totalCpu(cpu)) / unit;
    const parts = (['web', 'worker', 'postgres'] as const).map(
      (part) => `${part} ${(median(({ cpu }) => cpu[part]) / unit).toFixed(1)}`,
    );
    const walBytes = median((cost) => cost.walBytes) / ENTITIES;
    console.log(
      `  ${label.padEnd(14)}${rate(rates[kind])}   ${ratio.toFixed(2)} of COPY, at least ${ofCopy}: ${holds(ratio >= ofCopy)}`,
    );
    console.log(
      `  ${''.padEnd(14)}${units.toFixed(1).padStart(8)} units    at most ${unitsMax}: ${holds(units <= unitsMax)} (${parts.join(', ')}); ${Math.round(walBytes)} bytes of WAL an entity`,
    );
    return { kind, perSecond: rates[kind], ratio, units, walBytes, ok: ratio >= ofCopy && units <= unitsMax };
  });
  console.log(`  peak RSS: web ${memory.webPeakMiB} MiB, worker ${memory.workerPeakMiB} MiB`);
  for (const [role, { busyMs, lateMs }] of Object.entries(loop)) {
    console.log(
      `  event loop of ${role}: blocked for ${busyMs.toFixed(1)} ms at most, late by ${lateMs.toFixed(1)} ms at most`,
    );
  }
  return { entities: ENTITIES, unitMs: 1000 * unit, rounds, measured, memory, loop };
}

const holds = (ok: boolean) => (ok ? 'holds' : 'FAILS');

async function measureOnce(system: System, client: Client, payload: string): Promise<Round> {
  const workspace = await system.createWorkspace();
  await defineProperties(workspace);
  const guids = generateGuids(ENTITIES);
  const copy = await copyLimit(client, [...entitiesOf(guids)]);
  const costs: Partial<Record<SyncKind, Cost>> = {};
  const units: number[] = [];
  const observe: Observe = async (kind, sync) => {
    units.push(parseSeconds(payload));
    const [wal, cpu] = [await walPosition(client), cpuOfSystem(system)];
    const result = await sync();
    costs[kind] = {
      cpu: cpuBetween(cpu, cpuOfSystem(system)),
      walBytes: (await walPosition(client)) - wal,
    };
    return result;
  };
  const rates = await measureSync(workspace, guids, observe);
  return { copy, ...rates, costs: costs as Record<SyncKind, Cost>, units };
}

async function walPosition(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
  );
  return Number(rows[0]?.bytes);
}
