import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';
import { PATIENCE_INTERVAL_MS, PATIENCE_MS } from './test/setup/patience.ts';

const DEEP_FILES = 'test/**/*.deep.test.ts';

/** Files that run a sample in the core and everything in the deep tier: those that import the tier. */
const sampledFiles = globSync('test/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("/setup/tier.ts'"),
);

/** TEST_TIER: `core` (the default), `deep`, or `all` (both, in full). */
const tiers = {
  core: { include: ['test/**/*.test.ts'], exclude: [DEEP_FILES] },
  deep: { include: [DEEP_FILES, ...sampledFiles], exclude: [] },
  all: { include: ['test/**/*.test.ts'], exclude: [] },
};
const tier = process.env.TEST_TIER ?? 'core';
if (!(tier in tiers)) throw new Error(`TEST_TIER is "${tier}"; it must be core, deep or all`);

export default defineConfig({
  test: {
    ...tiers[tier as keyof typeof tiers],
    globalSetup: ['test/setup/global.ts'],
    pool: 'forks',
    fileParallelism: true,
    // Twice the cores of a small machine, because tests wait a lot: for a queue, a lock, a server that starts.
    maxWorkers: 4,
    // Concurrent tests of one file have a service or a browser profile each. Three at a time keep their waits far from the deadlines
    // on a slow machine.
    maxConcurrency: 3,
    // A worker process runs many files. Each file closes what it opens and no module keeps state, so files need no isolation; loading
    // the service again for each file would take a second of CPU.
    isolate: false,
    // Threads and programs that the tests start keep their compiled code, as the service does (src/main.ts). A start then takes a third of the CPU.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('.cache/compiled', import.meta.url)) },
    // Only a hang reaches these deadlines, even on a busy machine that is many times slower. No test has a deadline of its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: PATIENCE_INTERVAL_MS } },
    // Each file has its own database and queue prefix (test/setup/server.ts), so the order does not matter.
    sequence: { hooks: 'stack', sequencer: LongestFirst },
  },
});
