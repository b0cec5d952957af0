/** What a look into the outbox finds, what it opens and claims, and what the look that finds nothing reads. */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectDb, type Db } from '../../src/db/connect.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { prepared } from '../../src/db/wire/statement.ts';
import { unreadAnywhere } from '../../src/events/outbox.sql.ts';
import { type DueLane, relayEvents } from '../../src/events/relay-events.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

const HEAL_SECONDS = 60;
const [first, second, resting] = [newId(), newId(), newId()];
let database: TestDatabase;
let owner: Client;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  const log = { warn: () => {} };
  // One connection, so that what it has prepared can be looked at: a pooler gives statements names of its own.
  db = await connectDb({ url: database.url, poolMax: 1, applicationName: 'test', log });
  await owner.query(
    `insert into workspace (id, slug, name, state)
     select id, 'w-' || id, 'W', case when id = $2 then 'moving' else 'active' end from unnest($1::uuid[]) as id`,
    [[first, second, resting], resting],
  );
});

beforeEach(() => owner.query('truncate outbox, event_lane'));

afterAll(async () => {
  await db?.close();
  await owner?.end();
  await database?.drop();
});

/** By reader, of whom is announced what. */
async function look(): Promise<{
  automation: string[];
  webhook: string[];
  inbox: string[];
  announced: number;
}> {
  const found = { automation: [] as string[], webhook: [] as string[], inbox: [] as string[] };
  const note = (list: string[]) => async (lane: DueLane) => void list.push(lane.workspaceId);
  const announce = {
    automation: note(found.automation),
    webhook: note(found.webhook),
    inbox: note(found.inbox),
  };
  const announced = await relayEvents({ db, announce }, HEAL_SECONDS);
  const [automation, webhook, inbox] = [found.automation, found.webhook, found.inbox].map((ids) =>
    ids.toSorted(),
  );
  return { automation: automation ?? [], webhook: webhook ?? [], inbox: inbox ?? [], announced };
}

async function record(
  workspaceId: string,
  { automation, webhook, inbox = true }: { automation: boolean; webhook: boolean; inbox?: boolean },
): Promise<void> {
  await owner.query(
    `insert into outbox (workspace_id, id, context_type, events, event_count, depth, automation_done, webhook_done, inbox_done)
     values ($1, $2, 1, $3, 1, 0, $4, $5, $6)`,
    [workspaceId, newId(), '[]', automation, webhook, inbox],
  );
}

async function lanes(): Promise<string[]> {
  const { rows } = await owner.query<{ lane: string }>(
    `select workspace_id || ' ' || reader as lane from event_lane order by 1`,
  );
  return rows.map(({ lane }) => lane);
}

test('where nothing is unread no lane is opened', async () => {
  await record(first, { automation: true, webhook: true });
  expect(await look()).toEqual({ automation: [], webhook: [], inbox: [], announced: 0 });
  expect(await lanes()).toEqual([]);
});

test('each reader is announced the workspaces that have something for it, once', async () => {
  await record(first, { automation: false, webhook: true });
  await record(second, { automation: true, webhook: false });
  expect(await look()).toEqual({ automation: [first], webhook: [second], inbox: [], announced: 2 });
  expect(await lanes()).toEqual([`${first} automation`, `${second} webhook`].toSorted());
  expect(await look()).toEqual({ automation: [], webhook: [], inbox: [], announced: 0 });
  await record(second, { automation: false, webhook: false });
  expect(await look()).toEqual({ automation: [second], webhook: [], inbox: [], announced: 1 });
});

test('what only a workspace has that rests is not looked at', async () => {
  await record(resting, { automation: false, webhook: false });
  expect(await look()).toEqual({ automation: [], webhook: [], inbox: [], announced: 0 });
  expect(await lanes()).toEqual([]);
});

test('an announcement that was lost is made again, though nothing has come since', async () => {
  await record(first, { automation: false, webhook: true });
  expect((await look()).automation).toEqual([first]);
  await owner.query(
    `update event_lane set announced_at = clock_timestamp() - make_interval(secs => ${2 * HEAL_SECONDS})`,
  );
  expect((await look()).automation).toEqual([first]);
});

test('the plan that was made of a backlog passes over what has been read', async () => {
  await owner.query(
    `insert into outbox (workspace_id, id, context_type, events, event_count, depth, automation_done, webhook_done, inbox_done)
     select $1, uuidv7(), 1, '[]', 1, 0, false, false, false from generate_series(1, 20000)`,
    [first],
  );
  await owner.query('analyze outbox');
  await look();
  await owner.query('update outbox set automation_done = true, webhook_done = true, inbox_done = true');
  const { name } = prepared(unreadAnywhere, []);
  const lines = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers off, timing off) execute "${name}"`),
  );
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).not.toMatch(/Seq Scan on outbox|Rows Removed by Filter/);
});

test('the plan that was made of an empty table passes over what has been read', async () => {
  const rowsOf = 20_000;
  await look();
  await owner.query(
    `insert into outbox (workspace_id, id, context_type, events, event_count, depth, automation_done, webhook_done)
     select $1, uuidv7(), 1, '[]', 1, 0, true, true from generate_series(1, ${rowsOf})`,
    [first],
  );
  for (const reader of ['automation', 'webhook', 'inbox'])
    await record(second, {
      automation: reader !== 'automation',
      webhook: reader !== 'webhook',
      inbox: reader !== 'inbox',
    });
  const { name } = prepared(unreadAnywhere, []);
  const lines = await inTransaction(db, 'instance', (tx) =>
    tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers off, timing off) execute "${name}"`),
  );
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/outbox_for_automations/);
  expect(plan).toMatch(/outbox_for_webhooks/);
  expect(plan).toMatch(/outbox_for_inbox/);
  expect(plan).not.toMatch(/Seq Scan on outbox|Rows Removed by Filter/);
  expect(await look()).toEqual({ automation: [second], webhook: [second], inbox: [second], announced: 3 });
});
