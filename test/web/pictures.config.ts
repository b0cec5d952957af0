/** `npm run web:pictures`: no test, and so not among them. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/web/take-pictures.ts'],
    globalSetup: ['test/setup/global.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
