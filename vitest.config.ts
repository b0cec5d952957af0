import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { PATIENCE_INTERVAL_MS, PATIENCE_MS } from './test/setup/patience.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    pool: 'forks',
    fileParallelism: true,
    // One more than there are cores on a small machine: much of a test is waiting, for a queue, a lock, a server that starts.
    maxWorkers: 3,
    // Tests of one file that say they may run at once: they have a service or a browser's profile each, and their waits stay far from
    // their deadlines on a slow machine.
    maxConcurrency: 3,
    // A worker goes through many files: what a file leaves is its own (no module remembers, and each closes what it opens),
    // and loading the service for each anew takes a second of a processor.
    isolate: false,
    // What the threads and programs that tests start have compiled, as the service keeps it (src/main.ts): a start is a third of the work then.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)) },
    // Deadlines that only a hang reaches, on a busy machine many times slower than a present one. No test has its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: PATIENCE_INTERVAL_MS } },
    // Files have a database and a queue prefix each (test/setup/server.ts), so they need no order.
    sequence: { hooks: 'stack', sequencer: LongestFirst },
  },
});
