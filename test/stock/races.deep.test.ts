import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { type OtherServer, startOtherServer } from './other-server.ts';
import { asSuperuser, makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let others: OtherServer[];
let workspace: StockedWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  others = await Promise.all([startOtherServer(server), startOtherServer(server)]);
  workspace = await makeStockedWorkspace(server, { items: 40, locations: 10 });
});
afterAll(async () => {
  await Promise.all(others.map((other) => other.end()));
  await server.close();
});

interface Reply {
  status: number;
  headers: Headers;
  body: TestAnswer['body'];
}

async function post(baseUrl: string, path: string, body: unknown, key?: string): Promise<Reply> {
  const response = await fetch(`${baseUrl}/api/wid/${workspace.slug}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Runs them all with that many at a time, spread over the processes. */
async function atOnce<T>(
  count: number,
  width: number,
  work: (i: number, baseUrl: string) => Promise<T>,
): Promise<T[]> {
  const urls = [server.baseUrl, ...others.map((other) => other.baseUrl)];
  const results: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let i = next++; i < count; i = next++) results[i] = await work(i, urls[i % urls.length] as string);
    }),
  );
  return results;
}

const adjustment = (item: number, location: number, quantity: number) => ({
  itemEntityId: workspace.items[item],
  locationEntityId: workspace.locations[location],
  quantity,
});
const tally = (replies: Reply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status, body }) => `${status} ${body.code ?? ''}`.trim())].map(
      ([name, all]) => [name, all.length],
    ),
  );

test('of 1000 withdrawals of 500 units exactly 500 succeed, over three processes', async () => {
  await post(server.baseUrl, '/stock/adjustments', adjustment(0, 0, 500));
  const replies = await atOnce(1000, 60, (_, url) => post(url, '/stock/adjustments', adjustment(0, 0, -1)));
  expect(tally(replies)).toEqual({ '201': 500, '409 insufficient_stock': 500 });
  const sequences = replies.filter(({ status }) => status === 201).map(({ body }) => body.entry.sequence);
  expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, i) => i + 2));
  await workspace.expectConsistent();
});

test('a refusal of one caller does not touch another in the same group', async () => {
  await post(server.baseUrl, '/stock/adjustments', adjustment(1, 0, 1));
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const body =
        i % 4 === 3
          ? { ...adjustment(1, 1, 1), itemEntityId: workspace.locations[0] }
          : adjustment(1, i % 2, i % 2 === 0 ? -100 : 1);
      return post(server.baseUrl, '/stock/adjustments', body);
    }),
  );
  for (const [i, { status }] of replies.entries()) {
    expect(status).toBe(i % 4 === 3 ? 422 : i % 2 === 0 ? 409 : 201);
  }
  await workspace.expectConsistent();
});

test('a caller that breaks the transaction breaks only its own', async () => {
  await asSuperuser(server, (client) =>
    client.query(`
      create function refuse_poison() returns trigger language plpgsql as
        'begin if new.note = ''poison'' then raise exception ''poisoned''; end if; return new; end';
      create trigger poison before insert on stock_ledger for each row execute function refuse_poison()`),
  );
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      post(server.baseUrl, '/stock/adjustments', {
        ...adjustment(2, 0, 1),
        ...(i === 25 ? { note: 'poison' } : {}),
      }),
    ),
  );
  await asSuperuser(server, (client) => client.query('drop trigger poison on stock_ledger'));
  expect(tally(replies)).toEqual({ '201': 39, '500 internal_error': 1 });
  await workspace.expectConsistent();
});

test('batches that name the same positions in opposite orders all succeed, new positions included', async () => {
  const lines = Array.from({ length: 120 }, (_, i) => adjustment(3 + (i % 20), Math.floor(i / 20), 1));
  const replies = await atOnce(30, 12, (i, url) =>
    post(url, '/stock/adjustments/batch', { adjustments: i % 2 === 0 ? lines : lines.toReversed() }),
  );
  expect(tally(replies)).toEqual({ '201': 30 });
  const rows = await workspace.transact((tx) =>
    tx.query<{ on_hand: string }>(
      'select on_hand from stock_position where workspace_id = $1 and item_id = any($2::uuid[])',
      [workspace.id, workspace.items.slice(3, 23)],
    ),
  );
  expect(rows).toHaveLength(120);
  expect(new Set(rows.map((row) => Number(row.on_hand)))).toEqual(new Set([30]));
  await workspace.expectConsistent();
});

test('a first movement of a position, raced by all processes, makes it once', async () => {
  const replies = await atOnce(90, 30, (i, url) =>
    post(url, '/stock/adjustments', adjustment(24 + Math.floor(i / 30), 7, 1)),
  );
  expect(tally(replies)).toEqual({ '201': 90 });
  await workspace.expectConsistent();
});

test('the same Idempotency-Key 50 times at once makes one adjustment', async () => {
  const replies = await atOnce(50, 50, (_, url) =>
    post(url, '/stock/adjustments', adjustment(30, 0, 5), 'fifty-times'),
  );
  const made = replies.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ body }) => body.entry.id)).size).toBe(1);
  expect(made.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  for (const { status, body } of replies) {
    expect(status === 201 || body.code === 'idempotency_in_progress').toBe(true);
  }
  const after = await post(server.baseUrl, '/stock/adjustments', adjustment(30, 0, 5), 'fifty-times');
  expect(after.body.entry).toMatchObject({ sequence: 1, onHandAfter: 5 });
  await workspace.expectConsistent();
});

test('kill -9 loses nothing that was acknowledged, and a repetition does nothing twice', async () => {
  const victim = await startOtherServer(server);
  const COUNT = 600;
  const ordered = { ...adjustment(31, 2, COUNT), type: 'purchaseOrder' };
  const { line } = (await post(server.baseUrl, '/stock/lines', ordered)).body;
  // A third of them are receipts of one line.
  const move = (i: number, baseUrl: string) =>
    i % 3 === 2
      ? post(baseUrl, `/stock/lines/${line.id}/receipts`, { quantity: 1 }, `kill-${i}`)
      : post(baseUrl, '/stock/adjustments', adjustment(31, i % 3, 1), `kill-${i}`);
  const entryOf = ({ body }: Reply) => (body.entry ?? body.entries[0]).id;
  const acknowledged = new Map<number, string>();
  let killed: Promise<void> | null = null;
  let next = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let i = next++; i < COUNT; i = next++) {
        try {
          const reply = await move(i, victim.baseUrl);
          if (reply.status === 201) acknowledged.set(i, entryOf(reply));
        } catch {
          // The connection broke: whether it was done is what the repetition tells.
        }
        if (acknowledged.size >= 200) killed ??= victim.kill();
      }
    }),
  );
  await killed;
  expect(acknowledged.size).toBeGreaterThanOrEqual(200);
  expect(acknowledged.size).toBeLessThan(COUNT);
  await workspace.expectConsistent();

  const repeated = await atOnce(COUNT, 32, async (i, url) => {
    for (;;) {
      const reply = await move(i, url);
      // The server may not have noticed yet that the dead process's connections are gone.
      if (reply.body.code !== 'idempotency_in_progress') return reply;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  expect(tally(repeated)).toEqual({ '201': COUNT });
  for (const [i, id] of acknowledged) expect(entryOf(repeated[i] as Reply)).toBe(id);
  expect((await workspace.ask('GET', `/stock/lines/${line.id}`)).body.receivedQty).toBe(COUNT / 3);
  const { body } = await workspace.ask('GET', `/stock/positions/by-item/${workspace.items[31]}`);
  expect(body.items.map((position: { onHand: number }) => position.onHand)).toEqual([200, 200, 200]);
  await workspace.expectConsistent();
});

test('the line of waiting adjustments is bounded', async () => {
  const small = await startTestServer({ environment: { STOCK_WAITING_MAX: '3', STOCK_GROUP_MAX: '2' } });
  const own = await makeStockedWorkspace(small);
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => own.adjust(own.items[0], own.locations[0], 1)),
  );
  const made = replies.filter(({ status }) => status === 201).length;
  const turnedAway = replies.filter(({ body }) => body.code === 'stock_busy');
  expect(made + turnedAway.length).toBe(60);
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(turnedAway[0]?.status).toBe(429);
  expect(turnedAway[0]?.headers.get('retry-after')).toBe('1');
  const { body } = await own.ask('GET', `/stock/positions/by-item/${own.items[0]}`);
  expect(body.items[0].onHand).toBe(made);
  await own.expectConsistent();
  await small.close();
});
