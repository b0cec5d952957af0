/**
 * Two hosts in DATABASE_URL: the service finds the one that takes writes, and when that one dies and the other is made the
 * primary, it goes on there with everything that it has acknowledged.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitLogin, checkLogin } from '../../src/db/check-login.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type PostgresPair, startPostgresPair } from '../setup/standby.ts';
import { makeStockedWorkspace, type StockedWorkspace } from '../stock/stocked-workspace.ts';

const log = pino({ level: 'silent' });
let pair: PostgresPair;
let server: TestServer;
let url: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partbook-pair-'));
  pair = await startPostgresPair(folder, async (superuserUrl) => {
    await migrate(superuserUrl, log);
    await admitLogin(superuserUrl, serviceUrl(superuserUrl));
  });
  url = bothHosts(serviceUrl(pair.second), serviceUrl(pair.first));
  server = await startTestServer({ worker: true, databaseUrl: () => url });
});
afterAll(async () => {
  await server?.close();
  await pair?.stop();
});

/** The login and database of the first, with the second's host behind. */
function bothHosts(first: string, second: string): string {
  return first.replace(new URL(first).host, `${new URL(first).host},${new URL(second).host}`);
}

test('the host that takes writes is found behind one that does not, by the start too', async () => {
  await expect(checkLogin(url)).resolves.toBeUndefined();
  await expect(migrate(bothHosts(pair.second, pair.first), log)).resolves.toEqual([]);
  const ready = await server.request('/health/ready');
  expect(ready).toMatchObject({ status: 200, body: { checks: { database: { status: 'ok' } } } });
  await expect(checkLogin(databaseUrl(serviceUrl(pair.second), 'postgres'))).resolves.toBeUndefined();
});

test('the primary is killed under load: nothing that was acknowledged is lost, and all goes on at the other', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 4, locations: 1 });
  const senders = workspace.items.map((item) => startSender(workspace, item));
  const acknowledged = () => senders.reduce((sum, sender) => sum + sender.acknowledged(), 0);
  await expect.poll(acknowledged).toBeGreaterThan(40);

  await pair.killFirst();
  await expect.poll(() => senders.some(({ refused }) => refused.length > 0)).toBe(true);
  expect((await server.request('/health/ready')).status).toBe(503);
  const before = acknowledged();
  await pair.promoteSecond();
  await expect.poll(acknowledged).toBeGreaterThan(before + 40);
  await expect.poll(async () => (await server.request('/health/ready')).status).toBe(200);
  await Promise.all(senders.map((sender) => sender.stop()));

  for (const refused of senders.flatMap((sender) => sender.refused))
    expect(refused).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
  // Each was sent again under its key until it was acknowledged, and counts once.
  for (const [at, sender] of senders.entries()) {
    const positions = await workspace.ask('GET', `/stock/positions/by-item/${workspace.items[at]}`);
    expect(Number(positions.body.items[0].onHand)).toBe(sender.acknowledged());
  }
  await workspace.expectConsistent();
});

/** Adds one piece of the item after the other, each until it is acknowledged. */
function startSender(workspace: StockedWorkspace, item: string) {
  const refused: { status: number; retryAfter: string | null }[] = [];
  let acknowledged = 0;
  let isOn = true;
  const work = async () => {
    while (isOn) {
      const key = randomUUID();
      for (let isDone = false; !isDone; ) {
        const answer = await workspace.adjust(item, workspace.locations[0], 1, { key });
        isDone = answer.status === 201;
        if (isDone) acknowledged++;
        else refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') });
      }
    }
  };
  const ended = work();
  return {
    refused,
    acknowledged: () => acknowledged,
    stop: async () => {
      isOn = false;
      await ended;
    },
  };
}
