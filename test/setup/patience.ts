/**
 * The time that tests wait for a condition. Only a hang reaches it, also on a machine that is many times slower than a present one.
 * Set TEST_PATIENCE_MS to a smaller value to see failures sooner while you work on a test.
 */
export const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 180_000);
/** The time between two looks at a condition. A shorter interval takes CPU from the service that the test waits for. */
export const PATIENCE_INTERVAL_MS = 50;

/** The options of `vi.waitUntil` and `vi.waitFor`. `expect.poll` gets the same values from vitest.config.ts. */
export const patience = { timeout: PATIENCE_MS, interval: PATIENCE_INTERVAL_MS } as const;
