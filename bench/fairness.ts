/**
 * Whether the small ones get their turn: one-entity batches of ten workspaces while one of 200 000 runs in
 * another; and the connectors' rush: 20 of them with 50 batches of 200 each, where nothing may be a 5xx.
 * BENCH_ENTITIES sets the size of the large one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { compressLines, defineProperties, generateEntities, sendBatch, untilEnded } from './entities.ts';
import { type System, startSystem } from './system.ts';

export const name = 'fairness';

const LARGE = Number(process.env.BENCH_ENTITIES ?? 200_000);
const SMALL_WORKSPACES = 10;
const CONNECTORS = 20;
const BATCHES = 50;
/** Of the small ones beside the large one. */
const P99_MS_BELOW = 1000;
const SERVER_ERRORS_MAX = 0;

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    const small = await smallBesideLarge(system);
    const rush = await connectorsRush(system);
    const ok = small.beside.p99Ms < P99_MS_BELOW && rush.serverErrors <= SERVER_ERRORS_MAX;
    console.log(
      `p99 beside the large one ${small.beside.p99Ms.toFixed(0)} ms (below ${P99_MS_BELOW}), ${rush.serverErrors} answers of 5xx in the rush (at most ${SERVER_ERRORS_MAX}): ${ok ? 'holds' : 'FAILS'}`,
    );
    const limits = { besideP99MsBelow: P99_MS_BELOW, serverErrors: SERVER_ERRORS_MAX };
    return { small, rush, limits, ok };
  } finally {
    await system.close();
  }
}

async function smallBesideLarge(system: System) {
  const large = await system.createWorkspace();
  await defineProperties(large);
  const others = await Promise.all(Array.from({ length: SMALL_WORKSPACES }, () => system.createWorkspace()));
  const alone = await latencies(others, async () => false, 20);
  const body = compressLines(generateEntities(LARGE));
  const ended = sendBatch(large, body, 0).then((batch) => untilEnded(large, batch));
  let done = false;
  const finished = ended.finally(() => {
    done = true;
  });
  const beside = await latencies(others, async () => done, Number.POSITIVE_INFINITY);
  await finished;
  console.log(`one-entity batches of ${SMALL_WORKSPACES} workspaces`);
  console.log(`  alone:                            ${show(alone)}`);
  console.log(`  while one of ${LARGE} runs:       ${show(beside)}`);
  return { alone: summary(alone), beside: summary(beside) };
}

/** Milliseconds from the request to its answer, batch after batch in each workspace, until `stop`. */
async function latencies(
  workspaces: readonly { path: string; key: string }[],
  stop: () => Promise<boolean>,
  roundsMax: number,
): Promise<number[]> {
  const all: number[] = [];
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (let round = 0; round < roundsMax && !(await stop()); round++) {
        const body = compressLines(generateEntities(1));
        const started = performance.now();
        await untilEnded(workspace, await sendBatch(workspace, body, 60));
        all.push(performance.now() - started);
        await delay(50);
      }
    }),
  );
  return all.sort((a, b) => a - b);
}

async function connectorsRush(system: System) {
  const statuses: Record<string, number> = {};
  const workspaces = await Promise.all(Array.from({ length: CONNECTORS }, () => system.createWorkspace()));
  const payload = new Uint8Array(compressLines(generateEntities(200)));
  const started = performance.now();
  await Promise.all(
    workspaces.flatMap(({ path, key }) =>
      Array.from({ length: BATCHES }, async () => {
        const answer = await fetch(`${path}/pdm/sync`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${key}`,
            'Content-Type': 'application/x-ndjson',
            'Content-Encoding': 'gzip',
            Prefer: 'wait=60',
          },
          body: payload,
        });
        await answer.arrayBuffer();
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status === 429 && answer.headers.get('retry-after') === null)
          throw new Error('429 without Retry-After');
      }),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${CONNECTORS} connectors with ${BATCHES} batches of 200 at once: ${JSON.stringify(statuses)} in ${seconds.toFixed(1)} s`,
  );
  const serverErrors = Object.entries(statuses)
    .filter(([status]) => Number(status) >= 500)
    .reduce((sum, [, count]) => sum + count, 0);
  return { statuses, serverErrors, seconds };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function summary(sorted: readonly number[]) {
  return {
    count: sorted.length,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
}

function show(sorted: readonly number[]): string {
  const { count, p50Ms, p99Ms, maxMs } = summary(sorted);
  return `${count} batches, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, max ${maxMs.toFixed(0)} ms`;
}
