/**
 * What a run of a script costs beside the bare engine, in runs per second of CPU: threads, garbage collection
 * and the main thread's share included, so that a neighbour on the same core changes nothing. The parts are
 * measured in turns, round after round, and the ratio is the median of the rounds' ratios.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { SandboxHost } from '../src/automation/sandbox/sandbox-host.ts';
import { defaultScriptLimits } from '../src/automation/sandbox/script-limits.ts';

export const name = 'scripts';

const ROUNDS = 7;
const POOL_RATIO_MIN = 0.6;
const expression = '1 + 1';
const source = `return ${expression}`;
const limits = { ...defaultScriptLimits };
const host: SandboxHost = {
  isHurried: false,
  log: () => {},
  call: async () => ({ ok: true, json: '', writes: false }),
};
const ENGINE_THREAD = 'partbook bench: the engine alone';

interface Part {
  label: string;
  runs: number;
  /** Makes so many runs. */
  make(runs: number): Promise<void>;
}

export interface ScriptsBenchResult {
  /** Median runs per second of CPU. */
  runsPerCpuSecond: Record<string, number>;
  runsPerSecond: Record<string, number>;
  ratios: { poolToFreshInstance: number; bulkToSharedInstance: number; bulkToFreshInstance: number };
  isolatedVm: string;
  limits: { poolToFreshInstance: number };
  ok: boolean;
}

export async function run(): Promise<ScriptsBenchResult> {
  const { ThreadedScriptPool } = await import('../src/automation/conductor/script-pool.ts');
  const pool = new ThreadedScriptPool({ threads: 1, limits });
  const engine = openEngineThread();
  const one = { source, context: {}, now: new Date(0), seed: 'bench' };
  const hostCalls = async () => null;
  const isolated = await openIsolatedVm();
  const parts: Part[] = [
    { label: 'a: bare, fresh instance', runs: 150, make: (n) => engine.make('bareFresh', n) },
    { label: '   the same, with our smaller memory', runs: 150, make: (n) => engine.make('bareSmall', n) },
    { label: 'b: bare, shared instance', runs: 1500, make: (n) => engine.make('bareShared', n) },
    ...(isolated === null
      ? []
      : [{ label: 'c: isolated-vm, fresh isolate', runs: 150, make: (n: number) => times(n, isolated) }]),
    { label: 'engine: with api, fresh instance', runs: 150, make: (n) => engine.make('apiFresh', n) },
    { label: 'engine: with api, instance reset', runs: 1500, make: (n) => engine.make('apiReset', n) },
    {
      label: 'd: through the pool, one run each',
      runs: 150,
      // Two callers, so that the thread always has a next run waiting, as a worker's has.
      make: async (n) => {
        const caller = () =>
          times(n / 2, async () => expectTwo((await pool.runScript({ ...one, hostCalls })).result));
        await Promise.all([caller(), caller()]);
      },
    },
    {
      label: 'bulk: through the pool, 250 runs a job',
      runs: 1500,
      make: (n) =>
        times(n / 250, async () => {
          const results = await pool.runScripts({
            runs: Array.from({ length: 250 }, () => one),
            hostCalls: () => hostCalls,
          });
          expectTwo(results.at(-1)?.result);
        }),
    },
  ];
  try {
    for (const { make, runs } of parts) await make(runs);
    const rounds: Map<string, { cpu: number; wall: number }>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rates = new Map<string, { cpu: number; wall: number }>();
      for (const part of parts) rates.set(part.label, await measure(part));
      rounds.push(rates);
    }
    return report(
      parts.map(({ label }) => label),
      rounds,
      isolated !== null,
    );
  } finally {
    await Promise.all([pool.close(), engine.close()]);
  }
}

function report(
  labels: string[],
  rounds: Map<string, { cpu: number; wall: number }>[],
  isolated: boolean,
): ScriptsBenchResult {
  const rate = (label: string, kind: 'cpu' | 'wall') =>
    Math.round(median(rounds.map((round) => round.get(label)?.[kind] ?? 0)));
  const ratio = (of: string, to: string) => {
    const find = (round: Map<string, { cpu: number }>, letter: string) =>
      [...round].find(([label]) => label.startsWith(`${letter}:`))?.[1].cpu ?? Number.NaN;
    return Number(median(rounds.map((round) => find(round, of) / find(round, to))).toFixed(2));
  };
  const ratios = {
    poolToFreshInstance: ratio('d', 'a'),
    bulkToSharedInstance: ratio('bulk', 'b'),
    bulkToFreshInstance: ratio('bulk', 'a'),
  };
  const ok = ratios.poolToFreshInstance >= POOL_RATIO_MIN;
  const isolatedVm = isolated ? 'measured' : 'not measured: it does not install without a build';
  for (const label of labels) {
    console.log(
      `${label.padEnd(42)} ${String(rate(label, 'cpu')).padStart(7)} runs/CPU s  ${String(rate(label, 'wall')).padStart(7)} runs/s`,
    );
  }
  if (!isolated) console.log(`c: isolated-vm ${isolatedVm}`);
  console.log(
    `d to a, per core            ${ratios.poolToFreshInstance}  (at least ${POOL_RATIO_MIN}: ${ok ? 'holds' : 'FAILS'})`,
  );
  console.log(`bulk to b, per core         ${ratios.bulkToSharedInstance}`);
  console.log(`bulk to a, per core         ${ratios.bulkToFreshInstance}`);
  return {
    runsPerCpuSecond: Object.fromEntries(labels.map((label) => [label, rate(label, 'cpu')])),
    runsPerSecond: Object.fromEntries(labels.map((label) => [label, rate(label, 'wall')])),
    ratios,
    isolatedVm,
    limits: { poolToFreshInstance: POOL_RATIO_MIN },
    ok,
  };
}

async function measure({ runs, make }: Part): Promise<{ cpu: number; wall: number }> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await make(runs);
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpu: (runs / (user + system)) * 1e6, wall: (runs / wallMs) * 1000 };
}

type EngineWork = 'bareFresh' | 'bareSmall' | 'bareShared' | 'apiFresh' | 'apiReset';

/** One thread with nothing in it but the engine: the best that there is to compare with. */
export function openEngineThread() {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: ENGINE_THREAD,
    resourceLimits: { stackSizeMb: 16 },
  });
  return {
    make: async (work: EngineWork, runs: number): Promise<void> => {
      thread.postMessage({ work, runs });
      await once(thread, 'message');
    },
    close: () => thread.terminate(),
  };
}

async function serveEngine(): Promise<void> {
  const { engineMemory, openEngine, openInstance } = await import(
    '../src/automation/sandbox/open-instance.ts'
  );
  const { evaluateScript } = await import('../src/automation/sandbox/evaluate-script.ts');
  // As the engine was linked, and as its instances begin here (engine-memory.ts).
  const capped = () => new WebAssembly.Memory({ initial: 256, maximum: limits.memoryBytes / 65_536 });
  const smaller = () => engineMemory(limits.memoryBytes);
  const { quickjs: shared } = await openEngine(capped());
  const open = () => openInstance({ ...limits, methods: ['getEntity'] });
  const used = await open();
  const script = { source, contextJson: '{}', nowMs: 0, seed: 'bench' };
  const bare = (engine: typeof shared) => {
    const context = engine.newContext();
    const result = context.unwrapResult(context.evalCode(expression));
    expectTwo(context.getNumber(result));
    result.dispose();
    context.dispose();
  };
  const withApi = async (instance: typeof used) =>
    expectTwo(Number((await evaluateScript(instance, script, limits, host)).outcome.resultJson));
  const works: Record<EngineWork, () => Promise<void>> = {
    bareFresh: async () => bare((await openEngine(capped())).quickjs),
    bareSmall: async () => bare((await openEngine(smaller())).quickjs),
    bareShared: async () => bare(shared),
    apiFresh: async () => withApi(await open()),
    apiReset: () => withApi(used),
  };
  parentPort?.on('message', async ({ work, runs }: { work: EngineWork; runs: number }) => {
    await times(runs, works[work]);
    parentPort?.postMessage('done');
  });
}

async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i++) await work();
}

function expectTwo(value: unknown): void {
  if (value !== 2) throw new Error(`the script returned ${String(value)}`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Only where somebody has installed it; it is no dependency of ours. */
async function openIsolatedVm(): Promise<(() => Promise<void>) | null> {
  try {
    const specifier = 'isolated-vm';
    const { default: ivm } = await import(specifier);
    return async () => {
      const isolate = new ivm.Isolate({ memoryLimit: 64 });
      const context = await isolate.createContext();
      expectTwo(await context.eval(expression));
      isolate.dispose();
    };
  } catch {
    return null;
  }
}

if (!isMainThread && workerData === ENGINE_THREAD) await serveEngine();
