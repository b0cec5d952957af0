import { describe, expect, test } from 'vitest';
import { openTestPool } from '../conductor/open-test-pool.ts';
import { expectContained } from './expect-contained.ts';
import { hostileScripts } from './hostile-scripts.ts';

const WALL_MS = 600;
const pool = openTestPool(1, { wallMs: WALL_MS });

test('there are at least a hundred of them, each of its own', () => {
  expect(hostileScripts.length).toBeGreaterThanOrEqual(100);
  expect(new Set(hostileScripts.map(({ name }) => name)).size).toBe(hostileScripts.length);
});

describe('a hostile script ends within its limits and the next script runs', () => {
  test.for(hostileScripts)('$name', (script) => expectContained(pool, script, WALL_MS));
});
