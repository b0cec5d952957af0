/**
 * Some of the faults of bench/soak/faults/cases.ts, chosen by a seed (FAULTS_SEED repeats a run); `npm run soak -- faults` plays
 * all of them again and again. Each has what calls must be answered meanwhile, and must lose nothing.
 */
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Acknowledged } from '../../bench/soak/faults/callers.ts';
import { cases } from '../../bench/soak/faults/cases.ts';
import { playCase } from '../../bench/soak/faults/play-case.ts';
import { openWorld, type World } from '../../bench/soak/faults/world.ts';
import { openRandom } from '../../bench/soak/random.ts';

const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000);
const random = openRandom(seed);
/** So many of each kind of server, so that no run leaves one out. */
const CHOSEN = { PostgreSQL: 2, Redis: 1, others: 1 };
const kindOf = (name: string): keyof typeof CHOSEN =>
  /^(clock|slow)/.test(name) ? 'others' : name.startsWith('Redis') ? 'Redis' : 'PostgreSQL';
const chosen = (Object.keys(CHOSEN) as (keyof typeof CHOSEN)[]).flatMap((kind) =>
  random.shuffle(cases.filter(({ name }) => kindOf(name) === kind)).slice(0, CHOSEN[kind]),
);

describe.skipIf(inject('redisUrl') === null || process.platform !== 'linux')(`faults of seed ${seed}`, () => {
  let world: World;
  const book: Acknowledged = { adjusted: 0, batches: new Map() };
  beforeAll(async () => {
    const opened = await openWorld({ cacheDir: resolve('.cache') });
    if (opened === null) throw new Error('There is no Redis');
    world = opened;
  });
  afterAll(() => world?.close());

  test.for(chosen)(
    '$name: calls are answered as they should be, and nothing is lost',
    async (fault, { skip }) => {
      const why = fault.lacks?.(world) ?? null;
      if (why !== null) skip(why);
      const played = await playCase(world, fault, random.share(), book);
      expect(played.meanwhile).not.toEqual({});
    },
  );
});
