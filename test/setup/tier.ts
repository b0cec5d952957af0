/**
 * The two tiers of the tests (vitest.config.ts). `npm test` runs the core: behaviour in process, each task in the browser once, a
 * sample of each sweep. `npm run test:deep` runs the files named `*.deep.test.ts`, and the files that import this module in full.
 */
export const isDeep = process.env.TEST_TIER === 'deep' || process.env.TEST_TIER === 'all';

/** Returns all the cases in the deep tier, and the last one in the core: widths of a browser, variants of a sweep. */
export function sample<T>(cases: readonly T[]): T[] {
  return isDeep ? [...cases] : cases.slice(-1);
}

/** Returns how many runs a property gets: in full in the deep tier, a part of them in the core. */
export function runs(inFull: number, inCore: number): number {
  return isDeep ? inFull : inCore;
}
