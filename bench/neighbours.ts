/**
 * What the others cost a quiet workspace: the p99 of a read, an adjustment, a sync of ten, a script and a webhook
 * alone, beside processes that only keep the processors busy, and beside each kind of neighbour, in one run.
 * BENCH_NEIGHBOURS names those wanted, separated by commas; of a name a part is enough.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { cpuBetween, cpuOfSystem } from './cpu-of-system.ts';
import { type NeighbourName, neighbours } from './neighbours/neighbours.ts';
import { type Latencies, openQuietWorkspace, type Probe, probes } from './neighbours/quiet-workspace.ts';
import { busyProcessors, startNeighbour, type Trouble } from './neighbours/start-neighbour.ts';
import { type System, startSystem } from './system.ts';

export const name = 'neighbours';

const RATIO_MAX = 3;
const P99_MS_MAX = 500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 150);
const SECONDS = 45;
/** So long a neighbour has it for itself before the quiet one is measured. */
const AHEAD_MS = 2000;

interface Figure {
  probe: Probe;
  calls: number;
  alone: number;
  /** Beside what keeps the processors busy and asks nothing of the service. */
  busy: number;
  beside: number;
  ratio: number;
  /** Alone, beside busy processors, beside the neighbour: of few calls they say more than the p99. */
  medians: number[];
  ok: boolean;
}

export async function run(): Promise<unknown> {
  const all = Object.keys(neighbours) as NeighbourName[];
  const wanted = process.env.BENCH_NEIGHBOURS?.split(',') ?? [''];
  const names = all.filter((one) => wanted.some((part) => one.includes(part)));
  const results: Record<string, Figure[]> = {};
  for (const neighbour of names) {
    // A system of its own: what one neighbour leaves behind is not the next one's doing. The limits are those that a
    // service has by default, of the rate of calls too: these are part of what keeps neighbours apart.
    const system = await startSystem({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WEBHOOK_RETRY_BASE_MS: '5000',
      RATE_LIMIT_REQUESTS: '6000',
    });
    try {
      results[neighbour] = await beside(system, neighbour);
    } finally {
      await system.close();
    }
  }
  const ok = Object.values(results).every((figures) => figures.every((figure) => figure.ok));
  console.log(
    `at most ${RATIO_MAX} times the p99 alone, and under ${P99_MS_MAX} ms: ${ok ? 'holds' : 'FAILS'}`,
  );
  return { results, limits: { ratioMax: RATIO_MAX, p99MsMax: P99_MS_MAX }, ok };
}

async function beside(system: System, name: NeighbourName): Promise<Figure[]> {
  const quiet = await openQuietWorkspace(system);
  const neighbour = await startNeighbour(name, system);
  const limits = { rounds: ROUNDS, seconds: SECONDS };
  await quiet.sample({ rounds: 20, seconds: 10 });
  const alone = await quiet.sample(limits);
  const sampleBeside = async (trouble: Trouble, aheadMs: number) => {
    trouble.begin();
    await delay(aheadMs);
    const taken = await quiet.sample(limits);
    return { taken, end: trouble.end };
  };
  const busy = await sampleBeside(busyProcessors(), 0);
  await busy.end();
  const cpu = cpuOfSystem(system);
  const began = performance.now();
  await system.web.loopDelay();
  const troubled = await sampleBeside(neighbour, AHEAD_MS);
  const used = cpuBetween(cpu, cpuOfSystem(system));
  const seconds = (performance.now() - began) / 1000;
  const loop = await system.web.loopDelay();
  await troubled.end();
  await quiet.close();
  const figures = probes.map((probe) => figure(probe, alone, busy.taken, troubled.taken));
  const share = (one: number) => `${Math.round((100 * one) / seconds)} %`;
  console.log(
    `beside ${name} (web ${system.web.peakRssMiB()} MiB at most and ${share(used.web)} of a processor, its loop busy for ${loop.busyMs.toFixed(0)} ms and late by ${loop.lateMs.toFixed(0)} at most, in line for a processor for ${loop.queuedMs.toFixed(0)}; worker ${system.worker.peakRssMiB()} MiB, ${share(used.worker)}; PostgreSQL ${share(used.postgres)}):`,
  );
  for (const one of figures)
    console.log(
      `  ${one.probe.padEnd(12)} p99 ${one.alone.toFixed(0)} -> ${one.beside.toFixed(0)} ms, ${one.ratio.toFixed(1)} times (busy processors: ${one.busy.toFixed(0)} ms; medians ${one.medians.map((ms) => ms.toFixed(0)).join(', ')}), ${one.calls} calls${one.ok ? '' : '  FAILS'}`,
    );
  return figures;
}

function figure(probe: Probe, alone: Latencies, busy: Latencies, measured: Latencies): Figure {
  const before = p99(alone[probe]);
  const now = p99(measured[probe]);
  const ratio = now / before;
  return {
    probe,
    calls: measured[probe].length,
    alone: before,
    busy: p99(busy[probe]),
    beside: now,
    ratio,
    medians: [alone, busy, measured].map((of) => quantile(of[probe], 0.5)),
    ok: ratio <= RATIO_MAX && now < P99_MS_MAX,
  };
}

const p99 = (sorted: readonly number[]) => quantile(sorted, 0.99);

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
