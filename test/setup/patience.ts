/**
 * How long tests wait for what is to happen. Only a hang reaches it, on a busy machine many times slower than a present one:
 * a wait that ends early proves nothing about the service.
 */
export const PATIENCE_MS = 180_000;

/** For `vi.waitUntil` and `vi.waitFor`; `expect.poll` has it from vitest.config.ts. */
export const patience = { timeout: PATIENCE_MS, interval: 20 } as const;
