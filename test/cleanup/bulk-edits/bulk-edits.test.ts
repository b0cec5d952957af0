import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { advanceBulkEdit } from '../../../src/cleanup/bulk-edits/advance-bulk-edit.ts';
import { runBulkEdits } from '../../../src/cleanup/bulk-edits/run-bulk-edits.ts';
import { pruneOld } from '../../../src/retention.ts';
import type { BulkEdit, BulkEditResult } from '../../../web/client/operations.ts';
import { partsOf } from '../../entities/parts.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../../workspaces/default-workspace.ts';

let server: TestServer;
let workspace: DefaultWorkspace;
const { ask, create, release, move, define } = partsOf(() => workspace);
beforeAll(async () => {
  server = await startTestServer({ environment: { BULK_EDITS_UNFINISHED_MAX: '3' } });
  workspace = await makeDefaultWorkspace(server);
  for (const [key, type] of [
    ['Alloy', 'text'],
    ['Weight', 'numeric'],
    ['Batch', 'text'],
  ] as const)
    await define(key, type);
});
afterAll(() => server.close());

const editing = () => server.ctx;
const work = () => runBulkEdits(editing());
const read = async (id: string): Promise<BulkEdit> => (await ask('GET', `/bulk-edits/${id}`)).body;
const accept = async (path: string, body: object): Promise<string> => {
  const answer = await ask('POST', path, body);
  expect(answer.status, answer.text).toBe(202);
  expect(answer.body.status).toBe('queued');
  expect(answer.headers.get('location')).toBe(`/api/wid/${workspace.slug}/bulk-edits/${answer.body.id}`);
  return answer.body.id;
};
/** Accepts a bulk edit and lets a worker do it. */
const edit = async (body: object, path = '/bulk-edits'): Promise<BulkEdit> => {
  const id = await accept(path, body);
  await work();
  return read(id);
};
const resultsOf = async ({ id }: BulkEdit, query = ''): Promise<BulkEditResult[]> => {
  const items: BulkEditResult[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body, text } = await ask('GET', `/bulk-edits/${id}/results?limit=30${query}${at}`);
    expect(body.items, text).toBeDefined();
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  return items;
};
const propertiesOf = async (id: string) => (await ask('GET', `/entities/${id}`)).body.properties;
const some = (count: number, properties: object) => workspace.addEntities(count, { properties });
const where = (batch: string) => ({ where: [`Batch:eq:${batch}`] });

test('a filter finds entities, a dry run shows the differences, and applying it makes exactly these', async () => {
  const ids = await some(90, { Batch: 'a', Alloy: 'EN AW6082', Weight: 1 });
  await ask('PATCH', `/entities/${ids[0]}`, { properties: { Weight: 2, Alloy: 'S235' } });
  const change = {
    properties: { Weight: 2 },
    replace: { Alloy: { find: 'AW6082', with: 'AW-6082' } },
  };
  const plan = await edit({ filter: where('a'), change, dryRun: true });
  expect(plan).toMatchObject({
    status: 'completed',
    dryRun: true,
    expected: 90,
    changed: 89,
    unchanged: 1,
    refused: 0,
  });
  const planned = await resultsOf(plan);
  expect(planned).toHaveLength(89);
  expect(planned[0]).toMatchObject({
    entityId: ids[1],
    result: 'changed',
    changes: [
      { field: 'properties.Weight', from: 1, to: 2 },
      { field: 'properties.Alloy', from: 'EN AW6082', to: 'EN AW-6082' },
    ],
  });
  expect(await propertiesOf(ids[1] as string)).toMatchObject({ Weight: 1, Alloy: 'EN AW6082' });

  // What changed since the dry run is left alone.
  await ask('PATCH', `/entities/${ids[1]}`, { properties: { Weight: 7 } });
  const applied = await edit({ reason: 'One spelling' }, `/bulk-edits/${plan.id}/apply`);
  expect(applied).toMatchObject({ applies: plan.id, expected: 89, changed: 88, refused: 1, filter: {} });
  expect(await resultsOf(applied, '&result=refused')).toMatchObject([
    { entityId: ids[1], code: 'changed_since', message: 'properties.Weight has changed since.', changes: [] },
  ]);
  expect(await propertiesOf(ids[2] as string)).toMatchObject({ Weight: 2, Alloy: 'EN AW-6082' });
  const trail = await ask('GET', `/audit?subjectType=entity&subjectKey=${ids[2]}`);
  expect(trail.body.items[0]).toMatchObject({
    before: { 'properties.Weight': 1 },
    after: { 'properties.Weight': 2, bulkEdit: applied.id, reason: 'One spelling' },
  });

  await ask('PATCH', `/entities/${ids[3]}`, { properties: { Alloy: 'EN AW-7075' } });
  const undone = await edit({}, `/bulk-edits/${applied.id}/undo`);
  expect(undone).toMatchObject({ undoes: applied.id, changed: 87, refused: 1, reason: 'One spelling' });
  expect(await propertiesOf(ids[2] as string)).toEqual({ Batch: 'a', Weight: 1, Alloy: 'EN AW6082' });
  expect(await propertiesOf(ids[3] as string)).toMatchObject({ Weight: 2, Alloy: 'EN AW-7075' });
});

test('states, categories and cleared values change together, released entities get a revision, and refusals say why', async () => {
  const [draft, released, reviewed] = await Promise.all(
    [1, 2, 3].map(async () => (await create({ properties: { Batch: 'b', Weight: 3 } })).id),
  );
  await release(released as string);
  await move(reviewed as string, 'In Review');
  const ids = [draft, released, reviewed];
  const done = await edit({
    filter: { ids },
    change: { properties: { Weight: null }, category: 'assembly', state: 'In Review' },
  });
  expect(done).toMatchObject({ status: 'completed', expected: 3, changed: 3, refused: 0 });
  for (const id of ids)
    expect((await ask('GET', `/entities/${id}`)).body).toMatchObject({
      category: 'assembly',
      state: 'In Review',
      properties: { Batch: 'b' },
      revision: id === released ? 'B' : 'A',
    });
  const byId = new Map((await resultsOf(done)).map((one) => [one.entityId, one.changes]));
  expect(byId.get(draft as string)).toEqual([
    { field: 'category', from: 'part', to: 'assembly' },
    { field: 'properties.Weight', from: 3, to: null },
    { field: 'state', from: 'In Work', to: 'In Review' },
  ]);
  expect(byId.get(released as string)).toContainEqual({ field: 'revision', from: 'A', to: 'B' });
  const history = await ask('GET', `/entities/${draft}/transitions`);
  expect(JSON.stringify(history.body)).toContain(`Bulk edit ${done.id}`);

  expect(await edit({}, `/bulk-edits/${done.id}/undo`)).toMatchObject({ changed: 3, refused: 0 });
  expect((await ask('GET', `/entities/${draft}`)).body).toMatchObject({
    category: 'part',
    state: 'In Work',
    properties: { Weight: 3 },
  });

  const order = await create({ category: 'purchaseOrder', name: 'An order' });
  const refused = await edit({ filter: { ids: [draft, order.id] }, change: { state: 'Released' } });
  expect(refused).toMatchObject({ status: 'completed', changed: 0, refused: 2 });
  const codes = (await resultsOf(refused)).map(({ code }) => code);
  expect(codes).toEqual(['transition_not_allowed', 'not_bulk_editable']);
  const moved = await edit({ filter: { ids: [draft] }, change: { category: 'location' } });
  expect((await resultsOf(moved))[0]).toMatchObject({ code: 'category_refused' });
});

test('a dry run shows revisions, and an entity that was released since gets none unseen', async () => {
  const [draft, released] = [
    await create({ properties: { Batch: 'r' } }),
    await create({ properties: { Batch: 'r' } }),
  ];
  await release(released.id);
  const plan = await edit({
    filter: where('r'),
    change: { properties: { Weight: 9 }, state: 'In Review' },
    dryRun: true,
  });
  const [first, second] = await resultsOf(plan);
  expect(first?.changes.map(({ field }) => field)).toEqual(['properties.Weight', 'state']);
  expect(second?.changes).toEqual([
    { field: 'properties.Weight', from: null, to: 9 },
    { field: 'revision', from: 'A', to: 'B' },
    { field: 'state', from: 'In Work', to: 'In Review' },
  ]);
  const values = await edit({ filter: where('r'), change: { properties: { Weight: 9 } }, dryRun: true });

  await release(draft.id);
  const applied = await edit({}, `/bulk-edits/${values.id}/apply`);
  expect(applied).toMatchObject({ changed: 1, refused: 1 });
  expect((await resultsOf(applied, '&result=refused'))[0]).toMatchObject({
    entityId: draft.id,
    code: 'changed_since',
    message: expect.stringContaining('released'),
  });
  expect((await ask('GET', `/entities/${draft.id}`)).body).toMatchObject({
    revision: 'A',
    state: 'Released',
  });
  expect((await ask('GET', `/entities/${released.id}`)).body).toMatchObject({
    revision: 'B',
    state: 'In Work',
  });
  await release(released.id);
  expect(await edit({}, `/bulk-edits/${applied.id}/undo`)).toMatchObject({ changed: 0, refused: 1 });
});

test('an entity that leaves the filter before its row is locked is not edited', async () => {
  const [id] = (await some(1, { Batch: 's' })) as [string];
  const started = await accept('/bulk-edits', {
    filter: { ...where('s'), state: ['In Work'] },
    change: { properties: { Weight: 5 } },
  });
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query("update entity set state = 'Released', version = version + 1 where id = $1", [id]);
    const working = work();
    await vi.waitUntil(async () => {
      const { rows } = await client.query(
        'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      );
      return rows.length > 0;
    }, patience);
    await client.query('commit');
    await working;
  } finally {
    await client.end();
  }
  const result = await read(started);
  expect(result).toMatchObject({ changed: 0, refused: 1 });
  expect((await resultsOf(result))[0]).toMatchObject({ code: 'changed_since' });
});

test('steps that two workers take at once, or that end in the middle, edit each entity once', async () => {
  await some(130, { Batch: 'c', Weight: 1 });
  const id = await accept('/bulk-edits', { filter: where('c'), change: { properties: { Weight: 5 } } });
  const ref = { workspaceId: workspace.id, id };
  expect(await advanceBulkEdit(editing(), ref)).toBe(true);
  expect(await read(id)).toMatchObject({ status: 'running', changed: 40, finishedAt: null });
  // A worker that dies in a step has changed nothing.
  const dying = { ...editing(), moverOf: () => ({ effects: [] }) as never };
  await expect(advanceBulkEdit(dying, ref)).rejects.toThrow();
  expect(await read(id)).toMatchObject({ changed: 40 });
  await Promise.all([work(), work(), work()]);
  const done = await read(id);
  expect(done).toMatchObject({ status: 'completed', changed: 130, unchanged: 0 });
  expect(new Set((await resultsOf(done)).map((one) => one.entityId)).size).toBe(130);
});

test('bulk edits of a workspace run in line and can be cancelled; the others of the instance do not wait', async () => {
  await some(90, { Batch: 'd', Weight: 1 });
  const first = await accept('/bulk-edits', { filter: where('d'), change: { properties: { Weight: 2 } } });
  const second = await accept('/bulk-edits', { filter: where('d'), change: { properties: { Weight: 3 } } });
  await advanceBulkEdit(editing(), { workspaceId: workspace.id, id: first });
  const { body } = await ask('POST', `/bulk-edits/${first}/cancel`);
  expect(body).toMatchObject({ status: 'cancelled', changed: 40 });
  expect(await ask('POST', `/bulk-edits/${first}/cancel`)).toMatchObject({
    status: 409,
    body: { code: 'bulk_edit_finished' },
  });
  await work();
  expect(await read(second)).toMatchObject({ status: 'completed', changed: 90 });
  // What a cancelled one did can be undone; here all of it has changed since.
  expect(await edit({}, `/bulk-edits/${first}/undo`)).toMatchObject({
    expected: 40,
    changed: 0,
    refused: 40,
  });
  const list = await ask('GET', '/bulk-edits?limit=2');
  expect(list.body.items.map((one: BulkEdit) => one.undoes)).toEqual([first, null]);
  expect(list.body.nextCursor).not.toBeNull();
});

test('a filter that can no longer be read ends the bulk edit with the reason, and one that finds too much too', async () => {
  await define('Passing', 'text');
  const id = await accept('/bulk-edits', {
    filter: { where: ['Passing:eq:x'] },
    change: { properties: { Weight: 1 } },
  });
  expect((await ask('DELETE', '/property-definitions/Passing')).status).toBe(204);
  await work();
  expect(await read(id)).toMatchObject({ status: 'failed', failure: { code: 'invalid_condition' } });
  await some(50, { Batch: 'e', Weight: 1 });
  const large = await accept('/bulk-edits', { filter: where('e'), change: { properties: { Weight: 4 } } });
  await runBulkEdits({ ...editing(), config: { ...server.ctx.config, BULK_EDIT_ENTITIES_MAX: 45 } });
  expect(await read(large)).toMatchObject({
    status: 'failed',
    changed: 40,
    failure: { code: 'too_many_entities' },
  });
});

test.each([
  [{ filter: {}, change: {} }, 'validation_failed', '/change'],
  [{ filter: {}, change: { properties: { Nope: 1 } } }, 'unknown_property', '/change/properties/Nope'],
  [
    { filter: {}, change: { properties: { Weight: 'heavy' } } },
    'validation_failed',
    '/change/properties/Weight',
  ],
  [
    { filter: {}, change: { replace: { Weight: { find: '1', with: '2' } } } },
    'validation_failed',
    '/change/replace/Weight',
  ],
  [{ filter: {}, change: { state: 'Nowhere' } }, 'validation_failed', '/change/state'],
  [{ filter: {}, change: { category: 'nothing' } }, 'category_not_found', '/change/category'],
  [
    { filter: { ids: ['guid:00000000-0000-4000-8000-00000000dead'] }, change: { state: 'Released' } },
    'entity_not_found',
    null,
  ],
  [
    { filter: { ids: ['00000000-0000-4000-8000-00000000dead'], q: 'x' }, change: { state: 'Released' } },
    'validation_failed',
    '/filter/ids',
  ],
  [{ filter: { where: ['Weight:lt:heavy'] }, change: { state: 'Released' } }, 'invalid_condition', null],
])('%j is refused as %s', async (body, code, pointer) => {
  const answer = await ask('POST', '/bulk-edits', body);
  expect(answer.body.code, answer.text).toBe(code);
  if (pointer !== null) expect(answer.body.errors[0].pointer).toBe(pointer);
});

test('the number of unfinished bulk edits is bounded; a dry run is applied and anything else undone', async () => {
  const body = { filter: where('none'), change: { properties: { Weight: 1 } } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST', '/bulk-edits', body)));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused).toHaveLength(17);
  for (const one of refused)
    expect(one).toMatchObject({ status: 429, body: { code: 'too_many_bulk_edits', max: 3 } });
  await work();
  const dry = await edit({ ...body, dryRun: true });
  const not = async (path: string) => (await ask('POST', path, {})).body.code;
  expect(await not(`/bulk-edits/${dry.id}/undo`)).toBe('bulk_edit_not_ready');
  const done = await edit(body);
  expect(await not(`/bulk-edits/${done.id}/apply`)).toBe('bulk_edit_not_ready');
  expect(await not('/bulk-edits/00000000-0000-4000-8000-00000000dead/undo')).toBe('bulk_edit_not_found');
});

test('old bulk edits are deleted with their results', async () => {
  await some(3, { Batch: 'f', Weight: 1 });
  const old = await edit({ filter: where('f'), change: { properties: { Weight: 9 } } });
  await workspace.transact((tx) =>
    tx.query(
      `update bulk_edit set finished_at = now() - interval '91 days' where workspace_id = $1 and id = $2`,
      [workspace.id, old.id],
    ),
  );
  await pruneOld(server.ctx);
  expect((await ask('GET', `/bulk-edits/${old.id}`)).status).toBe(404);
  const left = await workspace.transact((tx) =>
    tx.query('select from bulk_edit_result where workspace_id = $1 and bulk_edit_id = $2', [
      workspace.id,
      old.id,
    ]),
  );
  expect(left).toEqual([]);
});

test('results that an undo still needs are kept, and what is too old is not undone any more', async () => {
  const ids = await some(50, { Batch: 'g', Weight: 1 });
  const old = await edit({ filter: where('g'), change: { properties: { Weight: 9 } } });
  const undo = await accept(`/bulk-edits/${old.id}/undo`, {});
  await workspace.transact((tx) =>
    tx.query(
      `update bulk_edit set finished_at = now() - interval '91 days' where workspace_id = $1 and id = $2`,
      [workspace.id, old.id],
    ),
  );
  await pruneOld(server.ctx);
  const late = await ask('POST', `/bulk-edits/${old.id}/undo`, {});
  expect([late.status, late.body.code]).toEqual([409, 'bulk_edit_not_ready']);
  await work();
  expect(await read(undo)).toMatchObject({ status: 'completed', changed: 50 });
  expect(await propertiesOf(ids[49] as string)).toMatchObject({ Weight: 1 });
  await pruneOld(server.ctx);
  expect((await ask('GET', `/bulk-edits/${old.id}`)).status).toBe(404);
});

test('the bulk edits of a workspace that moves to another installation wait, and those of others do not', async () => {
  const [moving, other] = [await makeDefaultWorkspace(server), await makeDefaultWorkspace(server)];
  const accepted = [];
  for (const one of [moving, other]) {
    const [id] = await one.addEntities(1);
    const answer = await partsOf(() => one).ask('POST', '/bulk-edits', {
      filter: { ids: [id] },
      change: { state: 'In Review' },
    });
    expect(answer.status, answer.text).toBe(202);
    accepted.push(answer.body.id);
  }
  const owner = new Client({ connectionString: server.ctx.databaseUrl });
  await owner.connect();
  const setState = (state: string) =>
    owner.query('update workspace set state = $2 where id = $1', [moving.id, state]);
  await setState('moving');
  await work();
  const done = async (one: DefaultWorkspace, id: string) =>
    (await partsOf(() => one).ask('GET', `/bulk-edits/${id}`)).body;
  expect(await done(other, accepted[1])).toMatchObject({ status: 'completed', changed: 1 });
  await setState('active');
  await owner.end();
  await work();
  expect(await done(moving, accepted[0])).toMatchObject({ status: 'completed', changed: 1 });
});

test('a bulk edit ends when its caller may not edit entities any more', async () => {
  await some(50, { Batch: 'h', Weight: 1 });
  const key = await ask('POST', '/api-keys', { name: 'Editor', areas: ['read', 'engineering'] });
  expect(key.status, key.text).toBe(201);
  const answer = await server.request(`/api/wid/${workspace.slug}/bulk-edits`, {
    key: key.body.key,
    body: { filter: where('h'), change: { properties: { Weight: 2 } } },
  });
  expect(answer.status, answer.text).toBe(202);
  await advanceBulkEdit(editing(), { workspaceId: workspace.id, id: answer.body.id });
  expect((await ask('DELETE', `/api-keys/${key.body.id}`)).status).toBe(204);
  await work();
  expect(await read(answer.body.id)).toMatchObject({
    status: 'failed',
    changed: 40,
    failure: { code: 'api_key_revoked' },
  });
});
