/**
 * The two tiers of the tests (vitest.config.ts). `npm test` runs the core: behaviour in process, each task in the browser once, a
 * sample of each sweep. `npm run test:deep` runs the files named `*.deep.test.ts`, and what the core leaves out of the files that
 * import this module. CI runs both tiers, so that nothing runs twice.
 */
import { test } from 'vitest';

const tier = process.env.TEST_TIER ?? 'core';
export const isDeep = tier === 'deep' || tier === 'all';

/** Returns the last case in the core and the others in the deep tier: widths of a browser, variants of a sweep. */
export function sample<T>(cases: readonly T[]): T[] {
  if (tier === 'all') return [...cases];
  return tier === 'deep' && cases.length > 1 ? cases.slice(0, -1) : cases.slice(-1);
}

/** Returns how many runs a property gets: in full in the deep tier, a part of them in the core. */
export function runs(inFull: number, inCore: number): number {
  return isDeep ? inFull : inCore;
}

/** A test that the core runs, in a file of which the deep tier runs the samples' other cases. */
export const coreTest = test.skipIf(tier === 'deep');

/** A test that only the deep tier runs: a rare case in a file whose tasks the core runs. */
export const deepTest = test.skipIf(!isDeep);
