/** Builds `web/dist`, which the web process serves; `npm run web:dev` serves the sources beside a running service. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const service = process.env.PARTBOOK_URL ?? 'http://127.0.0.1:3000';

/** Adds Scalar's bundle, which the service shows at `/docs`, as a file of its own: the app does not load it. */
const apiReference: Plugin = {
  name: 'api-reference',
  apply: 'build',
  buildStart() {
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
    const source = readFileSync(join(dirname(entry), 'browser/standalone.js'));
    this.emitFile({ type: 'asset', name: 'api-reference.js', source });
  },
};

const config: UserConfig = {
  root: import.meta.dirname,
  publicDir: 'static',
  // Each answer replaces it with a nonce of its own, and names that in its policy.
  html: { cspNonce: '__CSP_NONCE__' },
  plugins: [react(), apiReference],
  build: {
    target: 'es2024',
    // A data: address would need a word in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5000,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/admin', '/docs', '/openapi.json'].map((path) => [path, { target: service }]),
    ),
  },
};

export default defineConfig(({ command }) => {
  // Whoever starts the build may run under another one, as the tests do: what is delivered is always the same.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return config;
});
