import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { PATIENCE_MS } from './test/setup/patience.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    pool: 'forks',
    fileParallelism: true,
    maxWorkers: 2,
    // Deadlines that only a hang reaches, on a busy machine many times slower than a present one. No test has its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 20 } },
    // Files have a database and a queue prefix each (test/setup/server.ts), so they need no order.
    sequence: { hooks: 'stack', sequencer: LongestFirst },
  },
});
