/**
 * A workspace that is being moved, or is gone, is left alone by everything: by callers, by jobs that were announced before,
 * and by all that looks over all workspaces. Beside it another one with the same work goes on.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyUses } from '../../src/access/note-key-use.ts';
import { routes } from '../../src/api.ts';
import { recordPeriod } from '../../src/console/actions/record-series.ts';
import { restingState } from '../../src/db/resting.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { relayEvents } from '../../src/events/relay-events.ts';
import { type JobName, jobs } from '../../src/queue/catalogue.ts';
import { pruneOld } from '../../src/retention.ts';
import { takeDueDigests } from '../../src/stock/digest/daily-digests.ts';
import { healBatches } from '../../src/sync/batch/heal-batches.ts';
import { forgetWorkspace } from '../../src/transfer/forget-workspace.ts';
import { lockExclusively } from '../../src/transfer/move.sql.ts';
import { type RunningWorker, startWorker } from '../../src/work.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from '../stock/stocked-workspace.ts';
import { element, syncCalls } from '../sync/sync-calls.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';

let server: TestServer;
let owner: Client;
let receiver: Receiver;
let worker: RunningWorker | null = null;
let active: StockedWorkspace;
const resting = new Map<'moving' | 'gone', StockedWorkspace>();
/** What the three had when the first worker began. */
const left = new Map<string, Record<string, string>>();
/** The secret of a CSV link of each. */
const links = new Map<string, string>();

beforeAll(async () => {
  receiver = await openReceiver();
  server = await startTestServer({
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', EVENT_POLL_MS: '50', LEDGER_DIGEST_HOURS: '1' },
  });
  owner = new Client({ connectionString: server.ctx.config.DATABASE_URL as string });
  await owner.connect();
  active = await makeBusyWorkspace();
  for (const state of ['moving', 'gone'] as const) {
    const workspace = await makeBusyWorkspace();
    resting.set(state, workspace);
    await owner.query(`update workspace set state = 'moving' where id = $1`, [workspace.id]);
    if (state === 'gone')
      await owner.query(
        `update workspace set state = 'gone', moved_to = 'https://cell-2.example' where id = $1`,
        [workspace.id],
      );
    left.set(workspace.id, await rowsOf(workspace.id));
  }
});
afterAll(async () => {
  await worker?.close();
  await owner?.end();
  await server?.close();
  await receiver?.close();
});

const of = (state: 'moving' | 'gone') => resting.get(state) as StockedWorkspace;

/** With work of every kind that nobody has done yet, since no worker runs; and with what is past its retention. */
async function makeBusyWorkspace(): Promise<StockedWorkspace> {
  const workspace = await makeStockedWorkspace(server);
  const must = async (status: number, path: string, body: unknown, headers = {}) => {
    const answer = await workspace.ask('POST', path, body, headers);
    expect(answer.status, answer.text).toBe(status);
    return answer.body;
  };
  await must(201, '/automations', {
    name: 'Tells',
    contextTypeId: 4,
    script: `api.log.info(context.entityNumber)`,
  });
  await must(201, '/webhooks', { url: receiver.url, events: ['entity.updated', 'import.completed'] });
  const link = await must(201, '/csv-links', { name: 'Stock', table: { of: 'positions' } });
  links.set(workspace.slug, link.url.split('/').at(-1));
  const [item, location] = [workspace.items[0], workspace.locations[0]];
  await workspace.adjust(item, location, 5, { key: randomUUID() });
  const renamed = await workspace.ask('PATCH', `/entities/${item}`, { name: 'Renamed' });
  expect(renamed.status, renamed.text).toBe(200);
  const sent = await syncCalls(server, workspace).send(
    { entities: Array.from({ length: 300 }, () => element()) },
    { headers: { Prefer: 'respond-async' } },
  );
  expect(sent.status, sent.text).toBe(202);
  // A body that stopped arriving, kept answers and events that are old, and deliveries that are due.
  await owner.query(
    `insert into sync_batch (workspace_id, id, status, profile_name, submitted_by, progressed_at)
     values ($1, gen_random_uuid(), 'receiving', 'pdm', $1, now() - interval '1 day')`,
    [workspace.id],
  );
  await owner.query(
    `insert into outbox (workspace_id, id, context_type, events, event_count, recorded_at, automation_done, webhook_done)
     values ($1, gen_random_uuid(), 4, '', 0, now() - interval '1 year', true, true)`,
    [workspace.id],
  );
  await owner.query(`update kept_answer set created_at = now() - interval '1 year' where workspace_id = $1`, [
    workspace.id,
  ]);
  await owner.query(
    `insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status, next_attempt_at)
     select workspace_id, id, gen_random_uuid(), 'entity.updated', '{}', 'pending', now() from webhook where workspace_id = $1`,
    [workspace.id],
  );
  return workspace;
}

/** But for kept answers, which go a partition at a time, whosever they are: past their retention nobody asks for them. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await owner.query(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' and table_name !~ '^kept_answer' order by 1`,
  );
  return rows.map((row) => row.table_name);
}

/** A sum over the rows of each table. */
/** The time of a key's last use is left out: the service writes it late. */
async function rowsOf(workspaceId: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const table of await tenantTables()) {
    const { rows } = await owner.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t, '|' order by t)), '') as sum
       from (select (to_jsonb(r) - 'last_used_at')::text as t from ${table} r where workspace_id = $1) rows`,
      [workspaceId],
    );
    sums[table] = rows[0].sum;
  }
  return sums;
}

/** Of a workspace, with the names that jobs have. */
async function refsOf({ id: workspaceId }: StockedWorkspace): Promise<Record<string, string>> {
  const one = async (sql: string) => (await owner.query(sql, [workspaceId])).rows[0].id as string;
  const batchId = await one(`select id from sync_batch where workspace_id = $1 and status <> 'receiving'`);
  return {
    workspaceId,
    batchId,
    webhookId: await one('select id from webhook where workspace_id = $1'),
    turn: '0',
  };
}

test.each([
  ['moving', 503, 'workspace_moving'],
  ['gone', 410, 'workspace_gone'],
] as const)('every call of a workspace that is %s is refused with %s', async (state, status, code) => {
  const { slug, key } = of(state);
  const below = routes.filter(({ path }) => path.startsWith('/api/wid/{slug}'));
  expect(below.length).toBeGreaterThan(80);
  for (const { method, path, operationId } of below) {
    const filled = path
      .replace('{slug}', slug)
      .replace('{token}', links.get(slug) ?? '')
      .replaceAll(/\{[^}]+\}/g, randomUUID());
    const body = method === 'get' || method === 'delete' ? undefined : {};
    const answer = await server.request(filled, { method: method.toUpperCase(), key, body });
    expect([operationId, answer.status, answer.body.code]).toEqual([operationId, status, code]);
    expect(answer.headers.get('retry-after')).toBe(state === 'moving' ? '2' : null);
    if (state === 'gone') expect(answer.body.movedTo).toBe('https://cell-2.example');
  }
  const signIn = await server.request('/api/sessions', { body: { key } });
  expect([signIn.status, signIn.body.code]).toEqual([status, code]);
  const agent = await server.request(`/api/wid/${slug}/mcp`, { key, body: {} });
  expect([agent.status, agent.body.code]).toEqual([status, code]);
});

test('who has no key of it is told nothing of its state', async () => {
  for (const workspace of resting.values()) {
    const answer = await server.request(`/api/wid/${workspace.slug}/entities`, { key: active.key });
    expect(answer.body.code).toBe('forbidden');
  }
});

test('a worker does all there is to do beside them, and touches nothing of theirs', async () => {
  const { ctx } = server;
  worker = startWorker(ctx, { prunes: false });
  // What was announced before they rested, and what healing and relays announce.
  for (const workspace of [...resting.values(), active]) {
    const refs = await refsOf(workspace);
    for (const name of Object.keys(jobs) as JobName[]) {
      const data = jobs[name].data.parse(refs);
      await ctx.queues.announce(name, data as never);
    }
  }
  const open = async (sql: string) => Number((await owner.query(sql, [active.id])).rows[0].count);
  await expect
    .poll(() => open(`select count(*) from sync_batch where workspace_id = $1 and status = 'completed'`))
    .toBe(1);
  await expect
    .poll(() => open('select count(*) from automation_run where workspace_id = $1'))
    .toBeGreaterThan(0);
  await expect
    .poll(() =>
      open(`select count(*) from webhook_delivery where workspace_id = $1 and status = 'delivered'`),
    )
    .toBeGreaterThan(1);

  await healBatches({ db: ctx.db, queues: ctx.queues, config: ctx.config }, randomUUID(), 0);
  const announced: string[] = [];
  const note = async ({ workspaceId }: { workspaceId: string }) => void announced.push(workspaceId);
  await relayEvents({ db: ctx.db, announce: { automation: note, webhook: note, inbox: note } }, 0);
  await pruneOld({ db: ctx.db, config: ctx.config });
  const log = pino({ level: 'silent' });
  await takeDueDigests({ db: ctx.db, log, config: ctx.config }, new AbortController().signal);
  await recordPeriod(ctx.db, new Date());
  const uses = openKeyUses(ctx.db, log);
  for (const { id } of [...resting.values(), active]) {
    const { rows } = await owner.query('select id from api_key where workspace_id = $1', [id]);
    uses.note(id, rows[0].id);
  }
  await uses.close();

  // They do what they are for.
  expect(await open('select count(*) from ledger_digest where workspace_id = $1')).toBe(1);
  expect(await open('select count(*) from kept_answer where workspace_id = $1')).toBe(0);
  expect(await open(`select count(*) from sync_batch where workspace_id = $1 and status = 'receiving'`)).toBe(
    0,
  );
  expect(
    await open('select count(*) from api_key where workspace_id = $1 and last_used_at is not null'),
  ).toBe(1);
  for (const workspace of resting.values()) {
    expect(announced).not.toContain(workspace.id);
    expect(await rowsOf(workspace.id)).toEqual(left.get(workspace.id));
  }
  for (const queue of Object.values(ctx.queues.byName)) expect(await queue.getFailedCount()).toBe(0);
});

test('one that stays after all goes on where it was', async () => {
  const stays = of('moving');
  await owner.query(`update workspace set state = 'active' where id = $1`, [stays.id]);
  await healBatches(
    { db: server.ctx.db, queues: server.ctx.queues, config: server.ctx.config },
    randomUUID(),
    0,
  );
  await expect
    .poll(async () => (await stays.ask('GET', '/pdm/sync/batches?status=completed')).body.items?.length)
    .toBe(1);
  await stays.expectConsistent();
});

test('who takes it away waits for the transactions that were let in; those that come then are told at once', async () => {
  const { id } = active;
  const connectionString = server.ctx.config.DATABASE_URL as string;
  const [writer, mover] = [new Client({ connectionString }), new Client({ connectionString })];
  await Promise.all([writer.connect(), mover.connect()]);
  try {
    await writer.query('begin');
    await writer.query('select enter_workspace($1)', [id]);
    await owner.query(`update workspace set state = 'moving' where id = $1`, [id]);
    let isAlone = false;
    const alone = mover.query(lockExclusively, [id]).then(() => {
      isAlone = true;
    });
    const entering = inTransaction(server.ctx.db, { workspaceId: id }, (tx) => tx.query('select 1'));
    await expect(entering.catch(restingState)).resolves.toBe('moving');
    expect(isAlone).toBe(false);
    await writer.query('commit');
    await alone;
  } finally {
    await owner.query(`update workspace set state = 'active' where id = $1`, [id]);
    await Promise.all([writer.end(), mover.end()]);
  }
});

test('the service cannot make a workspace rest, and none becomes gone but by being moved', async () => {
  const change = (state: string) =>
    inTransaction(server.ctx.db, 'instance', (tx) =>
      tx.query('update workspace set state = $1 where id = $2', [state, active.id]),
    );
  await expect(change('gone')).rejects.toThrow(/permission denied/);
  await expect(owner.query(`update workspace set state = 'gone' where id = $1`, [active.id])).rejects.toThrow(
    /active does not become gone/,
  );
  for (const state of ['active', 'moving'])
    await expect(
      owner.query('update workspace set state = $1 where id = $2', [state, of('gone').id]),
    ).rejects.toThrow(/gone does not become/);
});

test('what is left behind is deleted, the ledger with it, of a workspace that is gone and of no other', async () => {
  // It has work in the active one, whose rows are compared.
  await worker?.close();
  worker = null;
  const gone = of('gone');
  for (const { id, slug } of [active, of('moving')]) {
    const before = await rowsOf(id);
    await expect(forgetWorkspace(owner, slug)).rejects.toThrow(/only one that is gone/);
    await expect(owner.query('delete from stock_ledger where workspace_id = $1', [id])).rejects.toThrow(
      /append-only: DELETE/,
    );
    expect(await rowsOf(id)).toEqual(before);
  }
  for (const sql of [`update stock_ledger set note = 'x'`, 'truncate stock_ledger'])
    await expect(owner.query(sql)).rejects.toThrow(/append-only/);
  // The first rows of two partitions have the same place.
  for (const [id, at] of [
    [active.id, '-30 days'],
    [gone.id, '3 days'],
  ])
    await owner.query(
      `insert into kept_answer (workspace_id, actor_id, key, request_hash, status, headers, body, created_at)
       values ($1, gen_random_uuid(), 'kept', '', 200, '{}', '', now() + $2::interval)`,
      [id, at],
    );
  const others = await rowsOf(active.id);
  expect((await forgetWorkspace(owner, gone.slug)).rows).toBeGreaterThan(30);
  expect((await forgetWorkspace(owner, gone.slug)).rows).toBe(0);
  for (const [table, sum] of Object.entries(await rowsOf(gone.id)))
    expect([table, sum]).toEqual([table, '0 ']);
  expect(await rowsOf(active.id)).toEqual(others);
  // Its name stays, and is nobody else's.
  const again = await server.request('/api/workspaces', {
    key: server.ctx.operatorToken,
    body: { slug: gone.slug, name: 'Another' },
  });
  expect(again.body.code).toBe('slug_taken');
});
