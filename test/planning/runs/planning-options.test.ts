/** Which structures, items, locations and dates a planning run plans. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { computeRuns, openPlanningThread } from '../../../src/planning/runs/run-planning.ts';
import type { PlanningAction, PlanningRun } from '../../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let thread: ReturnType<typeof openPlanningThread>;
let shelf: string;
let annex: string;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server, { items: 1, locations: 2 });
  [shelf, annex] = workspace.locations as [string, string];
  thread = openPlanningThread(server.ctx);
});
afterAll(async () => {
  await thread.destroy();
  await server.close();
});

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const start = (body: object) => workspace.ask('POST', '/planning/runs', body);
const run = async (body: object = {}): Promise<PlanningRun> => {
  const { id } = await workspace.must(202, 'POST', '/planning/runs', body);
  await computeRuns(server.ctx, thread);
  const done = await workspace.must(200, 'GET', `/planning/runs/${id}`);
  expect(done.status, JSON.stringify(done.failure)).toBe('completed');
  return done;
};
const actionsOf = async ({ id }: { id: string }): Promise<PlanningAction[]> =>
  (await workspace.must(200, 'GET', `/planning/runs/${id}/actions?limit=100&has=proposal`)).items;
/** Actions in words, without their dates. */
const told = async (of: { id: string }, names: Readonly<Record<string, string>>): Promise<string[]> => {
  const nameOf = new Map(Object.entries(names).map(([name, id]) => [id, name]));
  const found = await actionsOf(of);
  return found
    .flatMap(({ itemEntityId, action, quantity }) => {
      const name = nameOf.get(itemEntityId);
      return name === undefined ? [] : [`${action} ${quantity} ${name}`];
    })
    .sort();
};
const need = (item: string, requiredQty: number, days: number, projectId = workspace.project) =>
  workspace.must(201, 'POST', '/requirements', {
    projectId,
    itemEntityId: item,
    requiredQty,
    requiredBy: dayIn(days),
  });

test('plans released revisions, or in a what-if run another revision of an item', async () => {
  const [lamp, bulb, glass] = (await workspace.addEntities(3)) as [string, string, string];
  const names = { lamp, bulb, glass };
  await workspace.link(lamp, bulb, 1);
  for (const state of ['In Review', 'Released']) await workspace.move(lamp, state);
  await workspace.must(200, 'PUT', `/entities/${lamp}/uses/${bulb}`, { quantity: 3 });
  await workspace.link(lamp, glass, 1);
  await need(lamp, 10, 30);

  expect(await told(await run(), names)).toEqual(['make 10 lamp', 'order 10 glass', 'order 30 bulb']);
  const released = await run({ structure: 'released' });
  expect(released).toMatchObject({ structure: 'released', isWhatIf: false, scope: null });
  expect(await told(released, names)).toEqual(['make 10 lamp', 'order 10 bulb']);
  const asIn = await run({ whatIf: { revisions: [{ itemEntityId: lamp, revision: 1 }] } });
  expect(asIn).toMatchObject({ isWhatIf: true, revisions: [{ itemEntityId: lamp, revision: 1 }] });
  expect(await told(asIn, names)).toEqual(['make 10 lamp', 'order 10 bulb']);
  // The timeline follows the structure that the run has planned.
  const timeline = (id: string, item: string) =>
    workspace.must(200, 'GET', `/planning/runs/${id}/items/${item}`);
  expect(await timeline(released.id, bulb)).toMatchObject({
    isCurrent: true,
    needs: [{ quantity: 10, parentEntityId: lamp }],
  });
  expect(await timeline(released.id, glass)).toMatchObject({ isCurrent: true, needs: [] });

  const refused = await start({ whatIf: { revisions: [{ itemEntityId: lamp, revision: 7 }] } });
  expect(refused.body).toMatchObject({
    code: 'revision_not_found',
    errors: [{ pointer: '/whatIf/revisions/0/revision' }],
  });
});

test('a what-if run plans order lines and requirements with other dates', async () => {
  const [gear] = (await workspace.addEntities(1)) as [string];
  const { id: requirement } = await need(gear, 5, 40);
  const { body } = await workspace.line({
    itemEntityId: gear,
    locationEntityId: shelf,
    quantity: 5,
    requiredBy: dayIn(40),
  });
  expect(await told(await run(), { gear })).toEqual([]);
  const later = [{ id: body.line.id, requiredBy: dayIn(60) }];
  const late = await run({ whatIf: { dates: later } });
  expect(late).toMatchObject({ isWhatIf: true, dates: later });
  expect(await told(late, { gear })).toEqual(['expedite 5 gear']);
  expect(
    await told(await run({ whatIf: { dates: [...later, { id: requirement, requiredBy: dayIn(60) }] } }), {
      gear,
    }),
  ).toEqual([]);
  const unknown = await start({ whatIf: { dates: [{ id: gear, requiredBy: dayIn(1) }] } });
  expect(unknown.body).toMatchObject({ code: 'line_not_found', errors: [{ pointer: '/whatIf/dates/0/id' }] });
  expect((await start({ whatIf: {} })).status).toBe(422);
});

test('the scope of a run leaves actions of other items out, and takes no supply of others', async () => {
  const [frame, tube, bolt] = (await workspace.addEntities(3)) as [string, string, string];
  const names = { frame, tube, bolt };
  await workspace.link(frame, tube, 1);
  const project = await workspace.addProject('Bridge');
  await need(bolt, 4, 20);
  await need(frame, 2, 30, project);
  await need(bolt, 3, 50, project);
  await workspace.adjust(bolt, shelf, 4);
  const whole = await run();
  const [dismissed] = (await actionsOf(whole)).filter(({ itemEntityId: item }) => item === tube);
  await workspace.must(200, 'POST', `/planning/runs/${whole.id}/dismiss`, { actions: [dismissed?.number] });

  const scoped = await run({ scope: { items: [frame] } });
  expect(scoped.scope).toEqual({ items: [frame], projects: null, categories: null, locationEntityId: null });
  expect(scoped.actions).toMatchObject({ make: 1, order: 1 });
  const [order] = await actionsOf(scoped);
  expect(await actionsOf(scoped)).toMatchObject([
    { itemEntityId: frame, status: 'open' },
    { itemEntityId: tube, status: 'dismissed' },
  ]);
  await workspace.must(200, 'POST', `/planning/runs/${scoped.id}/dismiss`, { actions: [order?.number] });
  // The stock belongs to the earlier need, which is of another project.
  expect(await told(await run({ scope: { projects: [project] } }), names)).toEqual([
    'make 2 frame',
    'order 2 tube',
    'order 3 bolt',
  ]);
  expect(await actionsOf(await run({ scope: { projects: [project], items: [bolt] } }))).toMatchObject([
    { itemEntityId: bolt, quantity: 3 },
  ]);
  expect((await run({ scope: { categories: ['assembly'] } })).actions).toEqual({});
  // What was dismissed stays so in a whole run, and a decision of a run with a scope is not lost either.
  const again = await run();
  const statuses = new Map(
    (await actionsOf(again)).map(({ itemEntityId, status }) => [itemEntityId, status]),
  );
  expect([statuses.get(tube), statuses.get(frame), statuses.get(bolt)]).toEqual([
    'dismissed',
    'dismissed',
    'open',
  ]);
});

test('the location of a scope counts its own stock and order lines, also when actions are committed', async () => {
  const [pump] = (await workspace.addEntities(1)) as [string];
  await workspace.must(200, 'PUT', `/planning/items/${pump}`, { policy: 'demand', locationEntityId: shelf });
  await need(pump, 9, 30);
  await workspace.adjust(pump, annex, 9);
  await workspace.line({ itemEntityId: pump, locationEntityId: shelf, quantity: 2, requiredBy: dayIn(30) });
  expect(await told(await run(), { pump })).toEqual(['cancel 0 pump']);
  const here = await run({ scope: { items: [pump], locationEntityId: shelf } });
  const [order] = await actionsOf(here);
  expect(order).toMatchObject({ action: 'order', quantity: 7 });
  await workspace.adjust(pump, annex, 1);
  await workspace.must(200, 'POST', `/planning/runs/${here.id}/commit`, { actions: [order?.number] });
  const none = await run({ scope: { items: [pump], locationEntityId: shelf } });
  expect(none.actions).toEqual({});
});

test('what sales lines leave of a forecast is needed, and a commit refuses what rests on another forecast', async () => {
  const [fan] = (await workspace.addEntities(1)) as [string];
  await workspace.must(200, 'PUT', `/planning/items/${fan}`, { policy: 'demand', locationEntityId: shelf });
  const spans = [
    { itemEntityId: fan, from: dayIn(-5), until: dayIn(20), quantity: 10 },
    { itemEntityId: fan, from: dayIn(30), until: dayIn(60), quantity: 20 },
    { itemEntityId: fan, from: dayIn(-50), until: dayIn(-6), quantity: 40 },
  ];
  const set = (forecasts: object[]) => workspace.ask('POST', '/planning/forecasts', { forecasts });
  expect((await set(spans)).body.items).toHaveLength(3);
  const sale = { type: 'salesOrder', itemEntityId: fan, locationEntityId: shelf, allowBackorder: true };
  expect((await workspace.line({ ...sale, quantity: 4, requiredBy: dayIn(10) })).status).toBe(201);
  await workspace.line({ ...sale, quantity: 25, requiredBy: dayIn(40) });
  const first = await run();
  const planned = async (of: { id: string }) =>
    (await actionsOf(of)).filter(({ itemEntityId, action }) => itemEntityId === fan && action === 'order');
  // Six are left of ten today, four are sold in ten days, and of the second span more is sold than was expected.
  expect((await planned(first)).map(({ neededOn, quantity }) => [neededOn, quantity])).toEqual([
    [dayIn(0), 6],
    [dayIn(10), 4],
    [dayIn(40), 25],
  ]);
  const timeline = await workspace.must(200, 'GET', `/planning/runs/${first.id}/items/${fan}`);
  expect(timeline.needs[0]).toMatchObject({ kind: 'forecast', quantity: 6, neededOn: dayIn(0) });

  const [one] = await planned(first);
  await set([{ ...spans[0], quantity: 11 }]);
  const commit = await workspace.ask('POST', `/planning/runs/${first.id}/commit`, { actions: [one?.number] });
  expect(commit.body.code).toBe('plan_stale');
  await workspace.must(204, 'DELETE', `/planning/forecasts/${fan}/${dayIn(-5)}`);
  const gone = await workspace.ask('DELETE', `/planning/forecasts/${fan}/${dayIn(-5)}`);
  expect(gone.body.code).toBe('forecast_not_found');
  expect(await planned(await run())).toHaveLength(2);
  const { items, nextCursor } = await workspace.must(200, 'GET', `/planning/forecasts?item=${fan}&limit=1`);
  expect([items[0].from, nextCursor !== null]).toEqual([dayIn(-50), true]);

  const overlapping = await set([{ ...spans[1], from: dayIn(50), until: dayIn(55) }]);
  expect(overlapping.body.detail).toContain('reaches into');
  const backwards = await set([{ ...spans[0], until: dayIn(-6) }]);
  expect(backwards.body.errors[0].pointer).toBe('/forecasts/0/until');
  expect((await set([{ ...spans[0], quantity: 0 }])).body.code).toBe('quantity_out_of_range');
  expect((await set([{ ...spans[0], itemEntityId: shelf }])).body.code).toBe('not_an_item');
});

test('a line that changes while a commit waits for it makes the commit stale', async () => {
  const [hinge] = (await workspace.addEntities(1)) as [string];
  const { body } = await workspace.line({
    itemEntityId: hinge,
    locationEntityId: shelf,
    quantity: 5,
    requiredBy: dayIn(40),
  });
  await need(hinge, 5, 20);
  const found = await run({ scope: { items: [hinge] } });
  const actions = (await actionsOf(found)).map(({ number }) => number);
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from entity where id = $1 for update', [body.line.id]);
    const committing = workspace.ask('POST', `/planning/runs/${found.id}/commit`, { actions });
    await vi.waitUntil(async () => {
      const { rows } = await holder.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }, patience);
    await holder.query('update stock_line set required_by = required_by + 1 where id = $1', [body.line.id]);
    await holder.query('commit');
    expect((await committing).body.code).toBe('plan_stale');
  } finally {
    await holder.end();
  }
});

test('what is moved while a commit writes makes further actions of the item stale, and so do needs that change places', async () => {
  const [hinge, latch] = (await workspace.addEntities(2)) as [string, string];
  const needs = [];
  for (const item of [hinge, latch]) for (const days of [20, 60, 100]) needs.push(await need(item, 5, days));
  const found = await run({ scope: { items: [hinge, latch] } });
  const actions = await actionsOf(found);
  const of = (item: string) =>
    actions.filter((one) => one.itemEntityId === item).map(({ number }) => number) as [
      number,
      number,
      number,
    ];
  const commit = async (...numbers: number[]) => {
    const body = { actions: numbers, locationEntityId: shelf };
    const { body: answer } = await workspace.ask('POST', `/planning/runs/${found.id}/commit`, body);
    return answer.code ?? answer.orders.length;
  };
  const [first, second, third] = of(hinge);
  expect(await commit(first)).toBe(1);
  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin; lock table stock_line in share mode');
    const committing = commit(second);
    await vi.waitUntil(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where relation = 'stock_line'::regclass and not granted`,
      );
      return rows.length > 0;
    }, patience);
    await workspace.adjust(hinge, shelf, 5);
    await holder.query('commit');
    expect(await committing).toBe(1);
  } finally {
    await holder.end();
  }
  expect(await commit(third)).toBe('plan_stale');

  // The sum of the dates stays as it was.
  expect(await commit(of(latch)[0])).toBe(1);
  for (const { id } of needs.slice(4))
    await workspace.must(200, 'PATCH', `/requirements/${id}`, { requiredBy: dayIn(80) });
  expect(await commit(of(latch)[1])).toBe('plan_stale');
});

test('a scope that names what does not fit is refused, with its place', async () => {
  const refusedAt = async (scope: object) => {
    const { body } = await start({ scope });
    return [body.code, body.errors[0].pointer];
  };
  expect(await refusedAt({ items: [workspace.items[0], shelf] })).toEqual(['not_an_item', '/scope/items/1']);
  expect(await refusedAt({ projects: [shelf] })).toEqual(['not_a_project', '/scope/projects/0']);
  expect(await refusedAt({ categories: ['location'] })).toEqual([
    'category_not_found',
    '/scope/categories/0',
  ]);
  expect(await refusedAt({ locationEntityId: workspace.items[0] })).toEqual([
    'not_a_location',
    '/scope/locationEntityId',
  ]);
  expect(await refusedAt({})).toEqual(['validation_failed', '/scope']);
});
