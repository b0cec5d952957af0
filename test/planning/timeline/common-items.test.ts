/** An item that is in very many others has a timeline and a promise, too: from the orders that a run found for what it is in. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeRuns, openPlanningThread } from '../../../src/planning/runs/run-planning.ts';
import { findPromise } from '../../../src/planning/timeline/find-promise.ts';
import { findTimeline } from '../../../src/planning/timeline/find-timeline.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';

let server: TestServer;
let w: ProcuringWorkspace;
let thread: ReturnType<typeof openPlanningThread>;
let run: string;
/** A run that stores the orders of all items. */
let everything: string;
let product: string;
let frame: string;
let panel: string;
let kit: string;
let screw: string;
const others = 10;

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const timeline = (itemEntityId: string, ancestorsMax: number) =>
  w.transact((tx) => findTimeline(tx, { id: run, itemEntityId }, { PLANNING_ANCESTORS_MAX: ancestorsMax }));
const promise = (id: string, quantity: number, ancestorsMax: number) =>
  w.transact((tx) => findPromise(tx, { id, quantity }, { PLANNING_ANCESTORS_MAX: ancestorsMax }));
const plan = async (body: object = {}) => {
  const { id } = await w.must(202, 'POST', '/planning/runs', body);
  await computeRuns(server.ctx, thread);
  return id as string;
};

beforeAll(async () => {
  server = await startTestServer();
  w = await makeProcuringWorkspace(server, { items: 5 + others, locations: 1 });
  thread = openPlanningThread(server.ctx);
  [product, frame, panel, kit, screw] = w.items as [string, string, string, string, string];
  const [shelf = ''] = w.locations;
  const uses = (parent: string, child: string, use: object) =>
    w.must(201, 'PUT', `/entities/${parent}/uses/${child}`, use);
  await uses(product, frame, { quantity: 1 });
  await uses(product, panel, { quantity: 2, lossPercent: 5 });
  await uses(frame, kit, { quantity: 2, phantom: true });
  await uses(panel, kit, { quantity: 1, phantom: true, lossFixed: 0.5 });
  await uses(panel, screw, { quantity: 3 });
  await uses(kit, screw, { quantity: 4, lossPercent: 10 });
  for (const other of w.items.slice(5)) await uses(other, screw, { quantity: 1 });
  const planned = (item: string, body: object) =>
    w.must(200, 'PUT', `/planning/items/${item}`, { policy: 'demand', locationEntityId: shelf, ...body });
  await planned(product, { makeOrBuy: 'make', leadTimeDays: 5 });
  await planned(frame, { makeOrBuy: 'make', leadTimeDays: 4, multiple: 4 });
  await planned(panel, { makeOrBuy: 'make', leadTimeDays: 8 });
  await planned(screw, { leadTimeDays: 3, safety: 20 });
  await w.adjust(panel, shelf, 3);
  await w.adjust(screw, shelf, 30);
  const need = (item: string, requiredQty: number, requiredBy: string) =>
    w.must(201, 'POST', '/requirements', {
      projectId: w.project,
      itemEntityId: item,
      requiredQty,
      requiredBy,
    });
  await need(product, 7, dayIn(60));
  await need(frame, 3, dayIn(40));
  await need(screw, 9, dayIn(30));
  // The plan itself follows the components of a line that has no requirements.
  await w.must(201, 'POST', '/orders', {
    type: 'manufacturingOrder',
    lines: [{ itemEntityId: panel, locationEntityId: shelf, quantity: 6, requiredBy: dayIn(70) }],
  });
  const admin = new Client({ connectionString: server.ctx.databaseUrl });
  await admin.connect();
  await admin.query('delete from material_requirement where workspace_id = $1 and line_id is not null', [
    w.id,
  ]);
  await admin.end();
  await expect(promise(screw, 1, 5)).rejects.toThrow('Start a planning run of the whole workspace');
  run = await plan({ periodDays: 1, horizonDays: 365 });
  everything = run;
});
afterAll(async () => {
  await thread.destroy();
  await server.close();
});

test('its needs, stock and orders are those of the whole plan, and its pegs end at the orders above', async () => {
  const whole = await timeline(screw, 1000);
  expect(whole).toMatchObject({ isCurrent: true, stock: 30, minimum: 20 });
  const common = await timeline(screw, 5);
  const needs = ({ needs: some }: typeof whole) =>
    some
      .map(({ neededOn, quantity, covered, kind, parentEntityId }) =>
        [neededOn, quantity, covered, kind, parentEntityId].join(' '),
      )
      .toSorted();
  expect(needs(common)).toEqual(needs(whole));
  expect(new Set(common.needs.map(({ kind }) => kind))).toEqual(
    new Set(['requirement', 'plannedOrder', 'manufacturingLine', 'minimum']),
  );
  const { days, supplies, actions } = whole;
  expect(common).toMatchObject({ days, supplies, isCurrent: null });
  expect(common.actions.map(({ number, quantity }) => [number, quantity])).toEqual(
    actions.map(({ number, quantity }) => [number, quantity]),
  );
  const pegged = (some: typeof actions) =>
    some.map(({ pegs, others: rest }) => pegs.reduce((sum, { quantity }) => sum + quantity, rest));
  expect(pegged(common.actions)).toEqual(pegged(actions));
  const ends = common.actions.flatMap(({ pegs }) => pegs.map(({ kind, path }) => [kind, path.length]));
  expect(ends).toContainEqual(['plannedOrder', 1]);
  expect(
    ends.every(
      ([kind, length]) => (kind === 'plannedOrder' || kind === 'manufacturingLine') === (length === 1),
    ),
  ).toBe(true);
});

test('an item of more orders than are planned at once is refused, and so is one of a run that lacks orders of others or plans projects whole', async () => {
  await expect(timeline(screw, 1)).rejects.toMatchObject({ code: 'tree_too_large' });
  const needed = { projectId: w.project, quantity: 1, requiredBy: dayIn(50) };
  run = await plan({ projects: [needed] });
  expect(await timeline(screw, 1000)).toMatchObject({ isCurrent: true });
  await expect(timeline(screw, 5)).rejects.toMatchObject({ code: 'tree_too_large' });
  // A run with a scope keeps no orders of others, which may need the item.
  run = await plan({ scope: { items: [screw] } });
  expect((await timeline(screw, 1000)).needs.map(({ kind }) => kind)).toContain('plannedOrder');
  await expect(timeline(screw, 5)).rejects.toMatchObject({ code: 'tree_too_large' });
});

test('the promise of an item, and of one with such a component, is that of the whole plan', async () => {
  for (const [item, quantity] of [
    [screw, 1],
    [screw, 500],
    [panel, 4],
    [frame, 2],
    [product, 3],
  ] as const) {
    const whole = await promise(item, quantity, 1000);
    expect(whole).toMatchObject({ planningRun: null, capableOn: expect.any(String) });
    // The runs with a project and with a scope are newer, and lack orders.
    const planningRun = { id: everything, day: dayIn(0), horizonEndsOn: dayIn(365) };
    expect(await promise(item, quantity, 5)).toEqual({ ...whole, planningRun });
  }
  await expect(promise(screw, 1, 1)).rejects.toMatchObject({ code: 'tree_too_large' });
});
