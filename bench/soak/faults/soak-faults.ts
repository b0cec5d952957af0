/**
 * Faults at length: all of cases.ts in random order, again and again for MINUTES (15), by SEED. After each of them nothing may be
 * lost or doubled, and no call may have been answered as it should not be. SOAK_LOG takes the logs of web and worker, CASES a part
 * of the names.
 */
import { resolve } from 'node:path';
import { openRandom } from '../random.ts';
import type { Acknowledged } from './callers.ts';
import { cases } from './cases.ts';
import { type Played, playCase } from './play-case.ts';
import { openWorld } from './world.ts';

const MINUTES = Number(process.env.MINUTES ?? 15);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const WANTED = new RegExp(process.env.CASES ?? '');

const random = openRandom(SEED);
const openedAt = performance.now();
const world = await openWorld({ cacheDir: resolve('.cache'), logFile: process.env.SOAK_LOG });
if (world === null) throw new Error('The soak needs a Redis');
const interrupted = () => void world.close().finally(() => process.exit(130));
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
const openedSeconds = ((performance.now() - openedAt) / 1000).toFixed(1);
console.log(`faults for ${MINUTES} minutes, seed ${SEED}; all started after ${openedSeconds} s`);
const book: Acknowledged = { adjusted: 0, batches: new Map() };
const played: Played[] = [];
try {
  const wanted = cases.filter(({ name }) => WANTED.test(name));
  for (const { name, lacks } of wanted) {
    const why = lacks?.(world) ?? null;
    if (why !== null) console.log(`${name} is left out: ${why}`);
  }
  const possible = wanted.filter(({ lacks }) => (lacks?.(world) ?? null) === null);
  const endsAt = performance.now() + MINUTES * 60_000;
  // All of them once at the least, however little time there is.
  for (let turn = 0; turn === 0 || performance.now() < endsAt; turn++) {
    for (const fault of random.shuffle(possible)) {
      if (turn > 0 && performance.now() >= endsAt) break;
      const [linesBefore, startedAt] = [world.web.lines() + world.worker.lines(), performance.now()];
      const one = await playCase(world, fault, random.share(), book);
      played.push(one);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      const lines = world.web.lines() + world.worker.lines() - linesBefore;
      console.log(
        `${one.name}: ${seconds} s, healed after ${one.healedMs} ms, slowest ${one.slowestMs} ms, ${lines} lines; ${JSON.stringify(one.meanwhile)}`,
      );
    }
  }
  console.log(
    `${played.length} faults, nothing lost, nothing twice: ${book.adjusted} adjustments, ${book.batches.size} batches; ` +
      `ended by themselves: web ${world.web.ownEnds()}, worker ${world.worker.ownEnds()} times`,
  );
} catch (error) {
  console.error(error);
  console.error(`Again: SEED=${SEED} MINUTES=${MINUTES} npm run soak -- faults`);
  process.exitCode = 1;
} finally {
  await world.close();
}
