/**
 * How long batches wait where there are more workspaces than can be run here: a model of the queue (queue-model/simulate.ts) with the
 * processor time that batches cost, held first against a run of WORKSPACES real ones. What the model leaves out: disks that are
 * slower than the processor, and a PostgreSQL that has fewer processors than the threads keep busy.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { cpuBetween, cpuOfSystem } from './cpu-of-system.ts';
import { compressLines, generateEntities, sendBatch } from './entities.ts';
import { selectEnds } from './queue-model/ends.sql.ts';
import { type ArrivingBatch, randomOf, type StepTimes, simulateQueue } from './queue-model/simulate.ts';
import { type System, startSystem } from './system.ts';

export const name = 'queue-model';

const WORKSPACES = Number(process.env.BENCH_WORKSPACES ?? 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const ELEMENTS = 200;
const LARGE_ELEMENTS = 10_000;
const LARGE_CHUNKS = 4;
/** The default of the service. */
const MACHINES = { threads: 2, jobsPerBatch: 2 };
/** Of what the threads did when everybody came at once. */
const LOAD = 0.7;
const SEED = 7;
/** Waits of the model and of the run are of the same kind, not the same: machines are shared. */
const FACTOR_BELOW = 2;

type Workspace = Awaited<ReturnType<System['createWorkspace']>>;

interface Costs {
  /** Milliseconds from one end of a batch to the next while the threads were never idle. */
  everyMs: number;
  /** So many processors did the work then: what the machine and its other users left. */
  processors: number;
  /** Processor time of worker and PostgreSQL. */
  smallCpuMs: number;
  chunkCpuMs: number;
}

export async function run(): Promise<unknown> {
  const system = await startSystem({ SYNC_THREADS: String(MACHINES.threads), THREAD_NICE: '0' });
  try {
    const workspaces: Workspace[] = [];
    while (workspaces.length < WORKSPACES) workspaces.push(await system.createWorkspace());
    const owner = new Client({ connectionString: system.databaseUrl });
    await owner.connect();
    const costs = await measureCosts(system, workspaces, owner);
    console.log(
      `a batch of ${ELEMENTS}: ${costs.smallCpuMs.toFixed(0)} ms of worker and PostgreSQL, of which ${costs.processors.toFixed(2)} processors were had; a chunk of ${LARGE_ELEMENTS / LARGE_CHUNKS} in each of its passes ${costs.chunkCpuMs.toFixed(0)} ms`,
    );
    const check = await checkModel(workspaces, owner, costs);
    await owner.end();
    const sizes = [100, 1000, 10_000].map((count) => sizeFor(count, costs));
    return { costs, check, sizes, ok: check.ok };
  } finally {
    await system.close();
  }
}

/** Everybody at once, so that the threads are never idle; then large ones. */
async function measureCosts(system: System, workspaces: readonly Workspace[], owner: Client): Promise<Costs> {
  const burst = async (senders: readonly Workspace[], elements: number) => {
    const body = compressLines(generateEntities(elements));
    // Nobody takes any until all are accepted: what is measured is what the worker can do.
    system.worker.process.kill('SIGSTOP');
    const ids = await Promise.all(senders.map(async (one) => (await sendBatch(one, body, 0)).batchId));
    const before = cpuOfSystem(system);
    system.worker.process.kill('SIGCONT');
    const ended = await untilAllEnded(owner, ids);
    const { worker, postgres } = cpuBetween(before, cpuOfSystem(system));
    const starts = ended.map(({ started }) => started);
    const ms = Math.max(...ended.map(({ finished }) => finished)) - Math.min(...starts);
    return { ms: ms / senders.length, cpuMs: ((worker + postgres) * 1000) / senders.length };
  };
  // What is new is compiled and planned first.
  await burst(workspaces.slice(0, 10), ELEMENTS);
  const small = await burst(workspaces.slice(10), ELEMENTS);
  const large = await burst(workspaces.slice(0, 4), LARGE_ELEMENTS);
  return {
    everyMs: small.ms,
    processors: small.cpuMs / small.ms,
    smallCpuMs: small.cpuMs,
    // Three passes over chunks, and the structure, which is short.
    chunkCpuMs: large.cpuMs / (LARGE_CHUNKS * 3),
  };
}

/** Batches that come as they like, into a real service and into the model. */
async function checkModel(workspaces: readonly Workspace[], owner: Client, costs: Costs) {
  const random = randomOf(SEED);
  const everyMs = costs.everyMs / LOAD;
  const plan: { at: number; workspace: number }[] = [];
  for (let at = 0; at < SECONDS * 1000; at += -Math.log(1 - random()) * everyMs)
    // Some send much more often than others, so that there are lines.
    plan.push({ at, workspace: Math.floor(workspaces.length * random() ** 3) });
  const started = performance.now();
  const accepted = await Promise.all(
    plan.map(async ({ at, workspace }) => {
      await delay(Math.max(0, at - (performance.now() - started)));
      // New parts each time, as in what was measured.
      const body = compressLines(generateEntities(ELEMENTS));
      const { batchId } = await sendBatch(workspaces[workspace] as Workspace, body, 0);
      return { id: batchId, workspace, at: Date.now() };
    }),
  );
  const ended = await untilAllEnded(
    owner,
    accepted.map(({ id }) => id),
  );
  const finished = new Map(ended.map((one) => [one.id, one]));
  // One may have been started before its sender had the answer.
  const real = accepted.map(({ id, workspace, at }) => {
    const { started: begun, finished: end } = finished.get(id) as Ended;
    return { workspace, at: Math.min(at, begun), end };
  });
  const waits = Float64Array.from(real, ({ at, end }) => end - at);
  const arriving = real
    .map(({ workspace, at }) => ({ workspace, at, chunks: 1 }))
    .toSorted((a, b) => a.at - b.at);
  const first = arriving[0]?.at ?? 0;
  const model = simulateQueue(
    arriving.map((one) => ({ ...one, at: one.at - first })),
    // A worker has one job more in hand than it has threads.
    { ...MACHINES, threads: MACHINES.threads + 1, processors: costs.processors },
    timesOf(costs, randomOf(SEED + 1)),
  );
  const [had, has] = [summary(waits), summary(model)];
  const factors = [had.p50 / has.p50, had.p90 / has.p90, had.p99 / has.p99];
  const ok = factors.every((factor) => factor < FACTOR_BELOW && factor > 1 / FACTOR_BELOW);
  console.log(
    `${real.length} batches of ${workspaces.length} workspaces in ${SECONDS} s, at ${LOAD} of what was measured; from acceptance to end`,
  );
  console.log(`  the service: ${show(had)}`);
  console.log(`  the model:   ${show(has)}; within a factor of ${FACTOR_BELOW}: ${ok ? 'holds' : 'FAILS'}`);
  return { batches: real.length, service: had, model: has, ok };
}

/**
 * An hour in which each workspace sends a batch of 200 every five minutes and every eighth one of 10 000, as they like; then all of
 * them in the same minute, which is what timers of connectors do.
 */
function sizeFor(workspaces: number, costs: Costs) {
  const random = randomOf(SEED + workspaces);
  const hour: ArrivingBatch[] = [];
  for (let workspace = 0; workspace < workspaces; workspace++) {
    for (let at = random() * 300_000; at < 3_600_000; at += -Math.log(1 - random()) * 300_000)
      hour.push({ workspace, at, chunks: 1 });
    if (workspace % 8 === 0) hour.push({ workspace, at: random() * 3_600_000, chunks: LARGE_CHUNKS });
  }
  hour.sort((a, b) => a.at - b.at);
  const times = () => timesOf(costs, randomOf(SEED));
  const small = (waits: Float64Array) => summary(waits.filter((_, at) => hour[at]?.chunks === 1));
  const busyMs = hour.reduce(
    (sum, { chunks }) => sum + (chunks === 1 ? costs.smallCpuMs : chunks * 3 * costs.chunkCpuMs),
    0,
  );
  const processors = busyMs / 3_600_000;
  const rows: object[] = [];
  console.log(
    `${workspaces} workspaces: ${hour.length} batches an hour, ${processors.toFixed(2)} processors busy`,
  );
  // The fewest threads that are not busy all the time, and what more of them bring.
  const fewest = Math.max(2, Math.ceil(processors * 1.2));
  for (const threads of [fewest, fewest * 2, fewest * 4]) {
    const machines = { ...MACHINES, threads, processors: threads };
    const usual = small(simulateQueue(hour, machines, times()));
    const minute = Array.from({ length: workspaces }, (_, workspace) => ({
      workspace,
      at: random() * 60_000,
      chunks: 1,
    }));
    const rush = summary(
      simulateQueue(
        minute.toSorted((a, b) => a.at - b.at),
        machines,
        times(),
      ),
    );
    // One that brings a million parts, and the small ones of the others meanwhile.
    const million = [{ workspace: workspaces, at: 0, chunks: 400 }, ...hour];
    const waits = simulateQueue(million, machines, times());
    const beside = summary(waits.filter((_, at) => at > 0 && million[at]?.chunks === 1));
    const millionMinutes = (waits[0] ?? 0) / 60_000;
    rows.push({ threads, usual, rush, beside, millionMinutes });
    console.log(
      `  ${threads} threads: small ones ${show(usual)}; all in one minute ${show(rush)}; beside a million ${show(beside)}, which takes ${millionMinutes.toFixed(1)} min`,
    );
  }
  return { workspaces, batchesAnHour: hour.length, processors, rows };
}

/** Around their mean as steps vary: half of it at least, the rest by chance. */
function timesOf({ smallCpuMs, chunkCpuMs }: Costs, random: () => number): StepTimes {
  const around = (mean: number) => mean * (0.5 - 0.5 * Math.log(1 - random()));
  return {
    whole: () => around(smallCpuMs),
    chunk: () => around(chunkCpuMs),
    structure: () => around(chunkCpuMs),
  };
}

interface Ended {
  id: string;
  started: number;
  finished: number;
}

async function untilAllEnded(owner: Client, ids: readonly string[]): Promise<Ended[]> {
  for (;;) {
    const { rows } = await owner.query<Ended>(selectEnds, [ids]);
    if (rows.length === ids.length) return rows;
    await delay(200);
  }
}

function summary(waits: Float64Array) {
  const sorted = waits.toSorted();
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

const show = ({ p50, p90, p99, max }: ReturnType<typeof summary>) =>
  `p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms, max ${max} ms`;
