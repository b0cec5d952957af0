/**
 * How long batches wait where there are more workspaces than can be run here: a model of the queue (queue-model/simulate.ts) with the
 * processor time that batches cost. Its queue is held first against a run of WORKSPACES real ones. What the sizes leave out: disks that
 * are slower than the processor, other users of the machine, and a PostgreSQL that has fewer processors than the threads keep busy.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { cpuBetween, cpuOfSystem } from './cpu-of-system.ts';
import { compressLines, generateEntities, sendBatch, untilEnded } from './entities.ts';
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
/** Of what was done while batches came without a pause: nearer to it waits say more of the machine's other users than of the queue. */
const LOAD = 0.6;
/** Batches come without a pause for so long, before the run that is held against the model. */
const STEADY_SECONDS = 10;
const STEADY_OPEN = 2;
const SEED = 7;
/** Waits of the model and of the run are of the same kind, not the same: machines are shared. */
const FACTOR_BELOW = 2;

type Workspace = Awaited<ReturnType<System['createWorkspace']>>;

interface Costs {
  /** Milliseconds from one end of a batch to the next while others came without a pause. */
  everyMs: number;
  /** Processor time of worker and PostgreSQL, from the first step to the end. */
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
      `a batch of ${ELEMENTS}: ${costs.smallCpuMs.toFixed(0)} ms of worker and PostgreSQL, one every ${costs.everyMs.toFixed(0)} ms where they come without a pause; a chunk of ${LARGE_ELEMENTS / LARGE_CHUNKS} in each of its passes ${costs.chunkCpuMs.toFixed(0)} ms`,
    );
    const checked = await runArrivals(workspaces, costs);
    const check = await holdAgainst(checked, workspaces.length, owner, costs);
    await owner.end();
    const sizes = [100, 1000, 10_000].map((count) => sizeFor(count, costs));
    return { costs, check, sizes, ok: check.ok };
  } finally {
    await system.close();
  }
}

/** Everybody at once, so that nothing but steps is measured; then large ones, and some without a pause. */
async function measureCosts(system: System, workspaces: readonly Workspace[], owner: Client): Promise<Costs> {
  const burst = async (senders: readonly Workspace[], elements: number) => {
    const body = compressLines(generateEntities(elements));
    // Nobody takes any until all are accepted: what is measured is what the worker can do.
    system.worker.process.kill('SIGSTOP');
    const ids = await Promise.all(senders.map(async (one) => (await sendBatch(one, body, 0)).batchId));
    const before = cpuOfSystem(system);
    system.worker.process.kill('SIGCONT');
    await untilAllEnded(owner, ids);
    const { worker, postgres } = cpuBetween(before, cpuOfSystem(system));
    return ((worker + postgres) * 1000) / senders.length;
  };
  // What is new is compiled and planned first.
  await burst(workspaces.slice(0, 10), ELEMENTS);
  const smallCpuMs = await burst(workspaces.slice(10), ELEMENTS);
  // Three passes over chunks, and the structure, which is short.
  const chunkCpuMs = (await burst(workspaces.slice(0, 4), LARGE_ELEMENTS)) / (LARGE_CHUNKS * 3);
  return { smallCpuMs, chunkCpuMs, everyMs: await measureSteady(workspaces) };
}

/** Some of each workspace wait at any time: from one end of a batch to the next, while web and senders work too. */
async function measureSteady(workspaces: readonly Workspace[]): Promise<number> {
  const started = performance.now();
  const isOn = () => performance.now() < started + STEADY_SECONDS * 1000;
  let ended = 0;
  const senders = workspaces.slice(0, 8).flatMap((workspace) => Array(STEADY_OPEN).fill(workspace));
  await Promise.all(
    senders.map(async (workspace: Workspace) => {
      while (isOn()) {
        const body = compressLines(generateEntities(ELEMENTS));
        await untilEnded(workspace, await sendBatch(workspace, body, 0));
        ended++;
      }
    }),
  );
  return (performance.now() - started) / ended;
}

interface Arrived {
  id: string;
  workspace: number;
  at: number;
}

/** Batches that come as they like, into a real service. */
async function runArrivals(workspaces: readonly Workspace[], costs: Costs): Promise<Arrived[]> {
  const random = randomOf(SEED);
  const everyMs = costs.everyMs / LOAD;
  const plan: { at: number; workspace: number }[] = [];
  for (let at = 0; at < SECONDS * 1000; at += -Math.log(1 - random()) * everyMs)
    // Some send much more often than others, so that there are lines.
    plan.push({ at, workspace: Math.floor(workspaces.length * random() ** 3) });
  const started = performance.now();
  return Promise.all(
    plan.map(async ({ at, workspace }) => {
      await delay(Math.max(0, at - (performance.now() - started)));
      // New parts each time, as in what was measured.
      const body = compressLines(generateEntities(ELEMENTS));
      const { batchId } = await sendBatch(workspaces[workspace] as Workspace, body, 0);
      return { id: batchId, workspace, at: Date.now() };
    }),
  );
}

/**
 * The same into the model, with the times that steps took in the service, in the order in which they were begun: on a machine with
 * other users these vary with the moment, and are no matter of the queue. What is held against the service are lines, turns and threads.
 */
async function holdAgainst(
  accepted: readonly Arrived[],
  workspaces: number,
  owner: Client,
  { smallCpuMs }: Costs,
) {
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
  const took = ended.toSorted((a, b) => a.started - b.started).map((one) => one.finished - one.started);
  let begun = 0;
  const never = () => {
    throw new Error('All of these batches are of one chunk');
  };
  // A worker has one job more in hand than it has threads, which waits for one within its step.
  const threads = MACHINES.threads + 1;
  const model = simulateQueue(
    arriving.map((one) => ({ ...one, at: one.at - first })),
    { ...MACHINES, threads, processors: threads },
    { whole: () => took[begun++] ?? 0, chunk: never, structure: never },
  );
  const stepMs = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const [had, has] = [summary(waits), summary(model)];
  const factors = [had.p50 / has.p50, had.p90 / has.p90, had.p99 / has.p99];
  const ok = factors.every((factor) => factor < FACTOR_BELOW && factor > 1 / FACTOR_BELOW);
  console.log(
    `${real.length} batches of ${workspaces} workspaces in ${SECONDS} s, at ${LOAD} of what was measured; from acceptance to end`,
  );
  console.log(`  the service: ${show(had)}`);
  console.log(
    `  the model:   ${show(has)}; within a factor of ${FACTOR_BELOW} (${factors.map((factor) => factor.toFixed(2)).join(', ')}): ${ok ? 'holds' : 'FAILS'}`,
  );
  console.log(
    `  a step took ${stepMs.toFixed(0)} ms, ${(stepMs / smallCpuMs).toFixed(1)} times its processor time: what the machine left`,
  );
  return { batches: real.length, service: had, model: has, factors, stepMs, ok };
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
