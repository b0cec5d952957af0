// Keys and tokens that open nothing are limited by address, and nobody with a valid one is locked out by it.
import { afterEach, expect, test } from 'vitest';
import { makeKey } from '../../src/access/key-text.ts';
import { clientAddress } from '../../src/http/requests/client-address.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const LIMIT = 5;
let server: TestServer;
afterEach(() => server.close());

async function start(environment: Record<string, string> = {}): Promise<void> {
  server = await startTestServer({
    environment: { GUESSES_MAX: String(LIMIT), GUESSES_SECONDS: '600', TRUST_PROXY: '1', ...environment },
  });
}
const from = (address: string) => ({ 'X-Forwarded-For': address });

const operatorPaths = ['/api/workspaces', '/admin/queues/api/queues'];

async function tryAll(): Promise<void> {
  const { path, key } = await server.createWorkspace();
  const ask = (shown: string | undefined, address: string, where = `${path}/api-keys`) =>
    server.request(where, { ...(shown === undefined ? {} : { key: shown }), headers: from(address) });
  const statuses: number[] = [];
  for (let n = 0; n < LIMIT; n++) statuses.push((await ask(makeKey(), '8.8.0.1')).status);
  expect(statuses).toEqual(Array(LIMIT).fill(401));
  const refused = await ask(makeKey(), '8.8.0.1');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Whatever opens nothing counts, and the operator's token is guessed at the same price.
  for (const where of operatorPaths)
    expect([where, (await ask('wrong', '8.8.0.1', where)).status]).toEqual([where, 429]);

  // From the same address, for the first time, and beside more guesses than may wait: let in.
  const guesses = Array.from({ length: 150 }, () => ask(makeKey(), '8.8.0.1'));
  expect((await ask(key, '8.8.0.1')).status).toBe(200);
  for (const where of operatorPaths)
    expect([where, (await ask(server.ctx.operatorToken, '8.8.0.1', where)).status]).toEqual([where, 200]);
  expect((await Promise.all(guesses)).every(({ status }) => status === 429)).toBe(true);

  // Elsewhere nobody knows of it; without a key nothing is guessed.
  expect((await ask(makeKey(), '8.8.0.2')).status).toBe(401);
  for (let n = 0; n < 3 * LIMIT; n++) expect((await ask(undefined, '8.8.0.3')).status).toBe(401);
  // A key that is too weak, or another workspace's, is no guess.
  const { path: foreign } = await server.createWorkspace();
  for (let n = 0; n < 3 * LIMIT; n++)
    expect((await ask(key, '8.8.0.4', `${foreign}/api-keys`)).status).toBe(403);
  // The secret of a CSV link is guessed at the price of a key, and whoever has a good one is let in.
  const made = await server.request(`${path}/csv-links`, {
    key,
    headers: from('8.8.0.6'),
    body: { name: 'x', table: { of: 'positions' } },
  });
  const fetched = async (secret: string) =>
    (await server.request(`${path}/csv/${secret}`, { headers: from('8.8.0.5') })).status;
  const misses: number[] = [];
  for (let n = 0; n <= LIMIT; n++) misses.push(await fetched(makeKey('pbl')));
  expect(misses).toEqual([...Array(LIMIT).fill(404), 429]);
  expect(await fetched(made.body.url.split('/').at(-1))).toBe(200);
}

test('guesses get 429 from the limit on, valid callers at the same address are served', async () => {
  await start();
  await tryAll();
});

test('the same without Redis', async () => {
  await start();
  server.ctx.redis?.disconnect();
  await tryAll();
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('%s counts as %s', async (ip, counted) => {
  await start();
  expect(clientAddress({ ip })).toBe(counted);
});
