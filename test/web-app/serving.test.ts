// The web app is served at `/`: a page under a strict policy for every address of its own, and files that are kept.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partbook-web-'));
  server = await startTestServer({ webFolder: folder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = 'console.log(1);'.repeat(500);
const font = 'not really a font';
let builds = 0;
async function build(title: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets/main-1a2b.js'), script);
  await writeFile(join(folder, 'assets/plex-3c4d.woff2'), font);
  await writeFile(join(folder, 'assets/codes.wasm.worker-7a_8-b.js'), script);
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, '.stamp'), 'of the build');
  const page = join(folder, 'index.html');
  await writeFile(
    page,
    `<title>${title}</title><style nonce="__CSP_NONCE__"></style><script nonce="__CSP_NONCE__"></script>`,
  );
  // Two builds within one tick of the clock are two all the same.
  await utimes(page, 1000 + builds, 1000 + builds++);
}

test('where it is not built, the page says what to do, and the interface works', async () => {
  const answer = await server.request('/', { headers: asBrowser });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(answer.text).toContain('npm run build');
  expect((await server.request('/health/live')).status).toBe(200);
});

test('every address that a person opens is the page, each time with a nonce of its own', async () => {
  await build('first');
  const nonces = new Set<string>();
  for (const path of ['/', '/acme/entities/0199?tab=uses', '/sign-in', '/apiary']) {
    const answer = await server.request(path, { headers: asBrowser });
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    const nonce = /style nonce="([^"]+)"/.exec(answer.text)?.[1] ?? '';
    expect(answer.text).not.toContain('__CSP_NONCE__');
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none';script-src 'self';style-src 'self' 'nonce-${nonce}';style-src-attr 'none';img-src 'self';` +
        `font-src 'self';connect-src 'self';worker-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';` +
        `frame-ancestors 'none'`,
    );
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
  expect((await server.request('/')).status).toBe(200);
  expect((await server.request('/', { method: 'HEAD' })).headers.get('content-type')).toContain('text/html');
});

test('what is not the app’s is refused as ever', async () => {
  const cases: [string, string, Record<string, string>][] = [
    ['GET', '/api/wid/acme/nothing', asBrowser],
    ['GET', '/api', asBrowser],
    ['GET', '/health/nothing', asBrowser],
    ['GET', '/assets/gone-9f9f.js', asBrowser],
    ['GET', '/acme/entities', { Accept: 'application/json' }],
    ['GET', '/acme/entities', { Accept: '*/*' }],
    ['POST', '/acme/entities', asBrowser],
    ['GET', '/.stamp', { Accept: '*/*' }],
    ['GET', '/assets/../index.html.bak', { Accept: '*/*' }],
    ['GET', '/%2e%2e/package.json', { Accept: '*/*' }],
  ];
  for (const [method, path, headers] of cases) {
    const answer = await server.request(path, { method, headers });
    expect([method, path, answer.status, answer.body?.code]).toEqual([method, path, 404, 'not_found']);
  }
});

test('files with a hash in their name are kept for ever, others are asked for again', async () => {
  const asset = await server.request('/assets/main-1a2b.js');
  expect([asset.status, asset.text]).toEqual([200, script]);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');

  // Only such a worker may run WebAssembly, and it may do nothing else.
  expect(asset.headers.get('content-security-policy')).toBe(`default-src 'none';frame-ancestors 'none'`);
  const worker = await server.request('/assets/codes.wasm.worker-7a_8-b.js');
  expect(worker.headers.get('content-security-policy')).toBe(
    `default-src 'none';script-src 'wasm-unsafe-eval';connect-src 'self';frame-ancestors 'none'`,
  );

  const icon = await server.request('/icon.svg');
  expect(icon.headers.get('cache-control')).toBe('no-cache');
  const tag = icon.headers.get('etag') ?? '';
  expect((await server.request('/icon.svg', { headers: { 'If-None-Match': tag } })).status).toBe(304);
});

test('scripts come compressed as they are asked for, fonts as they are', async () => {
  const encodingOf = async (path: string, accepted: string) => {
    const answer = await fetch(`${server.baseUrl}${path}`, { headers: { 'Accept-Encoding': accepted } });
    expect(answer.headers.get('vary')).toContain('Accept-Encoding');
    // fetch has undone the encoding: it is the file again.
    expect(await answer.text()).toBe(path.endsWith('.js') ? script : font);
    return [answer.headers.get('content-encoding'), Number(answer.headers.get('content-length'))];
  };
  const [brotli, brotliBytes] = await encodingOf('/assets/main-1a2b.js', 'gzip, br');
  expect(brotli).toBe('br');
  expect(brotliBytes).toBeLessThan(script.length / 10);
  expect((await encodingOf('/assets/main-1a2b.js', 'gzip'))[0]).toBe('gzip');
  expect(await encodingOf('/assets/main-1a2b.js', 'identity')).toEqual(['identity', script.length]);
  expect((await encodingOf('/assets/plex-3c4d.woff2', 'gzip, br'))[0]).toBe('identity');
});

test('a new build is served without a new start', async () => {
  await build('first');
  expect((await server.request('/')).text).toContain('<title>first</title>');
  await build('second');
  await writeFile(join(folder, 'assets/more-5e6f.js'), 'more');
  await build('third');
  expect((await server.request('/')).text).toContain('<title>third</title>');
  expect((await server.request('/assets/more-5e6f.js')).text).toBe('more');
});
