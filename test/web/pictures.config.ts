/** `npm run web:pictures`: no test, and so not among them. */
import { defineConfig } from 'vitest/config';
import { PATIENCE_INTERVAL_MS, PATIENCE_MS } from '../setup/patience.ts';

export default defineConfig({
  test: {
    include: ['test/web/take-pictures.ts'],
    globalSetup: ['test/setup/global.ts'],
    expect: { poll: { timeout: PATIENCE_MS, interval: PATIENCE_INTERVAL_MS } },
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
