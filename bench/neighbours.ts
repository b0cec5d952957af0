/**
 * What the others cost a quiet workspace: the p99 of a read, an adjustment, a sync of ten, a script and a webhook
 * alone, and beside each kind of neighbour, in one run. BENCH_NEIGHBOURS names those wanted, separated by commas.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type NeighbourName, neighbours } from './neighbours/neighbours.ts';
import { type Latencies, openQuietWorkspace, type Probe, probes } from './neighbours/quiet-workspace.ts';
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
  beside: number;
  ratio: number;
  ok: boolean;
}

export async function run(): Promise<unknown> {
  const names = (process.env.BENCH_NEIGHBOURS?.split(',') ?? Object.keys(neighbours)) as NeighbourName[];
  const results: Record<string, Figure[]> = {};
  for (const neighbour of names) {
    // A system of its own: what one neighbour leaves behind is not the next one's doing.
    const system = await startSystem({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_BASE_MS: '5000' });
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

async function beside(system: System, neighbour: NeighbourName): Promise<Figure[]> {
  const quiet = await openQuietWorkspace(system);
  const { trouble } = await neighbours[neighbour](system);
  const limits = { rounds: ROUNDS, seconds: SECONDS };
  await quiet.sample({ rounds: 20, seconds: 10 });
  const alone = await quiet.sample(limits);
  const leave = new AbortController();
  const troubling = trouble(leave.signal);
  await delay(AHEAD_MS);
  const measured = await quiet.sample(limits);
  leave.abort();
  await troubling;
  await quiet.close();
  const figures = probes.map((probe) => figure(probe, alone, measured));
  console.log(
    `beside ${neighbour} (web ${system.web.peakRssMiB()}, worker ${system.worker.peakRssMiB()} MiB at most):`,
  );
  for (const one of figures)
    console.log(
      `  ${one.probe.padEnd(12)} p99 ${one.alone.toFixed(0)} -> ${one.beside.toFixed(0)} ms, ${one.ratio.toFixed(1)} times, ${one.calls} calls${one.ok ? '' : '  FAILS'}`,
    );
  return figures;
}

function figure(probe: Probe, alone: Latencies, measured: Latencies): Figure {
  const before = p99(alone[probe]);
  const now = p99(measured[probe]);
  const ratio = now / before;
  return {
    probe,
    calls: measured[probe].length,
    alone: before,
    beside: now,
    ratio,
    ok: ratio <= RATIO_MAX && now < P99_MS_MAX,
  };
}

function p99(sorted: readonly number[]): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))] ?? 0;
}
