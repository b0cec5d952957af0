/**
 * How long tests wait for what is to happen. Only a hang reaches it, on a busy machine many times slower than a present one:
 * a wait that ends early proves nothing about the service.
 */
export const PATIENCE_MS = 180_000;
/** Looking is a call of the service more often than not: more often, it takes a fifth of a core from what is waited for. */
export const PATIENCE_INTERVAL_MS = 50;

/** For `vi.waitUntil` and `vi.waitFor`; `expect.poll` has it from vitest.config.ts. */
export const patience = { timeout: PATIENCE_MS, interval: PATIENCE_INTERVAL_MS } as const;
