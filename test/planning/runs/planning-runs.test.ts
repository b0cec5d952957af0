/** Planning runs through the API: what they propose, and what becomes of it. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../src/db/ids.ts';
import { NewPlanningRun, standardOptions } from '../../../src/planning/options/planning-options.schema.ts';
import { acceptOrJoinRun } from '../../../src/planning/runs/accept-run.ts';
import { shareQueuedRun } from '../../../src/planning/runs/planning-runs.sql.ts';
import { computeRuns, openPlanningThread } from '../../../src/planning/runs/run-planning.ts';
import { findPromise } from '../../../src/planning/timeline/find-promise.ts';
import { pruneOld } from '../../../src/retention.ts';
import type { PlanningAction, PlanningRun } from '../../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { patience } from '../../setup/patience.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let thread: ReturnType<typeof openPlanningThread>;
let frame: string;
let tube: string;
let bolt: string;
let shelf: string;

beforeAll(async () => {
  server = await startTestServer({
    environment: { PLANNING_RUNS_UNFINISHED_MAX: '2', PLANNING_RETENTION_DAYS: '1' },
  });
  workspace = await makeProcuringWorkspace(server, { items: 9, locations: 1 });
  thread = openPlanningThread(server.ctx);
  [frame, tube, bolt] = workspace.items as [string, string, string];
  [shelf] = workspace.locations as [string];
  await workspace.link(frame, tube, 2);
  await workspace.link(frame, bolt, 4);
  const supplier = { name: 'Bossard', currency: 'EUR', leadTimeDays: 10 };
  const { id: supplierId } = await workspace.must(201, 'POST', '/suppliers', supplier);
  await workspace.must(201, 'POST', '/supplier-parts', {
    itemEntityId: bolt,
    supplierId,
    sku: 'B-1',
    packQuantity: 25,
    prices: [{ from: 1, price: '0.5', currency: 'EUR' }],
  });
  await plan(frame, { makeOrBuy: 'make', leadTimeDays: 5, locationEntityId: shelf });
  await plan(tube, { leadTimeDays: 8 });
});
afterAll(async () => {
  await thread.destroy();
  await server.close();
});

const plan = (item: string, body: object) =>
  workspace.must(200, 'PUT', `/planning/items/${item}`, { policy: 'demand', ...body });
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const read = (id: string): Promise<PlanningRun> => workspace.must(200, 'GET', `/planning/runs/${id}`);
const run = async (body: object = {}): Promise<PlanningRun> => {
  const { id } = await workspace.must(202, 'POST', '/planning/runs', body);
  await computeRuns(server.ctx, thread);
  const done = await read(id);
  expect(done.status, JSON.stringify(done.failure)).toBe('completed');
  return done;
};
const actionsOf = async ({ id }: { id: string }, query = ''): Promise<PlanningAction[]> =>
  (await workspace.must(200, 'GET', `/planning/runs/${id}/actions?limit=100${query}`)).items;
const need = (item: string, requiredQty: number, requiredBy: string) =>
  workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: item,
    requiredQty,
    requiredBy,
  });
const commit = ({ id }: { id: string }, body: object) =>
  workspace.ask('POST', `/planning/runs/${id}/commit`, body);

test('a run proposes what to make and to order, and when; once committed, a second run proposes nothing', async () => {
  await workspace.adjust(tube, shelf, 5);
  await need(frame, 10, dayIn(40));
  const first = await run();
  expect(first).toMatchObject({
    isWhatIf: false,
    links: 2,
    actions: { make: 1, order: 2 },
    exceptions: { noSupplier: 1 },
  });
  expect(await actionsOf(first)).toMatchObject([
    {
      number: 1,
      itemEntityId: bolt,
      action: 'order',
      neededOn: dayIn(35),
      startsOn: dayIn(25),
      quantity: 50,
      supplier: 'Bossard',
      amount: '25',
      currency: 'EUR',
      exceptions: [],
    },
    {
      itemEntityId: tube,
      action: 'order',
      neededOn: dayIn(35),
      startsOn: dayIn(27),
      quantity: 15,
      exceptions: ['noSupplier'],
    },
    { itemEntityId: frame, action: 'make', neededOn: dayIn(40), startsOn: dayIn(35), quantity: 10 },
  ]);
  expect(await actionsOf(first, `&item=${tube}`)).toHaveLength(1);
  expect(await actionsOf(first, '&exception=noSupplier&action=make')).toEqual([]);

  expect((await commit(first, {})).body.detail).toContain('names no location');
  expect((await commit(first, { actions: [1, 1] })).body.detail).toContain('named twice');
  const { status, body } = await commit(first, { locationEntityId: shelf, as: 'ordered', note: 'Planned' });
  expect(status).toBe(200);
  expect(body.orders).toHaveLength(3);
  const bought = body.orders.find((one: { supplier: string | null }) => one.supplier === 'Bossard');
  expect(bought.lines).toMatchObject([
    { itemEntityId: bolt, quantity: 50, requiredBy: dayIn(35), state: 'Ordered' },
  ]);
  expect((await commit(first, { actions: [1], locationEntityId: shelf })).status).toBe(422);
  const second = await run();
  expect(second.actions).toEqual({});
});

test('a line that comes too late, too early or in vain is moved, changed or cancelled', async () => {
  const item = bolt;
  const { body } = await workspace.line({ itemEntityId: item, quantity: 60, requiredBy: dayIn(90) });
  await need(item, 30, dayIn(60));
  const moving = await run();
  const found = await actionsOf(moving, `&item=${item}`);
  expect(found).toMatchObject([
    { action: 'expedite', lineId: body.line.id, neededOn: dayIn(60), startsOn: dayIn(60) },
    { action: 'decrease', lineId: body.line.id, quantity: 25 },
  ]);
  const { status, text, body: done } = await commit(moving, { actions: found.map(({ number }) => number) });
  expect(status, text).toBe(200);
  expect(done).toMatchObject({
    orders: [],
    lines: [{ id: body.line.id, quantity: 25, requiredBy: dayIn(60) }],
  });
  expect(await workspace.must(200, 'GET', `/stock/lines/${body.line.id}`)).toMatchObject({
    quantity: 25,
    requiredBy: dayIn(60),
  });
  expect((await run()).actions).toEqual({});
});

test('each part of a promised line counts on its own day, and is moved or cancelled alone', async () => {
  const [item] = workspace.items.slice(8) as [string];
  await plan(item, { leadTimeDays: 30, locationEntityId: shelf });
  const { body } = await workspace.line({ itemEntityId: item, quantity: 100, requiredBy: dayIn(40) });
  const path = `/stock/lines/${body.line.id}`;
  const promises = [
    { on: dayIn(20), quantity: 30 },
    { on: dayIn(60), quantity: 40 },
  ];
  await workspace.must(200, 'PATCH', path, { promises });
  await workspace.must(201, 'POST', `${path}/receipts`, { quantity: 10 });
  await need(item, 25, dayIn(20));
  await need(item, 32, dayIn(30));
  const moving = await run();
  const found = await actionsOf(moving, `&item=${item}`);
  expect(found).toMatchObject([
    { action: 'expedite', partOn: dayIn(40), lineDate: dayIn(40), neededOn: dayIn(30), quantity: 27 },
    { action: 'decrease', partOn: dayIn(40), quantity: 27 },
    { action: 'cancel', partOn: dayIn(60) },
  ]);
  const { supplies, days, isCurrent } = await workspace.must(
    200,
    'GET',
    `/planning/runs/${moving.id}/items/${item}`,
  );
  expect(supplies).toMatchObject([
    { lineId: body.line.id, comesOn: dayIn(20), quantity: 20 },
    { lineId: body.line.id, comesOn: dayIn(40), quantity: 30 },
    { lineId: body.line.id, comesOn: dayIn(60), quantity: 40 },
  ]);
  expect(days.map(({ on, projected }: { on: string; projected: number }) => [on, projected])).toEqual([
    [dayIn(0), 10],
    [dayIn(20), 5],
    [dayIn(30), -27],
    [dayIn(40), 3],
    [dayIn(60), 43],
  ]);
  expect(isCurrent).toBe(true);
  const { status, text, body: done } = await commit(moving, { actions: found.map(({ number }) => number) });
  expect(status, text).toBe(200);
  expect(done.lines).toMatchObject([
    { quantity: 57, requiredBy: dayIn(30), promises: [{ on: dayIn(20), quantity: 30 }] },
  ]);
  expect(await actionsOf(await run(), `&item=${item}`)).toEqual([]);
});

test('free stock of a substitute is named for what it covers, and is not committed', async () => {
  const names = ['LAMP', 'LED', 'WARM'];
  const guids = names.map((_, at) => `9e3f4d82-6c75-4a20-8c8d-517fbe40301${at}`);
  await workspace.must(200, 'POST', '/pdm/sync', {
    entities: names.map((name, at) => ({
      guid: guids[at],
      number: `SUB-${name}`,
      name,
      categoryKey: 'part',
    })),
  });
  const [lamp, led, warm] = await Promise.all(
    guids.map((guid) => workspace.must(200, 'GET', `/entities/guid:${guid}`)),
  );
  const substitutes = [{ guid: guids[2], rank: 1, ratio: 2 }];
  await workspace.must(201, 'PUT', `/entities/${lamp.id}/uses/${led.id}`, { quantity: 1, substitutes });
  await plan(lamp.id, { makeOrBuy: 'make', leadTimeDays: 5, locationEntityId: shelf });
  await plan(led.id, { leadTimeDays: 3, locationEntityId: shelf });
  await workspace.adjust(led.id, shelf, 1);
  await workspace.adjust(warm.id, shelf, 9);
  await need(warm.id, 3, dayIn(60));
  await need(lamp.id, 10, dayIn(40));
  const found = await run();
  const [order, use] = await actionsOf(found, `&item=${led.id}`);
  expect(order).toMatchObject({ action: 'order', quantity: 6, neededOn: dayIn(35), substitute: null });
  expect(use).toMatchObject({
    action: 'useSubstitute',
    quantity: 3,
    neededOn: dayIn(35),
    substitute: { itemEntityId: warm.id, itemNumber: 'SUB-WARM', quantity: 6 },
  });
  expect(await actionsOf(found, `&item=${warm.id}`)).toEqual([]);
  expect((await commit(found, { actions: [use?.number] })).body.detail).toContain('substitute');
  const of = (item: string) => workspace.must(200, 'GET', `/planning/runs/${found.id}/items/${item}`);
  expect(await of(led.id)).toMatchObject({
    isCurrent: true,
    needs: [{ quantity: 10, covered: 10 }],
    actions: [{ pegs: [{ quantity: 6 }] }, { pegs: [{ quantity: 3, path: [{ itemNumber: 'SUB-LAMP' }] }] }],
  });
  expect(await of(warm.id)).toMatchObject({ isCurrent: true });
  const [bare] = await actionsOf(await run({ usesSubstitutes: false }), `&item=${led.id}`);
  expect(bare).toMatchObject({ action: 'order', quantity: 9 });
  // What the substitute was to cover is gone: too little would be ordered.
  await workspace.adjust(warm.id, shelf, -1);
  const gone = await commit(found, { actions: [order?.number], locationEntityId: shelf });
  expect([gone.status, gone.body.code, gone.body.actions]).toEqual([409, 'plan_stale', [order?.number]]);
  await workspace.adjust(warm.id, shelf, 1);
  await workspace.must(200, 'POST', `/planning/runs/${found.id}/commit`, {
    actions: [order?.number],
    locationEntityId: shelf,
  });
  expect((await actionsOf(await run(), `&item=${led.id}`)).map(({ action }) => action)).toEqual([
    'useSubstitute',
  ]);
});

test('a commit refuses what has moved since the run', async () => {
  await need(tube, 7, dayIn(50));
  const stale = await run();
  const [{ number } = { number: 0 }] = await actionsOf(stale, `&item=${tube}`);
  await workspace.adjust(tube, shelf, 1);
  const refused = await commit(stale, { actions: [number], locationEntityId: shelf });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'plan_stale', actions: [number] });
});

test('a dismissed action stays dismissed until its need changes', async () => {
  const before = await run();
  const [{ number } = { number: 0 }] = await actionsOf(before, `&item=${tube}`);
  await workspace.must(200, 'POST', `/planning/runs/${before.id}/dismiss`, { actions: [number] });
  expect(await actionsOf(await run(), `&item=${tube}`)).toMatchObject([{ status: 'dismissed' }]);
  await need(tube, 1, dayIn(50));
  expect(await actionsOf(await run(), `&item=${tube}`)).toMatchObject([{ status: 'open' }]);
});

test('a what-if run plans further demand, and cannot be committed', async () => {
  const demand = [{ itemEntityId: frame, quantity: 3, requiredBy: dayIn(70) }];
  const asked = await run({ whatIf: { demand }, weekdays: [1, 2, 3, 4, 5] });
  expect(asked).toMatchObject({ isWhatIf: true, demand });
  expect(await actionsOf(asked, `&item=${frame}`)).toMatchObject([
    { action: 'make', quantity: 3, neededOn: dayIn(70) },
  ]);
  expect((await commit(asked, { locationEntityId: shelf })).body.code).toBe('planning_run_not_ready');
  const { id } = await run({ weekdays: [1, 2, 3, 4, 5] });
  const compare = async (query: string) =>
    (await workspace.must(200, 'GET', `/planning/runs/${asked.id}/compare?${query}`)) as {
      items: { change: string; action: PlanningAction }[];
      nextCursor: string | null;
    };
  const { items } = await compare(`with=${id}&limit=100`);
  expect(items.find(({ action }) => action.itemEntityId === frame)).toMatchObject({
    change: 'added',
    action: { action: 'make', quantity: 3, neededOn: dayIn(70) },
  });
  const first = await compare(`with=${id}&limit=1`);
  const next = await compare(`with=${id}&limit=100&cursor=${first.nextCursor}`);
  expect([...first.items, ...next.items]).toEqual(items);
  expect((await compare(`with=${asked.id}`)).items).toEqual([]);
});

test('the timeline of an item shows its stock by day, and what each line and action is for', async () => {
  await need(frame, 6, dayIn(50));
  const { id } = await run();
  const read = (item: string) => workspace.must(200, 'GET', `/planning/runs/${id}/items/${item}`);
  const shown = await read(bolt);
  expect(shown).toMatchObject({ itemEntityId: bolt, isCurrent: true, isTruncated: false });
  expect(shown.needs).toMatchObject([
    { kind: 'requirement', quantity: 40, covered: 40, neededOn: dayIn(35), parentEntityId: frame },
    { kind: 'plannedOrder', quantity: 24, covered: 24, neededOn: dayIn(45), parentEntityId: frame },
    { kind: 'requirement', quantity: 30, covered: 30, neededOn: dayIn(60), parentEntityId: null },
  ]);
  const [{ number: frameNumber }] = [await workspace.must(200, 'GET', `/entities/${frame}`)];
  expect(shown.supplies).toMatchObject([
    {
      comesOn: dayIn(35),
      quantity: 50,
      surplus: 0,
      pegs: [
        { quantity: 40, kind: 'requirement', neededOn: dayIn(40), path: [{ itemNumber: frameNumber }] },
        { quantity: 10, kind: 'requirement', neededOn: dayIn(50), path: [{ itemEntityId: frame }] },
      ],
    },
    { comesOn: dayIn(60), quantity: 25, pegs: [{ quantity: 14 }, { quantity: 11, path: [] }] },
  ]);
  expect(shown.actions).toMatchObject([
    {
      action: 'expedite',
      lineDate: dayIn(60),
      neededOn: dayIn(45),
      surplus: 0,
      pegs: [{ quantity: 14 }, { quantity: 11 }],
    },
    { action: 'order', quantity: 25, surplus: 6, pegs: [{ quantity: 19, kind: 'requirement' }] },
  ]);
  expect(shown.days.at(-1)).toMatchObject({ on: dayIn(60), projected: -19, projectedWithPlan: 6 });
  await workspace.adjust(bolt, shelf, 30);
  expect(await read(bolt)).toMatchObject({ isCurrent: false, stock: 30 });
  await workspace.adjust(bolt, shelf, -30);
  expect((await workspace.ask('GET', `/planning/runs/${id}/items/${shelf}`)).body.code).toBe('not_an_item');
});

test('a run that finds what the run before it found writes no actions, and shares its decisions', async () => {
  const stored = () =>
    workspace.transact(async (tx) => {
      const rows = await tx.query('select run_id from planning_action where workspace_id = $1', [
        tx.workspaceId,
      ]);
      return rows.length;
    });
  const [gear] = workspace.items.slice(5, 6) as [string];
  await plan(gear, { leadTimeDays: 2, locationEntityId: shelf });
  await need(gear, 9, dayIn(30));
  const first = await run();
  const rows = await stored();
  const second = await run({ toleranceDays: 8 });
  expect(second).toMatchObject({ sameAs: first.id, actions: first.actions });
  expect(await stored()).toBe(rows);
  const [{ number } = { number: 0 }] = await actionsOf(second, `&item=${gear}`);
  await workspace.must(200, 'POST', `/planning/runs/${first.id}/dismiss`, { actions: [number] });
  expect(await actionsOf(second, `&item=${gear}`)).toMatchObject([{ status: 'dismissed' }]);
  expect((await run()).sameAs).toBe(first.id);
  await workspace.must(200, 'POST', `/planning/runs/${second.id}/dismiss`, {
    actions: [number],
    dismissed: false,
  });
  expect((await commit(second, { actions: [number] })).status).toBe(200);
  expect(await actionsOf(first, `&item=${gear}`)).toMatchObject([{ status: 'committed' }]);
  expect((await run()).sameAs).toBeNull();
});

test('a commit increases, defers and cancels lines, and refuses those that have changed', async () => {
  const [wheel, axle] = workspace.items.slice(3, 5) as [string, string];
  await plan(wheel, { leadTimeDays: 30, locationEntityId: shelf });
  await plan(axle, { leadTimeDays: 1, locationEntityId: shelf });
  const lineOf = async (item: string, quantity: number, days: number): Promise<string> =>
    (await workspace.line({ itemEntityId: item, quantity, requiredBy: dayIn(days) })).body.line.id;
  const small = await lineOf(wheel, 5, 8);
  const early = await lineOf(axle, 4, 10);
  const spare = await lineOf(axle, 9, 90);
  await need(wheel, 8, dayIn(10));
  await need(axle, 4, dayIn(60));
  const found = await run();
  const wanted = [
    ...(await actionsOf(found, `&item=${wheel}`)),
    ...(await actionsOf(found, `&item=${axle}`)),
  ];
  expect(wanted).toMatchObject([
    { action: 'increase', lineId: small, quantity: 8 },
    { action: 'defer', lineId: early, neededOn: dayIn(60), startsOn: dayIn(10) },
    { action: 'cancel', lineId: spare },
  ]);
  const actions = wanted.map(({ number }) => number);
  await workspace.must(200, 'PATCH', `/stock/lines/${early}`, { requiredBy: dayIn(11) });
  expect((await commit(found, { actions })).body).toMatchObject({
    code: 'plan_stale',
    actions: actions.slice(1),
  });
  await workspace.must(200, 'PATCH', `/stock/lines/${early}`, { requiredBy: dayIn(10) });
  const { status, body, text } = await commit(found, { actions });
  expect(status, text).toBe(200);
  expect(body.lines).toMatchObject([
    { id: small, quantity: 8 },
    { id: early, requiredBy: dayIn(60) },
    { id: spare, state: 'Cancelled' },
  ]);
});

test('a quantity is promised from what is left, and from new orders by their lead times', async () => {
  const [box, lid] = workspace.items.slice(6) as [string, string];
  await workspace.link(box, lid, 2);
  await plan(box, { makeOrBuy: 'make', leadTimeDays: 3, locationEntityId: shelf });
  await plan(lid, { leadTimeDays: 7, locationEntityId: shelf });
  await workspace.adjust(box, shelf, 10);
  await need(box, 6, dayIn(20));
  await workspace.line({ itemEntityId: box, quantity: 8, requiredBy: dayIn(40) });
  const promise = (quantity: number) =>
    workspace.must(200, 'GET', `/entities/${box}/promise?quantity=${quantity}`);
  // Four are free now, and twelve when the line has come.
  expect(await promise(4)).toMatchObject({ availableOn: dayIn(0), capableOn: dayIn(0), orders: [] });
  expect(await promise(5)).toMatchObject({
    availableOn: dayIn(40),
    capableOn: dayIn(0),
    // One is made for the need from which it is taken.
    orders: [
      {
        itemEntityId: lid,
        action: 'order',
        startsOn: dayIn(10),
        neededOn: dayIn(17),
        exceptions: ['noSupplier'],
      },
      { itemEntityId: box, action: 'make', quantity: 1, startsOn: dayIn(17), neededOn: dayIn(20) },
    ],
    withoutLeadTimeCount: 0,
    withoutLeadTime: [],
  });
  expect(await promise(13)).toMatchObject({ availableOn: null, capableOn: dayIn(10) });
  await workspace.adjust(lid, shelf, 18);
  expect(await promise(13)).toMatchObject({ capableOn: dayIn(3) });
  // Without a lead time the lids would come on the day on which they are ordered.
  await plan(lid, { leadTimeDays: null, locationEntityId: shelf });
  expect(await promise(30)).toMatchObject({
    capableOn: dayIn(3),
    withoutLeadTimeCount: 1,
    withoutLeadTime: [{ itemEntityId: lid, itemNumber: expect.any(String) }],
  });
  const refused = await workspace.ask('GET', `/entities/${box}/promise?quantity=0`);
  expect(refused.body.code).toBe('quantity_out_of_range');
  const missing = await workspace.ask('GET', `/entities/${box}/promise`);
  expect(missing.body.errors).toMatchObject([{ pointer: '/quantity', code: 'required' }]);
});

test('an item with more lines than are planned at once gets no promise', async () => {
  const [item = ''] = await workspace.addEntities(1);
  const lines = Array.from({ length: 100 }, () => ({
    itemEntityId: item,
    locationEntityId: shelf,
    quantity: 1,
    requiredBy: dayIn(2),
    state: 'Ordered',
  }));
  for (let order = 0; order < 2; order++)
    await workspace.must(201, 'POST', '/orders', { type: 'purchaseOrder', lines });
  const promised = () =>
    workspace.transact((tx) => findPromise(tx, { id: item, quantity: 200 }, { PLANNING_ANCESTORS_MAX: 1 }));
  expect(await promised()).toMatchObject({ availableOn: dayIn(2) });
  await workspace.line({ itemEntityId: item });
  await expect(promised()).rejects.toMatchObject({ code: 'tree_too_large', extensions: { limit: 200 } });
});

test('findings name wrong fields and wrong items of lists alike', async () => {
  const { status, body } = await workspace.ask('POST', '/planning/runs', {
    horizonDays: 5000,
    weekdays: [9],
    whatIf: { demand: [] },
  });
  expect(status).toBe(422);
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/horizonDays',
    '/whatIf/demand',
    '/weekdays/0',
  ]);
});

test('a run that is cancelled while it computes ends at once, and the next one begins', async () => {
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  await admin.query('begin; lock table supplier_part in access exclusive mode');
  const { id } = await workspace.must(202, 'POST', '/planning/runs', {});
  const computing = computeRuns(server.ctx, thread);
  await vi.waitUntil(async () => (await read(id)).status === 'running', patience);
  await workspace.must(200, 'POST', `/planning/runs/${id}/cancel`);
  await computing;
  expect(await read(id)).toMatchObject({ status: 'cancelled', day: null });
  await admin.query('rollback');
  await admin.end();
  expect((await run()).status).toBe('completed');
  await need(tube, 2, dayIn(80));
});

test('runs wait in line to a bound, can be cancelled, and are deleted when they are old', async () => {
  const calls = Array.from({ length: 20 }, () => workspace.ask('POST', '/planning/runs', {}));
  const answers = await Promise.all(calls);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.map(({ body }) => body.code)).toEqual(Array(18).fill('too_many_planning_runs'));
  expect(refused[0]?.status).toBe(429);
  const accepted = answers.filter(({ status }) => status === 202).map(({ body }): string => body.id);
  const [first, second] = accepted.sort() as [string, string];
  const cancelled = await workspace.must(200, 'POST', `/planning/runs/${first}/cancel`);
  expect(cancelled.status).toBe('cancelled');
  expect((await workspace.ask('POST', `/planning/runs/${first}/cancel`)).body.code).toBe(
    'planning_run_finished',
  );
  await computeRuns(server.ctx, thread);
  expect((await read(second)).status).toBe('completed');
  await workspace.transact((tx) =>
    tx.query(
      "update planning_run set finished_at = now() - interval '2 days' where workspace_id = $1 and id <> $2",
      [tx.workspaceId, second],
    ),
  );
  for (let pass = 0; pass < 2; pass++) await pruneOld(server.ctx);
  const { items } = await workspace.must(200, 'GET', '/planning/runs');
  expect(items.map(({ id }: PlanningRun) => id)).toEqual([second]);
});

test('an automation joins a run that waits, which begins when the changes of the automation are committed, and none that has begun', async () => {
  const options = NewPlanningRun.omit({ whatIf: true, scope: true }).parse({ periodDays: 3 });
  const actor = { type: 'system' as const, id: newId(), name: 'A test' };
  const join = (given: object = {}) =>
    workspace.transact((tx) => acceptOrJoinRun(tx, actor, { ...options, ...given }, server.ctx.config));
  const { row, isNew } = await join();
  expect([isNew, (await join()).row.id]).toEqual([true, row.id]);
  const other = await join({ horizonDays: 30 });
  expect([other.isNew, other.row.id === row.id]).toEqual([true, false]);
  await expect(join({ horizonDays: 31 })).rejects.toMatchObject({ code: 'too_many_planning_runs' });
  await workspace.must(200, 'POST', `/planning/runs/${other.row.id}/cancel`);

  const holder = new Client({ connectionString: server.ctx.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    const stored = JSON.stringify({ ...standardOptions, ...options });
    const { rows } = await holder.query(shareQueuedRun, [workspace.id, stored]);
    expect(rows).toMatchObject([{ id: row.id }]);
    await computeRuns(server.ctx, thread);
    expect((await read(row.id)).status).toBe('queued');
    await holder.query('commit');
  } finally {
    await holder.end();
  }
  await workspace.transact((tx) =>
    tx.query("update planning_run set status = 'running' where workspace_id = $1 and id = $2", [
      tx.workspaceId,
      row.id,
    ]),
  );
  expect((await join()).isNew).toBe(true);
  await computeRuns(server.ctx, thread);
  expect((await read(row.id)).status).toBe('completed');
});
