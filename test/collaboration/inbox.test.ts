// What members follow, what their inboxes tell them, and what they are not told.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tellMembers } from '../../src/collaboration/inbox/tell-members.ts';
import { newId } from '../../src/db/ids.ts';
import { recordEvents } from '../../src/events/record-events.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';
import { allTold as allToldIn, change, follow, join as joinAs, type Person } from './people-here.ts';

const LINES_MAX = 10;
let server: TestServer;
let workspace: DefaultWorkspace;
beforeAll(async () => {
  server = await startTestServer({ worker: true, environment: { INBOX_LINES_MAX: String(LINES_MAX) } });
  workspace = await makeDefaultWorkspace(server);
});
afterAll(() => server.close());

const linesOf = async (person: Person) => (await person.ask('GET', '/me/inbox')).body.items;
const shown = async (person: Person) =>
  (await linesOf(person)).map(
    ({ kind, count, detail }: { kind: string; count: number; detail: string | null }) =>
      `${kind} ${count} ${detail}`,
  );
const told = (person: Person, lines: string[]) =>
  expect.poll(async () => (await shown(person)).toSorted()).toEqual(lines);
const join = (name: string, areas?: string[]) => joinAs(server, workspace, name, areas);
const allTold = () => allToldIn(workspace);

test('nothing is written for the inbox where nobody follows anything', async () => {
  const bo = await join('Nobody Follows');
  const [part = ''] = await workspace.addEntities(1);
  await change(bo, part, 'Renamed');
  const rows = await workspace.transact((tx) =>
    tx.query('select id from outbox where workspace_id = $1', [workspace.id]),
  );
  expect(rows).toEqual([]);
  expect((await workspace.ask('GET', '/me/inbox')).body.code).toBe('forbidden');
});

test('a follower is told of what others do in one line until it is read, and not of what it does itself', async () => {
  const [anna, bo] = [await join('Anna Berg'), await join('Bo Lind')];
  const [part = ''] = await workspace.addEntities(1);
  const made = await follow(anna, { entity: part });
  expect(made).toMatchObject({
    subject: { type: 'entity', id: part },
    below: false,
    stock: false,
    muted: false,
  });
  for (const name of ['One', 'Two', 'Three']) await change(bo, part, name);
  await change(anna, part, 'Own');
  await bo.ask('POST', `/entities/${part}/transitions`, { toState: 'In Review' });
  await told(anna, ['changed 3 name', 'moved 1 In Review']);
  const [moved, changed] = await linesOf(anna);
  expect(moved).toMatchObject({
    actor: { name: 'Bo Lind' },
    entity: { id: part, name: 'Own' },
    readAt: null,
  });
  expect((await anna.ask('GET', '/me/inbox/unread')).body).toEqual({ unread: 2, isAtLeast: false });
  // Nobody marks the lines of somebody else.
  expect((await bo.ask('POST', '/me/inbox/read', { ids: [changed.id] })).status).toBe(200);
  const one = await anna.ask('POST', '/me/inbox/read', { ids: [changed.id] });
  expect(one.body).toEqual({ unread: 1, isAtLeast: false });
  await change(bo, part, 'Four');
  await told(anna, ['changed 1 name', 'changed 3 name', 'moved 1 In Review']);
  const [newest] = await linesOf(anna);
  await anna.ask('POST', '/me/inbox/read', { upTo: newest.lastAt });
  expect((await anna.ask('GET', '/me/inbox?unread=true')).body.items).toEqual([]);
  const paged = await anna.ask('GET', '/me/inbox?limit=2');
  const rest = await anna.ask('GET', `/me/inbox?limit=2&cursor=${paged.body.nextCursor}`);
  expect([paged.body.items.length, rest.body.items.length, rest.body.nextCursor]).toEqual([2, 1, null]);
  expect((await anna.ask('DELETE', `/me/subscriptions/${made.id}`)).status).toBe(204);
  expect((await anna.ask('DELETE', `/me/subscriptions/${made.id}`)).body.code).toBe('subscription_not_found');
  await change(bo, part, 'Five');
  await allTold();
  expect(await linesOf(anna)).toHaveLength(3);
});

test('ten thousand changes below a followed assembly are one line, also when a turn is announced twice', async () => {
  const [anna, bo] = [await join('Anna Below'), await join('Bo Below')];
  const [assembly = ''] = await workspace.addEntities(1, { category: 'assembly' });
  const [middle = ''] = await workspace.addEntities(1, { category: 'assembly' });
  const parts = await workspace.addEntities(2);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, parent_id, child_id, 1 from unnest($2::uuid[], $3::uuid[]) as l (parent_id, child_id)`,
      [workspace.id, [assembly, middle, middle], [middle, ...parts]],
    ),
  );
  await follow(anna, { entity: assembly, below: true });
  await follow(anna, { entity: parts[1], muted: true });
  const event = (entityId = '') => ({ entityId, changes: [{ property: 'Mass', from: 1, to: 2 }] });
  await workspace.transact((tx) =>
    recordEvents(
      tx,
      'entityUpdated',
      Array.from({ length: 10_000 }, () => event(parts[0])).concat(event(parts[1])),
      { actorId: bo.memberId },
    ),
  );
  const lanes = await workspace.transact((tx) =>
    tx.query<{ turn: string }>(`select turn from event_lane where workspace_id = $1 and reader = 'inbox'`, [
      workspace.id,
    ]),
  );
  const ref = { workspaceId: workspace.id, turn: String(lanes[0]?.turn ?? 0) };
  const teller = { ...server.ctx, log: server.ctx.log };
  await Promise.all([tellMembers(teller, ref), tellMembers(teller, ref)]);
  await allTold();
  expect(await shown(anna)).toEqual(['changed 10000 Mass']);
  const [line] = await linesOf(anna);
  expect(line).toMatchObject({ subject: { id: assembly }, entity: { id: parts[0] } });
});

test('a long list of properties is cut, also within a character', async () => {
  const [anna, bo] = [await join('Anna Cuts'), await join('Bo Cuts')];
  const [part = ''] = await workspace.addEntities(1);
  await follow(anna, { entity: part });
  const long = 'x'.repeat(199);
  const event = { entityId: part, changes: [{ property: `${long}😀`, from: 1, to: 2 }] };
  await workspace.transact((tx) => recordEvents(tx, 'entityUpdated', [event], { actorId: bo.memberId }));
  await told(anna, [`changed 1 ${long}\ufffd`]);
});

test('taking part follows, a mention reaches also who mutes the thing, and a deleted comment is not shown', async () => {
  const [anna, bo, cy] = [await join('Anna Talks'), await join('Bo Talks'), await join('Cy Talks', ['read'])];
  const [part = ''] = await workspace.addEntities(1);
  const write = async (by: Person, text: string) =>
    (await by.ask('POST', '/comments', { entity: part, text })).body as { id: string };
  await write(anna, 'Look at the holes.');
  const second = await write(bo, 'I see them, @[Cy Talks].');
  await told(anna, ['commented 1 null']);
  await told(cy, ['mentioned 1 null']);
  const [line] = await linesOf(anna);
  expect(line.comment).toEqual({ id: second.id, text: 'I see them, @[Cy Talks].' });
  const { items } = (await cy.ask('GET', `/me/subscriptions?entity=${part}`)).body;
  expect(items).toMatchObject([{ automatic: true, muted: false }]);
  await follow(anna, { entity: part, muted: true });
  await write(bo, 'Nobody?');
  await write(bo, 'Hello @[Anna Talks]');
  await told(anna, ['commented 1 null', 'mentioned 1 null']);
  await told(cy, ['commented 2 null', 'mentioned 1 null']);
  await workspace.ask('DELETE', `/comments/${second.id}`);
  expect((await linesOf(anna)).map(({ comment }: { comment: object | null }) => comment !== null)).toEqual([
    true,
    false,
  ]);
  // An edit tells nobody but those whom it mentions anew.
  const edited = await write(anna, 'Done.');
  await told(bo, ['commented 1 null']);
  await anna.ask('PUT', `/comments/${edited.id}`, { text: 'Done, @[Bo Talks].' });
  await told(bo, ['commented 1 null', 'mentioned 1 null']);
});

test('who creates an order, and who follows a location, is told of what moves', async () => {
  const [anna, bo] = [await join('Anna Orders'), await join('Bo Orders')];
  const [item = ''] = await workspace.addEntities(1);
  const [shelf = ''] = await workspace.addEntities(1, { category: 'location' });
  const order = await anna.ask('POST', '/orders', {
    type: 'purchaseOrder',
    lines: [{ itemEntityId: item, locationEntityId: shelf, quantity: 5, state: 'Ordered' }],
  });
  expect(order.status, order.text).toBe(201);
  expect(await follow(bo, { entity: shelf })).toMatchObject({ stock: true });
  const [line] = order.body.lines;
  const received = await bo.ask('POST', `/stock/lines/${line.id}/receipts`, { quantity: 5 });
  expect(received.status, received.text).toBeLessThan(300);
  await vi.waitUntil(async () => (await shown(anna)).includes('order 1 null'), patience);
  const found = await workspace.ask('POST', '/stock/adjustments', {
    itemEntityId: item,
    locationEntityId: shelf,
    quantity: 1,
    reason: 'found',
  });
  expect(found.status, found.text).toBeLessThan(300);
  await told(bo, ['stock 1 null']);
});

test('a submitter is told of an import with errors, and a follower of its profile of every end', async () => {
  const [anna, bo] = [await join('Anna Sends'), await join('Bo Sends')];
  const key = (await anna.ask('POST', '/me/api-keys', { name: 'Laptop', areas: ['engineering'] })).body.key;
  await follow(bo, { importProfile: 'pdm' });
  const send = (category: string) =>
    server.request(`/api/wid/${workspace.slug}/pdm/sync?profile=pdm`, {
      key,
      body: { entities: [{ guid: crypto.randomUUID(), number: 'I-1', name: 'Sent', categoryKey: category }] },
    });
  const sent = await send('part');
  expect(sent.status, sent.text).toBe(200);
  await send('nonsense');
  await told(bo, ['importEnded 1 0', 'importProblem 1 1']);
  await told(anna, ['importProblem 1 1']);
  const mine = await server.request(`/api/wid/${workspace.slug}/me/inbox`, { key });
  expect(mine.body.items).toMatchObject([
    { kind: 'importProblem', subject: { type: 'importProfile', name: 'pdm' } },
  ]);
});

test('many followers are told in several steps, each once; who has left is told nothing', async () => {
  const MEMBERS = 450;
  const bo = await join('Bo Many');
  const [part = ''] = await workspace.addEntities(1);
  await follow(bo, { entity: part });
  const ids = Array.from({ length: MEMBERS }, newId);
  await workspace.transact(async (tx) => {
    await tx.query(
      `insert into member (workspace_id, id, name, areas, managed, ended_at)
       select $1, id, 'Many ' || id, '{read}', 'hand', case when id = $3 then now() end from unnest($2::uuid[]) as id`,
      [workspace.id, ids, ids[0]],
    );
    await tx.query(
      `insert into subscription (workspace_id, id, member_id, subject_type, subject_key, below, stock, muted, automatic)
       select $1, gen_random_uuid(), id, 'entity', $3, false, false, false, false from unnest($2::uuid[]) as id`,
      [workspace.id, ids, part],
    );
  });
  await change(bo, part, 'Once');
  await allTold();
  const rows = await workspace.transact((tx) =>
    tx.query<{ lines: number; events: number }>(
      `select count(*)::int as lines, sum(events)::int as events from inbox_line
       where workspace_id = $1 and member_id = any ($2::uuid[])`,
      [workspace.id, ids],
    ),
  );
  expect(rows).toEqual([{ lines: MEMBERS - 1, events: MEMBERS - 1 }]);
});

test('an inbox keeps so many lines: the oldest that are read go first', async () => {
  const [anna, bo] = [await join('Anna Full'), await join('Bo Full')];
  const parts = await workspace.addEntities(LINES_MAX + 2);
  for (const entity of parts) await follow(anna, { entity });
  for (const entity of parts.slice(0, LINES_MAX)) await change(bo, entity, 'Changed');
  await vi.waitUntil(async () => (await linesOf(anna)).length === LINES_MAX, patience);
  const { id } = (await linesOf(anna))[0];
  await anna.ask('POST', '/me/inbox/read', { ids: [id] });
  await change(bo, parts[LINES_MAX] ?? '', 'Changed');
  await vi.waitUntil(
    async () => (await anna.ask('GET', '/me/inbox/unread')).body.unread === LINES_MAX,
    patience,
  );
  expect((await linesOf(anna)).map((line: { id: string }) => line.id)).not.toContain(id);
  await change(bo, parts[LINES_MAX + 1] ?? '', 'Changed');
  await allTold();
  const entities = (await linesOf(anna)).map(({ entity }: { entity: { id: string } }) => entity.id);
  expect(entities).toHaveLength(LINES_MAX);
  expect(entities).not.toContain(parts[0]);
});

test('the stream of a member tells when its inbox changes, and no other', async () => {
  const [anna, bo] = [await join('Anna Streams'), await join('Bo Streams')];
  const [part = ''] = await workspace.addEntities(1);
  await follow(anna, { entity: part });
  const heard: { who: string; data: unknown }[] = [];
  const leave = [anna, bo].map(({ name, memberId }) =>
    server.ctx.workspaceFollower.follow(
      { id: workspace.id, slug: workspace.slug },
      (changes) => {
        for (const one of changes ?? []) if (one.event === 'inbox') heard.push({ who: name, data: one.data });
      },
      memberId,
    ),
  );
  const looks = server.ctx.workspaceFollower.looks;
  await vi.waitUntil(() => server.ctx.workspaceFollower.looks > looks, patience);
  await change(bo, part, 'Heard');
  await vi.waitUntil(() => heard.length > 0, patience);
  expect(heard).toEqual([{ who: anna.name, data: { unread: 1, isAtLeast: false } }]);
  for (const one of leave) one();
});

test('a merged entity is followed in the one that stays, and a subject must be there', async () => {
  const anna = await join('Anna Merges', ['engineering', 'admin']);
  const [from = '', into = ''] = await workspace.addEntities(2);
  await follow(anna, { entity: from, below: true });
  expect((await workspace.ask('POST', `/entities/${into}/merge`, { from, reason: 'Twice' })).status).toBe(
    200,
  );
  const { items } = (await anna.ask('GET', '/me/subscriptions')).body;
  expect(items).toMatchObject([{ subject: { id: into }, below: true }]);
  const codeOf = async (body: object) => (await anna.ask('POST', '/me/subscriptions', body)).body.code;
  const nobody = '00000000-0000-4000-8000-000000000001';
  expect(await codeOf({ entity: nobody })).toBe('entity_not_found');
  expect(await codeOf({ import: nobody })).toBe('batch_not_found');
  expect(await codeOf({})).toBe('validation_failed');
  expect(await codeOf({ entity: into, importProfile: 'pdm' })).toBe('validation_failed');
});

test('my work shows a member what waits for it, of what its areas allow', async () => {
  const [anna, bo, cy] = [
    await join('Anna Works'),
    await join('Bo Works', ['read']),
    await join('Cy Works', ['stock']),
  ];
  const [part = ''] = await workspace.addEntities(1);
  const [shelf = ''] = await workspace.addEntities(1, { category: 'location' });
  const [project = ''] = await workspace.addEntities(1, { category: 'project' });
  const need = async (requiredBy: string | null) => {
    const made = await anna.ask('POST', '/requirements', {
      projectId: project,
      itemEntityId: part,
      requiredQty: 2,
      requiredBy,
    });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  const needs = [await need(null), await need('2026-12-31'), await need('2026-12-01')];
  const task = async (assignedTo: string | null, dueOn: string | null = null) => {
    const made = await anna.ask('POST', '/stock/count-tasks', { location: shelf, assignedTo, dueOn });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  };
  const counts = [await task(cy.memberId), await task(cy.memberId, '2026-12-31')];
  await task(null);
  const refused = await anna.ask('POST', '/stock/count-tasks', { location: shelf, assignedTo: bo.memberId });
  expect(refused.body.errors[0].message).toContain('lacks the area "stock"');
  const key = (await anna.ask('POST', '/me/api-keys', { name: 'Files', areas: ['engineering'] })).body.key;
  const sent = await server.request(`/api/wid/${workspace.slug}/pdm/sync`, {
    key,
    body: { entities: [{ guid: crypto.randomUUID(), number: 'W-1', name: 'Sent', categoryKey: 'none' }] },
  });
  expect(sent.body.counts.error).toBe(1);
  await cy.ask('POST', '/comments', { entity: part, text: 'Look, @[Bo Works]' });
  await told(bo, ['mentioned 1 null']);

  const work = async (person: Person) => (await person.ask('GET', '/me/work')).body;
  const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
  const own = await work(anna);
  expect(ids(own.requirements).filter((id) => needs.includes(id))).toEqual([needs[2], needs[1], needs[0]]);
  expect(own.requirements.items[0]).toMatchObject({ item: { id: part }, requiredQty: 2, openQty: 2 });
  // What is ordered of it waits for nobody.
  const part1 = { locationEntityId: shelf, quantity: 0.5 };
  const ordered = await anna.ask('POST', `/requirements/${needs[2]}/orders`, part1);
  expect(ordered.status, ordered.text).toBe(201);
  const left = (await work(anna)).requirements.items.find(({ id }: { id: string }) => id === needs[2]);
  expect(left).toMatchObject({ requiredQty: 2, openQty: 1.5 });
  expect(own.counts).toEqual({ count: 0, isAtLeast: false, items: [] });
  expect(own.imports).toMatchObject({ count: 1, items: [{ id: sent.body.batchId, errors: 1 }] });
  expect(own.plans).toEqual({ count: 0, isAtLeast: false, items: [] });
  const theirs = await work(cy);
  expect([theirs.requirements, theirs.imports, theirs.plans]).toEqual([null, null, null]);
  expect([theirs.counts.count, ids(theirs.counts)]).toEqual([2, [counts[1], counts[0]]]);
  expect(await work(bo)).toEqual({
    ...{ requirements: null, counts: null, imports: null, plans: null },
    mentions: { count: 1, isAtLeast: false },
  });
  // A key of its own shows no more than the key may.
  const byKey = await server.request(`/api/wid/${workspace.slug}/me/work`, { key });
  expect([byKey.body.requirements, byKey.body.imports.count]).toEqual([null, 1]);
  expect((await workspace.ask('GET', '/me/work')).body.code).toBe('forbidden');
  const listed = await cy.ask('GET', `/stock/count-tasks?assignedTo=${cy.memberId}&limit=1`);
  expect(ids(listed.body)).toEqual([counts[0]]);
  const next = await cy.ask(
    'GET',
    `/stock/count-tasks?assignedTo=${cy.memberId}&cursor=${listed.body.nextCursor}`,
  );
  expect(ids(next.body)).toEqual([counts[1]]);
});

test('who follows a saved view is told of what is created in it or changes in it, by one rule with the list', async () => {
  const [anna, bo] = [await join('Anna Views'), await join('Bo Views')];
  const view = async (by: Person, name: string, filters: object, shared = true) => {
    const made = await by.ask('POST', '/views', { name, list: 'entities', shared, filters });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const shared = await view(bo, 'Bolts', { q: ['Viewed bolt'], category: ['part'] });
  const unshared = await view(bo, 'Own', {}, false);
  const ofOrders = (
    await bo.ask('POST', '/views', { name: 'Orders', list: 'orders', shared: true, filters: {} })
  ).body.id;
  for (const id of [unshared, ofOrders, newId()])
    expect((await anna.ask('POST', '/me/subscriptions', { view: id })).body.code).toBe('view_not_found');
  expect(await follow(anna, { view: shared })).toMatchObject({
    subject: { type: 'view', id: shared, name: 'Bolts' },
    automatic: false,
  });
  expect((await anna.ask('GET', `/me/subscriptions?view=${shared}`)).body.items).toHaveLength(1);
  const create = async (by: Person, name: string) => {
    const made = await by.ask('POST', '/entities', { category: 'part', name });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const first = await create(bo, 'Viewed bolt');
  await create(bo, 'Nut');
  await create(anna, 'Viewed bolt of her own');
  await told(anna, ['created 1 null']);
  expect((await linesOf(anna))[0]).toMatchObject({
    subject: { type: 'view', name: 'Bolts' },
    entity: { id: first },
    actor: { name: 'Bo Views' },
  });
  // What comes into the view by a change is told of; what leaves it is not.
  const nut = await create(bo, 'Nut');
  await allTold();
  await change(bo, nut, 'Viewed bolt, once a nut');
  await change(bo, first, 'No more');
  await bo.ask('POST', `/entities/${nut}/transitions`, { toState: 'In Review' });
  await told(anna, ['changed 1 name', 'created 1 null', 'moved 1 In Review']);
  // Its owner stops sharing it: nobody else is told any more.
  const stored = (await bo.ask('GET', `/views/${shared}`)).body;
  expect((await bo.ask('PUT', `/views/${shared}`, { ...stored, shared: false })).status).toBe(200);
  await change(bo, nut, 'Viewed bolt again');
  await allTold();
  expect(await linesOf(anna)).toHaveLength(3);
  expect((await bo.ask('DELETE', `/views/${shared}`)).status).toBe(204);
  const { items } = (await anna.ask('GET', `/me/subscriptions?view=${shared}`)).body;
  expect(items[0].subject).toMatchObject({ id: shared, name: null });
});

test('members follow at most fifty views of a workspace together', async () => {
  const anna = await join('Anna Fifty');
  const VIEWS_MAX = 50;
  const ids = Array.from({ length: VIEWS_MAX + 1 }, newId);
  await workspace.transact((tx) =>
    tx.query(
      `insert into saved_view (workspace_id, id, name, list, shared, settings, owner_id, owner_name)
       select $1, id, 'Many', 'entities', true, '{"filters":{},"sort":null,"order":null,"columns":null}', $1, 'Nobody'
       from unnest($2::uuid[]) as id`,
      [workspace.id, ids],
    ),
  );
  for (const view of ids.slice(0, VIEWS_MAX)) await follow(anna, { view });
  const over = await anna.ask('POST', '/me/subscriptions', { view: ids[VIEWS_MAX] });
  expect([over.status, over.body.code, over.body.limit]).toEqual([409, 'configuration_full', VIEWS_MAX]);
  await follow(anna, { view: ids[0], muted: true });
});

test('who creates an entity by hand, or has sent an import, is told of comments on it', async () => {
  const [anna, bo] = [await join('Anna Makes'), await join('Bo Makes')];
  const { id: part } = (await anna.ask('POST', '/entities', { category: 'part', name: 'Made by hand' })).body;
  const key = (await anna.ask('POST', '/me/api-keys', { name: 'Vault', areas: ['engineering'] })).body.key;
  const sent = await server.request(`/api/wid/${workspace.slug}/pdm/sync`, { key, body: { entities: [] } });
  const { batchId } = sent.body;
  await bo.ask('POST', '/comments', { entity: part, text: 'What is it for?' });
  await told(anna, ['commented 1 null']);
  await bo.ask('POST', '/comments', { import: batchId, text: 'It is empty.' });
  await told(anna, ['commented 1 null', 'commented 1 null']);
  expect((await linesOf(anna))[0]).toMatchObject({ subject: { type: 'import', id: batchId } });
  // An import is not followed for that: a connector sends thousands.
  const followed = (await anna.ask('GET', '/me/subscriptions')).body.items;
  expect(followed.map(({ subject }: { subject: { id: string } }) => subject.id)).toEqual([part]);
  await follow(anna, { import: batchId, muted: true });
  await bo.ask('POST', '/comments', { import: batchId, text: 'Still.' });
  await allTold();
  expect(await shown(anna)).toEqual(['commented 1 null', 'commented 1 null']);
});
