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
import { routes } from '../../src/api.ts';
import { admitLogin, checkLogin } from '../../src/db/check-login.ts';
import { connectDb } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { StandbyReads } from '../../src/db/standby-reads.ts';
import type { Tx } from '../../src/db/transaction.ts';
import { mayBeStale } from '../../src/http/pipeline/stale-read.ts';
import { openGate } from '../setup/gate.ts';
import { databaseUrl, serviceUrl } from '../setup/global.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
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
  server = await startTestServer({
    worker: true,
    databaseUrl: () => url,
    environment: { DATABASE_STANDBY_URL: serviceUrl(pair.second), STANDBY_LAG_SECONDS: '3600' },
  });
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

const STALE = { Prefer: 'wait=1, stale-ok' };
const applied = (answer: TestAnswer) => answer.headers.get('preference-applied');

/** Asked until a standby has answered, which has to follow first. */
async function untilStale(ask: () => Promise<TestAnswer>): Promise<TestAnswer> {
  let answer = await ask();
  await expect
    .poll(async () => {
      answer = await ask();
      return applied(answer);
    })
    .toBe('stale-ok');
  return answer;
}

test('who takes what is a moment old is answered by the standby, and told how old; anybody else by the primary', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  expect((await workspace.adjust(item, location, 5)).status).toBe(201);
  const position = `/stock/positions/by-item/${item}`;
  const stale = (path: string, key = workspace.key) =>
    server.request(`/api/wid/${workspace.slug}${path}`, { key, headers: STALE });
  const onHand = (answer: TestAnswer) => Number(answer.body.items[0]?.onHand);
  await expect.poll(async () => onHand(await untilStale(() => stale(position)))).toBe(5);
  const spare = await server.request(`/api/wid/${workspace.slug}/api-keys`, {
    key: workspace.key,
    body: { name: 'For a while', permission: 'read' },
  });
  await untilStale(() => stale(position, spare.body.key));

  const resume = await pair.holdSecond();
  try {
    expect((await workspace.adjust(item, location, 2)).status).toBe(201);
    const old = await untilStale(() => stale(position));
    expect([applied(old), onHand(old)]).toEqual(['stale-ok', 5]);
    expect(old.headers.get('age')).toMatch(/^\d+$/);
    const now = await workspace.ask('GET', position);
    expect([applied(now), now.headers.get('age'), onHand(now)]).toEqual([null, null, 7]);
    // Nobody is refused for what has not come yet, and nobody is let in whom the primary knows better.
    const [made] = await workspace.addEntities(1);
    const parents = await stale(`/entities/${made}/where-used`);
    expect([parents.status, applied(parents), parents.body.items]).toEqual([200, null, []]);
    const young = await makeStockedWorkspace(server, { items: 2, locations: 0 });
    const list = await server.request(`/api/wid/${young.slug}/entities`, { key: young.key, headers: STALE });
    expect([applied(list), list.body.items.length]).toEqual([null, 2]);
    const revoked = await workspace.ask('DELETE', `/api-keys/${spare.body.id}`);
    expect(revoked.status, revoked.text).toBeLessThan(300);
    expect((await stale(position, spare.body.key)).status).toBe(401);
    const changed = await server.request(`/api/wid/${workspace.slug}/stock/adjustments`, {
      key: workspace.key,
      headers: STALE,
      body: { itemEntityId: item, locationEntityId: location, quantity: 1 },
    });
    expect([changed.status, applied(changed)]).toEqual([201, null]);
  } finally {
    await resume();
  }
  await expect.poll(async () => onHand(await stale(position))).toBe(8);
});

test('every list can be read from a standby', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 2, locations: 1 });
  const [item, child] = workspace.items;
  const use = await workspace.ask('PUT', `/entities/${item}/uses/${child}`, {
    quantity: 1,
    referenceDesignators: ['R1'],
  });
  expect(use.status, use.text).toBe(201);
  const named: Record<string, string> = { slug: workspace.slug, key: 'part' };
  const queries: Record<string, string> = { findUses: '?referenceDesignator=R1' };
  // Some answers have the moment of the call in them.
  const steady = ({ text }: TestAnswer) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment');
  const read: string[] = [];
  for (const { path, operationId } of routes.filter(mayBeStale)) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? item ?? '');
    const url = `${filled}${queries[operationId] ?? ''}`;
    const plain = await server.request(url, { key: workspace.key });
    // There is none of many things; whatever is there is the same.
    if (plain.status !== 200) continue;
    const answer = await untilStale(() => server.request(url, { key: workspace.key, headers: STALE }));
    expect([operationId, answer.status, steady(answer)]).toEqual([operationId, 200, steady(plain)]);
    read.push(operationId);
  }
  expect(read).toEqual(expect.arrayContaining(['listEntities', 'listPositions', 'listUses', 'findUses']));
});

test('of a standby that is too far behind, silent or away the primary is asked, and one that has come back is read again', async () => {
  const workspace = await makeStockedWorkspace(server, { items: 1, locations: 0 });
  const gate = await openGate();
  const behind = gate.through(serviceUrl(pair.second));
  let now = 0;
  let warnings = 0;
  const said = { warn: () => void warnings++ };
  const open = () =>
    connectDb({ url: behind, readsOnly: true, poolMax: 2, applicationName: 'test', log: said });
  const reads = new StandbyReads({
    primary: server.ctx.db,
    open,
    lagMsMax: 10_000,
    log: said,
    now: () => now,
  });
  const read = <T>(work: (tx: Tx) => Promise<T>) => reads.read(workspace.id, work);
  const look = (laterMs: number) => {
    now += laterMs;
    return read(
      async (tx) => (await tx.query('select from pg_stat_activity where pg_is_in_recovery()')).length > 0,
    );
  };
  // A standby that has failed is left alone for five seconds.
  const untilRead = () => expect.poll(() => look(6000)).toMatchObject({ value: true });
  try {
    await untilRead();
    // The next statement could be another standby's, behind a balancer or a pooler: the number and what is read are one snapshot.
    const moment = async (tx: Tx) => {
      const sql = `select now()::text as at, current_setting('transaction_isolation') as isolation`;
      const [one] = await tx.query<{ at: string; isolation: string }>(sql);
      const [other] = await tx.query<{ at: string; isolation: string }>(sql);
      return [one?.at === other?.at, other?.isolation];
    };
    expect((await read(moment))?.value).toEqual([true, 'repeatable read']);
    gate.stall();
    expect(await look(6000)).toBeNull();
    gate.open();
    await untilRead();
    gate.shut();
    expect(await look(6000)).toBeNull();
    gate.open();
    await untilRead();

    const resume = await pair.holdSecond();
    try {
      // Marks go on, and none arrives.
      const ages: (number | null)[] = [];
      for (let seconds = 0; seconds < 12; seconds++) ages.push((await look(1000))?.ageMs ?? null);
      expect(ages.at(-1)).toBeNull();
      expect(Math.max(...ages.map((age) => age ?? 0))).toBeLessThanOrEqual(10_000);
    } finally {
      await resume();
    }
    await untilRead();

    // What a read throws is for the primary to say, and no fault of the standby.
    const refuse = async () => {
      now += 6000;
      const before = warnings;
      let hasRun = false;
      const refused = await read(async () => {
        hasRun = true;
        throw new Error('It is not here');
      });
      return { hasRun, refused, warned: warnings - before };
    };
    await expect.poll(refuse).toEqual({ hasRun: true, refused: null, warned: 0 });
  } finally {
    await reads.close();
    await gate.close();
  }
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

  // The standby of before is the primary now; reads go on there.
  await untilStale(() =>
    server.request(`/api/wid/${workspace.slug}/stock/positions`, { key: workspace.key, headers: STALE }),
  );
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
