// What happened in a workspace and what needs somebody: at one look, and as it goes on.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { WorkspaceEvent } from '../../src/overview/overview.schema.ts';
import { OPEN_MAX } from '../../src/overview/read-overview.ts';
import { context } from '../automation/automated-workspace.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { element, type SyncCalls, syncCalls } from '../sync/sync-calls.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let calls: SyncCalls;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { STREAM_HEARTBEAT_SECONDS: '1' } });
  workspace = await makeProcuringWorkspace(server);
  calls = syncCalls(server, workspace);
});
afterAll(() => server.close());

const overview = (query = '') => workspace.must(200, 'GET', `/overview${query}`);

it('says nothing of a workspace in which nothing happened', async () => {
  const quiet = await server.createWorkspace(`quiet-${randomUUID().slice(0, 8)}`);
  const { body } = await server.request(`${quiet.path}/overview?hours=3`, { key: quiet.key });
  expect(body.hours).toHaveLength(3);
  expect(body.hours.every((hour: TestAnswer['body']) => hour.batches === 0 && hour.errors === 0)).toBe(true);
  expect(body).toMatchObject({
    movements: [],
    failedRuns: { count: 0, automations: [] },
    lateSchedules: { count: 0, items: [] },
    failedMails: { count: 0, isAtLeast: false, lastRunId: null, message: null },
    failingWebhooks: [],
    failingWebhookCount: 0,
    failedBatches: { count: 0, items: [] },
    waitingBatches: { count: 0, isFull: false, first: null },
    paused: [],
    overdueRequirements: { count: 0, items: [] },
    overdueLines: { toCome: { count: 0, items: [] }, toGo: { count: 0, items: [] } },
  });
});

it('says what the operator holds back, what waits for it, and which batches failed until they are retried', async () => {
  const few = await startTestServer({ environment: { SYNC_MAX_QUEUED_BATCHES: '2' } });
  try {
    const held = await few.createWorkspace(`held-${randomUUID().slice(0, 8)}`);
    const look = async () => (await few.request(`${held.path}/overview`, { key: held.key })).body;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const hold = (doing: 'pause' | 'resume') =>
      few.request(`/admin/workspaces/${held.slug}/${doing}`, {
        method: 'POST',
        key: few.ctx.operatorToken,
        headers: form,
        body: new URLSearchParams({ work: 'batch', reason: 'for the operator alone' }).toString(),
      });
    expect((await hold('pause')).status).toBe(303);
    const send = () =>
      few.request(`${held.path}/pdm/sync`, {
        method: 'POST',
        key: held.key,
        headers: { Prefer: 'respond-async' },
        body: { entities: [element()] },
      });
    const first = (await send()).body;
    const before = await look();
    expect(before.paused).toEqual([{ work: 'batch', since: expect.any(String) }]);
    expect(JSON.stringify(before)).not.toContain('for the operator alone');
    expect(before.waitingBatches).toEqual({
      count: 1,
      isAtLeast: false,
      isFull: false,
      first: {
        batchId: first.batchId,
        submittedAt: first.submittedAt,
        movedAt: expect.any(String),
        standsStill: false,
      },
    });
    await inTransaction(few.ctx.db, 'instance', (tx) =>
      tx.query(`update sync_batch set progressed_at = now() - interval '1 hour' where id = $1 returning id`, [
        first.batchId,
      ]),
    );
    expect((await look()).waitingBatches.first.standsStill).toBe(true);
    await send();
    expect((await look()).waitingBatches).toMatchObject({
      count: 2,
      isFull: true,
      first: { batchId: first.batchId },
    });
    expect((await send()).body.code).toBe('too_many_batches');
    const fail = (code: string) =>
      inTransaction(few.ctx.db, 'instance', (tx) =>
        tx.query(
          `update sync_batch set status = 'failed', finished_at = now(), failure = $2 where id = $1 returning id`,
          [first.batchId, JSON.stringify({ code, message: 'It stood still. The log has it.' })],
        ),
      );
    await fail('plan_stale');
    expect((await look()).failedBatches).toMatchObject({ count: 0, items: [] });
    await fail('chunk_failed');
    expect((await look()).failedBatches).toMatchObject({
      count: 1,
      isAtLeast: false,
      items: [{ batchId: first.batchId, profileName: 'pdm', message: 'It stood still.' }],
    });
    const again = await few.request(`${held.path}/pdm/sync/batches/${first.batchId}/retry`, {
      method: 'POST',
      key: held.key,
    });
    expect(again.status, again.text).toBe(202);
    expect((await look()).failedBatches).toMatchObject({ count: 0, items: [] });
    expect((await hold('resume')).status).toBe(303);
    expect((await look()).paused).toEqual([]);
  } finally {
    await few.close();
  }
});

it.each([
  [1002, true],
  [10_000, true],
  [10_001, false],
])(
  'says that a line is full that is longer than what is counted of it, where it may have %i: %s',
  async (most, isSaid) => {
    const many = await startTestServer({ environment: { SYNC_MAX_QUEUED_BATCHES: String(most) } });
    try {
      const { path, key } = await many.createWorkspace(`long-${randomUUID().slice(0, 8)}`);
      const send = async () => {
        const headers = { Prefer: 'respond-async' };
        const body = { entities: [element()] };
        return (await many.request(`${path}/pdm/sync`, { method: 'POST', key, headers, body })).body;
      };
      const first = await send();
      const lengthen = (count: number) =>
        inTransaction(many.ctx.db, 'instance', (tx) =>
          tx.query(
            `insert into sync_batch select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
             'accepted_order', b.accepted_order + 100000 + n))).*
           from sync_batch b cross join generate_series(1, $2) n where b.id = $1 returning id`,
            [first.batchId, count],
          ),
        );
      const line = async () => (await many.request(`${path}/overview`, { key })).body.waitingBatches;
      await lengthen(most - 2);
      expect(await line()).toMatchObject({ count: 1000, isAtLeast: true, isFull: false });
      expect((await send()).status).toBe('queued');
      expect(await line()).toMatchObject(
        isSaid
          ? { count: most, isAtLeast: false, isFull: true }
          : { count: 1000, isAtLeast: true, isFull: false },
      );
      expect((await send()).code).toBe('too_many_batches');
    } finally {
      await many.close();
    }
  },
);

it('counts batches by the hour, movements by type, failed runs, failing webhooks, overdue requirements', async () => {
  const { must, items, locations, project } = workspace;
  const before = await overview();
  await calls.sync([element(), element({ categoryKey: 'nope' })]);
  const old = await calls.sync([element()]);
  // Two hours ago, as its id and its time say.
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update sync_batch set submitted_at = submitted_at - interval '2 hours' where id = $1`, [
      old.batchId,
    ]),
  );
  for (const quantity of [5, -2]) {
    await must(201, 'POST', '/stock/adjustments', {
      itemEntityId: items[0],
      locationEntityId: locations[0],
      quantity,
    });
  }
  const automation = await must(201, 'POST', '/automations', {
    name: 'Fails',
    contextTypeId: context.created,
    script: `throw new Error('as it is meant')`,
  });
  await must(201, 'POST', '/entities', { category: 'part', name: 'A part' });
  const requirement = (requiredBy: string) =>
    must(201, 'POST', '/requirements', {
      projectId: project,
      itemEntityId: items[0],
      requiredQty: 3,
      requiredBy,
    });
  await requirement('2025-03-01');
  const longest = await requirement('2025-01-01');
  await requirement('2999-01-01');
  const hook = await must(201, 'POST', '/webhooks', {
    url: 'https://example.com/',
    events: ['entity.created'],
  });
  await inTransaction(server.ctx.db, 'instance', (tx) =>
    tx.query(`update webhook set failing_since = now() where id = $1`, [hook.id]),
  );
  const after = await vi.waitUntil(async () => {
    const seen = await overview();
    return seen.failedRuns.count > 0 && seen;
  }, patience);
  const sum = (of: TestAnswer['body'], key: string) =>
    of.hours.reduce((all: number, hour: TestAnswer['body']) => all + hour[key], 0);
  const gained = (key: string) => sum(after, key) - sum(before, key);
  expect([gained('batches'), gained('elements'), gained('created'), gained('errors')]).toEqual([2, 3, 2, 1]);
  expect(after.hours.filter((hour: TestAnswer['body']) => hour.batches > 0)).toHaveLength(2);
  expect(after.movements).toContainEqual({ movementType: 'Adjustment', count: 2, isAtLeast: false });
  expect(after.failedRuns.automations[0]).toMatchObject({
    automationId: automation.id,
    name: 'Fails',
    message: 'as it is meant',
  });
  // What is run again is no failure that waits for somebody, whatever the history says.
  const failed = after.failedRuns.automations[0].lastRunId;
  await must(202, 'POST', `/automation-runs/${failed}/retry`, { script: 'current' });
  expect(
    (await overview()).failedRuns.automations.map((one: TestAnswer['body']) => one.lastRunId),
  ).not.toContain(failed);
  expect(after.failingWebhooks).toMatchObject([{ webhookId: hook.id, enabled: true }]);
  expect(after.failingWebhookCount).toBe(1);
  expect(after.overdueRequirements).toMatchObject({ count: 2, isAtLeast: false });
  expect(after.overdueRequirements.items[0]).toMatchObject({ id: longest.id, openQty: 3 });
  expect((await overview('?hours=1')).hours).toHaveLength(1);
  expect((await workspace.ask('GET', '/overview?hours=169')).status).toBe(422);
});

it('says which lines of orders are overdue, as the list of lines has them', async () => {
  const { must, line, act, items, locations } = await makeProcuringWorkspace(server);
  const look = async () => (await must(200, 'GET', '/overview')).overdueLines;
  await must(201, 'POST', '/stock/adjustments', {
    itemEntityId: items[0],
    locationEntityId: locations[0],
    quantity: 9,
  });
  const made = async (values: object) => (await line(values)).body.line as { id: string };
  const today = new Date().toISOString().slice(0, 10);
  const part = await made({ quantity: 4, requiredBy: '2025-03-01' });
  const longest = await made({ type: 'manufacturingOrder', quantity: 2, requiredBy: '2025-01-01' });
  const sold = await made({ type: 'salesOrder', quantity: 3, requiredBy: '2025-02-01' });
  // None of these is late: not yet, without a day, not ordered.
  await made({ requiredBy: '2999-01-01' });
  await made({});
  await made({ requiredBy: '2025-01-01', state: 'Draft' });
  await act(part.id, 'receipts', { quantity: 1 });
  const late = await look();
  expect(late).toMatchObject({
    toCome: {
      count: 2,
      isAtLeast: false,
      items: [
        { id: longest.id, openQty: 2 },
        { id: part.id, openQty: 3 },
      ],
    },
    toGo: { count: 1, isAtLeast: false, items: [{ id: sold.id, openQty: 3 }] },
  });
  const listed = async (which: string) =>
    (await must(200, 'GET', `/stock/lines?${which}&requiredBefore=${today}&sort=requiredBy`)).items;
  expect(late.toCome.items).toEqual(await listed('state=Ordered'));
  expect(late.toGo.items).toEqual(await listed('state=Reserved&type=salesOrder'));
  // What has come or gone is not waited for any more.
  await act(part.id, 'receipts', { quantity: 3 });
  await act(sold.id, 'shipments', { quantity: 3 });
  expect(await look()).toMatchObject({ toCome: { count: 1 }, toGo: { count: 0, items: [] } });
});

it('reports a requirement that is ordered for later than it is needed among the overdue ones, as its list does', async () => {
  const { must, project, items, locations } = await makeProcuringWorkspace(server);
  const [itemEntityId, locationEntityId] = [items[0], locations[0]];
  const need = async (
    requiredBy: string | null,
    ...ordered: [quantity: number, requiredBy: string | null][]
  ) => {
    const body = { projectId: project, itemEntityId, requiredQty: 10, requiredBy };
    const { id } = await must(201, 'POST', '/requirements', body);
    for (const [quantity, day] of ordered)
      await must(201, 'POST', `/requirements/${id}/orders`, {
        locationEntityId,
        quantity,
        ...(day === null ? {} : { requiredBy: day }),
      });
    return id;
  };
  const past = await need('2025-05-01', [3, '2999-01-01']);
  const late = await need('2990-05-01', [6, '2990-05-01'], [4, '2990-06-15']);
  await need('2990-05-01', [10, '2990-05-01']);
  await need(null, [10, '2990-06-01']);
  const look = async () => (await must(200, 'GET', '/overview')).overdueRequirements;
  const { count, items: found } = await look();
  expect(count).toBe(2);
  expect(
    found.map(({ id, orderedFor }: { id: string; orderedFor: string | null }) => [id, orderedFor]),
  ).toEqual([
    [past, null],
    [late, '2990-06-15'],
  ]);
  const listed = async (query: string) =>
    (await must(200, 'GET', `/requirements?overdue=true${query}`)).items.map(({ id }: { id: string }) => id);
  expect(await listed('')).toEqual([past, late]);
  expect(await listed('&status=covered')).toEqual([late]);
  // What has come is late no longer.
  const { items: lines } = await must(200, 'GET', '/stock/lines?open=true&sort=requiredBy');
  for (const line of lines.filter(({ requirementId }: { requirementId: string }) => requirementId === late))
    await must(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: line.openQty });
  expect((await look()).count).toBe(1);
});

it('says that there may be overdue lines where there are more open ones than it looks at', async () => {
  const { must, line, transact, items, locations } = await makeProcuringWorkspace(server);
  const { orderId } = (await line({})).body.line;
  const fill = (count: number, day: string) =>
    transact(async (tx) => {
      const ids = Array.from({ length: count }, newId);
      await tx.query(
        `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
         select $1, id, id, 'Old', 'purchaseOrderLine', 'Ordered', $1 from unnest($2::uuid[]) as given (id)`,
        [tx.workspaceId, ids],
      );
      await tx.query(
        `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity, required_by)
         select $1, id, 'purchaseOrder', $3, $4, $5, 1, $6 from unnest($2::uuid[]) as given (id)`,
        [tx.workspaceId, ids, orderId, items[0], locations[0], day],
      );
    });
  await fill(OPEN_MAX, '2999-01-01');
  await fill(3, '2025-01-01');
  const { overdueLines } = await must(200, 'GET', '/overview');
  expect(overdueLines.toCome).toEqual({ count: 0, isAtLeast: true, items: [] });
  expect(overdueLines.toGo).toEqual({ count: 0, isAtLeast: false, items: [] });
});

/** Events of a stream as they come; `ended` when it does. */
async function openEvents(key: string, path = `/api/wid/${workspace.slug}/events`) {
  const gone = new AbortController();
  const response = await fetch(`${server.baseUrl}${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: gone.signal,
  });
  expect(response.status).toBe(200);
  const events: { event: string; data: TestAnswer['body'] }[] = [];
  const read = async () => {
    let text = '';
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (event !== undefined) events.push({ event, data: JSON.parse(data ?? 'null') });
      }
    }
  };
  const ended = read().then(
    () => true,
    () => false,
  );
  await vi.waitUntil(() => events.some(({ event }) => event === 'open'), patience);
  return { events, ended, leave: () => gone.abort() };
}

it('a stream tells of batches and runs of its workspace alone', async () => {
  const stream = await openEvents(workspace.key);
  const other = await server.createWorkspace(`other-${randomUUID().slice(0, 8)}`);
  const others = await openEvents(other.key, `${other.path}/events`);
  // The first look tells nothing: what is there has been read by whoever opens a page.
  await vi.waitUntil(() => server.ctx.workspaceFollower.looks > 0, patience);
  const batch = await calls.sync([element()]);
  const told = () =>
    stream.events.filter(({ event, data }) => event === 'batch' && data.batchId === batch.batchId);
  await vi.waitUntil(() => told().at(-1)?.data.status === 'completed', patience);
  expect(told().at(-1)?.data).toMatchObject({ counts: { total: 1, created: 1 }, dryRun: false });
  expect(told().at(-1)?.data.results).toBeUndefined();
  await vi.waitUntil(
    () => stream.events.some(({ event, data }) => event === 'run' && data.status === 'failed'),
    patience,
  );
  expect(others.events.map(({ event }) => event)).toEqual(['open']);
  // As the document says it, and nothing besides.
  for (const one of stream.events) expect(WorkspaceEvent.parse(one)).toEqual(one);
  stream.leave();
  others.leave();
  await vi.waitUntil(() => server.ctx.workspaceFollower.size === 0, patience);
});

it('a stream tells those who may read of the planning runs of their workspace, until they end', async () => {
  const reader = await workspace.must(201, 'POST', '/api-keys', { name: 'Planner', permission: 'read' });
  const stream = await openEvents(reader.key);
  const other = await server.createWorkspace(`other-${randomUUID().slice(0, 8)}`);
  const others = await openEvents(other.key, `${other.path}/events`);
  const { looks } = server.ctx.workspaceFollower;
  await vi.waitUntil(() => server.ctx.workspaceFollower.looks > looks + 1, patience);
  const { id } = await workspace.must(202, 'POST', '/planning/runs', {});
  const told = () => stream.events.filter(({ event, data }) => event === 'plan' && data.id === id);
  await vi.waitUntil(() => told().at(-1)?.data.status === 'completed', patience);
  for (const one of told()) expect(WorkspaceEvent.parse(one)).toEqual(one);
  expect(others.events.map(({ event }) => event)).toEqual(['open']);
  stream.leave();
  others.leave();
});

it('a stream ends when its key is revoked', async () => {
  const made = await workspace.must(201, 'POST', '/api-keys', { name: 'Reader', permission: 'read' });
  const stream = await openEvents(made.key);
  expect((await workspace.ask('DELETE', `/api-keys/${made.id}`)).status).toBeLessThan(300);
  expect(await stream.ended).toBe(true);
  const refused = await server.request(`/api/wid/${workspace.slug}/events`, { key: made.key });
  expect(refused.status).toBe(401);
});

it('a download and a slow upload end when their key is revoked', async () => {
  // More than sockets and pages hold for a reader who takes nothing.
  await inTransaction(server.ctx.db, { workspaceId: workspace.id }, (tx) =>
    tx.query(
      `insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, after)
       select $1, gen_random_uuid(), $1, 'update', 'test', 'one', to_jsonb(repeat('x', 20000)) from generate_series(1, 1000)`,
      [workspace.id],
    ),
  );
  const made = await workspace.must(201, 'POST', '/api-keys', { name: 'Sender', permission: 'write' });
  const headers = { Authorization: `Bearer ${made.key}` };
  const call = (path: string, options: object) =>
    request(`${server.baseUrl}/api/wid/${workspace.slug}${path}`, options);
  const downloads = await Promise.all(
    ['csv', 'ndjson'].map(async (format) => {
      const sent = call(`/audit?subjectType=test&format=${format}`, { headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      return answer;
    }),
  );
  const upload = call('/pdm/sync', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
  });
  upload.write(`${JSON.stringify(element())}\n`);
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  await vi.waitUntil(() => server.ctx.webPool.places.heads.held > 0, patience);
  // Behind them: when it has been asked anew whether this may go on, it is time to ask it of them.
  const stream = await openEvents(made.key);
  const batches = await workspace.must(200, 'GET', '/pdm/sync/batches');
  expect((await workspace.ask('DELETE', `/api-keys/${made.id}`)).status).toBeLessThan(300);
  expect(await stream.ended).toBe(true);
  for (const answer of downloads) {
    const read = async () => {
      let bytes = 0;
      for await (const piece of answer) bytes += piece.length;
      return bytes;
    };
    await expect(read()).rejects.toThrow('aborted');
  }
  upload.end(`${JSON.stringify(element())}\n`);
  const [refused] = await answered;
  expect(refused.resume().statusCode).toBe(401);
  expect(await workspace.must(200, 'GET', '/pdm/sync/batches')).toEqual(batches);
});
