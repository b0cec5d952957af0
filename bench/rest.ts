/**
 * `npm run bench -- rest`: how long a web takes to its first answer where there is data and its servers run, started together with a
 * worker after a kill of both; and what the two have in memory ten seconds later. BENCH_ENTITIES and BENCH_ROUNDS set how much data is
 * there, and how often it is started.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { cpuOfSystem } from './cpu-of-system.ts';
import { defineProperties, entitiesOf, generateGuids } from './entities.ts';
import { medianOf, syncRate } from './sync-rates.ts';
import { startSystem } from './system.ts';

export const name = 'rest';

const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const REST_MS = 10_000;
const RESTING_MIB_GOAL = 300;
const FIRST_ANSWER_MS_GOAL = 2000;

export async function run(): Promise<unknown> {
  const system = await startSystem();
  try {
    const workspace = await system.createWorkspace();
    await defineProperties(workspace);
    await syncRate(workspace, entitiesOf(generateGuids(ENTITIES)), { created: ENTITIES });
    const firstAnswer = async () => {
      const started = performance.now();
      for (;;) {
        const answer = await fetch(`${workspace.path}/entities?limit=1`, {
          headers: { Authorization: `Bearer ${workspace.key}` },
        }).catch(() => null);
        if (answer?.ok) return performance.now() - started;
        await delay(5);
      }
    };
    const starts: { ms: number; cpuSeconds: number }[] = [];
    const resting: { web: number; worker: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await system.worker.restart();
      await system.web.restart();
      const ms = await firstAnswer();
      starts.push({ ms, cpuSeconds: cpuOfSystem(system).web });
      await delay(REST_MS);
      resting.push({ web: system.web.rssMiB(), worker: system.worker.rssMiB() });
    }
    const startMs = medianOf(starts.map(({ ms }) => ms));
    const cpuSeconds = medianOf(starts.map((one) => one.cpuSeconds));
    const restingMiB = medianOf(resting.map(({ web, worker }) => web + worker));
    const holds = (met: boolean) => (met ? 'holds' : 'FAILS');
    const isQuick = startMs <= FIRST_ANSWER_MS_GOAL;
    const isSmall = restingMiB <= RESTING_MIB_GOAL;
    console.log(
      `start of a web beside ${ENTITIES} entities, to the first answer: ${startMs.toFixed(0)} ms, ${cpuSeconds.toFixed(2)} s of processor time (at most ${FIRST_ANSWER_MS_GOAL}: ${holds(isQuick)})`,
    );
    console.log(
      `at rest: web ${medianOf(resting.map(({ web }) => web))}, worker ${medianOf(resting.map(({ worker }) => worker))}, together ${restingMiB} MiB (at most ${RESTING_MIB_GOAL}: ${holds(isSmall)})`,
    );
    return { starts, resting, ok: isQuick && isSmall };
  } finally {
    await system.close();
  }
}
