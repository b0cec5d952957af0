import { describe, expect, test } from 'vitest';
import { openTestPool } from '../conductor/open-test-pool.ts';
import { expectContained } from './expect-contained.ts';
import { hostileScripts } from './hostile-scripts.ts';

/** What a script of a few steps has on a busy machine, and most that never end use up. */
const pool = openTestPool(1, { cpuMs: 300, wallMs: 5000 });

test('there are at least a hundred of them, each of its own', () => {
  expect(hostileScripts.length).toBeGreaterThanOrEqual(100);
  expect(new Set(hostileScripts.map(({ name }) => name)).size).toBe(hostileScripts.length);
});

describe('a hostile script ends within its limits and the next script runs', () => {
  test.for(hostileScripts)('$name', (script) => expectContained(pool, script));
});
