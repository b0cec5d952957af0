/** What projects need is planned once: by their structure, by their requirements, or by both. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeRuns, openPlanningThread } from '../../../src/planning/runs/run-planning.ts';
import type { PlanningAction, PlanningRun, Shortage } from '../../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../../setup/server.ts';
import { seeded } from '../netting/naive-plan.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let thread: ReturnType<typeof openPlanningThread>;
let shelf: string;

beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server, { items: 1, locations: 1 });
  [shelf] = workspace.locations as [string];
  thread = openPlanningThread(server.ctx);
});
afterAll(async () => {
  await thread.destroy();
  await server.close();
});

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const must: ProcuringWorkspace['must'] = (...call) => workspace.must(...call);
const run = async (body: object = {}): Promise<PlanningRun> => {
  const { id } = await must(202, 'POST', '/planning/runs', body);
  await computeRuns(server.ctx, thread);
  const done = await must(200, 'GET', `/planning/runs/${id}`);
  expect(done.status, JSON.stringify(done.failure)).toBe('completed');
  return done;
};
const of = (projectId: string, more: object = {}) => ({
  projects: [{ projectId, requiredBy: dayIn(30), ...more }],
});

interface Rover {
  project: string;
  names: Readonly<Record<string, string>>;
  wheel: string;
  hub: string;
  screw: string;
}

/** A project takes 4 wheels and 10 screws; a wheel takes a hub and 5 screws, and a hub 2 screws. */
async function makeRover(): Promise<Rover> {
  const project = (await must(201, 'POST', '/entities', { category: 'project', name: 'A rover' })).id;
  const [wheel, hub, screw] = (await workspace.addEntities(3)) as [string, string, string];
  await workspace.link(project, wheel, 4);
  await workspace.link(project, screw, 10);
  await workspace.link(wheel, hub, 1);
  await workspace.link(wheel, screw, 5);
  await workspace.link(hub, screw, 2);
  return { project, wheel, hub, screw, names: { project, wheel, hub, screw } };
}

/** Actions of the items in words, without their dates. */
async function told({ names }: Rover, body: object = {}): Promise<string[]> {
  const { id } = await run(body);
  const nameOf = new Map(Object.entries(names).map(([name, item]) => [item, name]));
  const { items } = await must(200, 'GET', `/planning/runs/${id}/actions?limit=200`);
  const sums = new Map<string, number>();
  for (const { itemEntityId, action, quantity } of items as PlanningAction[]) {
    const name = nameOf.get(itemEntityId);
    if (name !== undefined) sums.set(`${action} ${name}`, (sums.get(`${action} ${name}`) ?? 0) + quantity);
  }
  return [...sums].map(([what, quantity]) => `${what} ${quantity}`).sort();
}

const raise = ({ project }: Rover, body: object = {}) =>
  must(201, 'POST', `/projects/${project}/shortages/requirements`, { requiredBy: dayIn(30), ...body });
const whole = ['make hub 4', 'make wheel 4', 'order screw 38'];

test('a project is planned with its whole structure, whether requirements were raised for it or not', async () => {
  const rover = await makeRover();
  expect(await told(rover)).toEqual([]);
  expect(await told(rover, of(rover.project))).toEqual(whole);
  await raise(rover);
  expect(await told(rover, of(rover.project))).toEqual(whole);
  // The requirements alone say the same: components are needed once, when their assembly is made.
  expect(await told(rover)).toEqual(whole);
});

test('a project in a project is planned for its own, and only if it is named', async () => {
  const rover = await makeRover();
  const fleet = (await must(201, 'POST', '/entities', { category: 'project', name: 'A fleet' })).id;
  await workspace.link(fleet, rover.project, 3);
  await workspace.link(fleet, rover.screw, 1);
  expect(await told(rover, of(fleet))).toEqual(['order screw 1']);
  const both = { projects: [...of(fleet).projects, ...of(rover.project).projects] };
  expect(await told(rover, both)).toEqual(['make hub 4', 'make wheel 4', 'order screw 39']);
});

test('once its actions are committed, a project needs nothing more', async () => {
  const rover = await makeRover();
  const body = { ...of(rover.project), scope: { projects: [rover.project] } };
  const { id } = await run(body);
  const commit = { locationEntityId: shelf, as: 'ordered' };
  const { orders } = await must(200, 'POST', `/planning/runs/${id}/commit`, commit);
  expect(orders).toHaveLength(2);
  expect(await told(rover, body)).toEqual([]);
});

test('what is reserved or issued for a project is not needed again', async () => {
  const rover = await makeRover();
  await raise(rover);
  const open = (await must(200, 'GET', `/requirements?projectId=${rover.project}&limit=100`)).items as {
    id: string;
    itemEntityId: string;
  }[];
  const requirementOf = (item: string) => open.find(({ itemEntityId }) => itemEntityId === item)?.id;
  await workspace.adjust(rover.screw, shelf, 30);
  await must(201, 'POST', `/requirements/${requirementOf(rover.screw)}/reservations`, {
    locationEntityId: shelf,
    quantity: 30,
  });
  await must(201, 'POST', `/requirements/${requirementOf(rover.screw)}/issues`, {
    locationEntityId: shelf,
    quantity: 12,
  });
  const left = ['make hub 4', 'make wheel 4', 'order screw 8'];
  expect(await told(rover, of(rover.project))).toEqual(left);
  expect(await told(rover)).toEqual(left);
});

test('an assembly in stock needs no components, whoever asked for them', async () => {
  const rover = await makeRover();
  await raise(rover);
  await workspace.adjust(rover.wheel, shelf, 3);
  const left = ['make hub 1', 'make wheel 1', 'order screw 17'];
  expect(await told(rover, of(rover.project))).toEqual(left);
  expect(await told(rover)).toEqual(left);
});

test('a requirement of its own counts for what it has beyond the structure', async () => {
  const rover = await makeRover();
  await must(201, 'POST', '/requirements', {
    projectId: rover.project,
    itemEntityId: rover.screw,
    requiredQty: 50,
    requiredBy: dayIn(20),
  });
  expect(await told(rover, of(rover.project))).toEqual(['make hub 4', 'make wheel 4', 'order screw 50']);
  expect(await told(rover)).toEqual(['order screw 50']);
});

test('parts that are required without their assemblies are needed as they were asked for', async () => {
  const rover = await makeRover();
  await raise(rover, { leavesOnly: true });
  expect(await told(rover)).toEqual(['order screw 38']);
  expect(await told(rover, of(rover.project, { quantity: 2 }))).toEqual([
    'make hub 8',
    'make wheel 8',
    'order screw 76',
  ]);
});

test('pegs name the project, and the scope takes what lies below it', async () => {
  const rover = await makeRover();
  const other = await makeRover();
  const both = { projects: [...of(rover.project).projects, ...of(other.project).projects] };
  const { id, projects } = await run({ ...both, scope: { projects: [rover.project] } });
  expect(projects).toEqual(both.projects.map((one) => ({ quantity: 1, ...one })));
  const { items } = await must(200, 'GET', `/planning/runs/${id}/actions?limit=200`);
  expect(new Set((items as PlanningAction[]).map(({ itemEntityId }) => itemEntityId))).toEqual(
    new Set([rover.wheel, rover.hub, rover.screw]),
  );
  const timeline = await must(200, 'GET', `/planning/runs/${id}/items/${rover.hub}`);
  expect(timeline).toMatchObject({
    isCurrent: true,
    actions: [
      {
        action: 'make',
        quantity: 4,
        pegs: [
          { quantity: 4, kind: 'project', entityId: rover.project, path: [{ itemEntityId: rover.wheel }] },
        ],
      },
    ],
  });
});

test('a run is reviewed by project: what serves it directly or through what is made of it', async () => {
  const rover = await makeRover();
  const other = await makeRover();
  await workspace.link(other.wheel, rover.hub, 1);
  await raise(rover);
  const { id } = await run(of(other.project));
  const filtered = async (project: string, more = '') => {
    const found = await must(200, 'GET', `/planning/runs/${id}/actions?limit=200&project=${project}${more}`);
    return (found.items as PlanningAction[]).map(({ itemEntityId }) => itemEntityId).sort();
  };
  const own = (one: Rover) => [one.wheel, one.hub, one.screw];
  expect(new Set(await filtered(rover.project))).toEqual(new Set(own(rover)));
  expect(new Set(await filtered(other.project))).toEqual(new Set([...own(other), rover.hub, rover.screw]));
  expect(await filtered(rover.project, '&action=order')).toEqual([rover.screw]);
  // A project that nothing was planned for has no actions.
  expect(await filtered(workspace.project)).toEqual([]);
  // All that a project needs is committed by the numbers of its actions.
  const { items } = await must(200, 'GET', `/planning/runs/${id}/actions?project=${rover.project}`);
  const actions = (items as PlanningAction[]).map(({ number }) => number);
  const { orders } = await must(200, 'POST', `/planning/runs/${id}/commit`, {
    actions,
    locationEntityId: shelf,
  });
  expect(orders).toHaveLength(2);
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  await client.query('update planning_action set project_ids = null where run_id = $1', [id]);
  await client.end();
  const refused = await workspace.ask('GET', `/planning/runs/${id}/actions?project=${rover.project}`);
  expect([refused.status, refused.body.code, refused.body.errors?.[0]?.pointer]).toEqual([
    422,
    'validation_failed',
    '/project',
  ]);
});

test('a phantom without components is needed itself, by plans, shortages, costs and builds alike', async () => {
  const { project, names, wheel, hub, screw } = await makeRover();
  const [kit, seal] = (await workspace.addEntities(2)) as [string, string];
  const uses = (parent: string, child: string, body: object) =>
    must(201, 'PUT', `/entities/${parent}/uses/${child}`, { quantity: 2, phantom: true, ...body });
  await uses(wheel, kit, {});
  await uses(kit, seal, { lossPercent: 50 });
  const rover = { project, wheel, hub, screw, names: { ...names, kit, seal } };
  const expected = [...whole, 'order seal 24'];
  expect(await told(rover, of(project))).toEqual(expected);
  const { id } = await run(of(project));
  const { needs } = await must(200, 'GET', `/planning/runs/${id}/items/${seal}`);
  expect(needs).toMatchObject([{ quantity: 24 }]);
  const short = (await must(200, 'GET', `/projects/${project}/shortages?all=true`)).items as Shortage[];
  expect(short.find(({ itemEntityId }) => itemEntityId === seal)?.shortageQty).toBe(24);
  const { unknown } = await must(200, 'GET', `/entities/${wheel}/cost?quantity=4`);
  expect(
    unknown.map(({ itemEntityId, quantity }: { itemEntityId: string; quantity: number }) => [
      itemEntityId,
      quantity,
    ]),
  ).toContainEqual([seal, 24]);
  const wanted = { type: 'manufacturingOrder', itemEntityId: wheel, quantity: 4 };
  const made = await workspace.line({ ...wanted, locationEntityId: shelf });
  const { components } = await must(200, 'GET', `/stock/lines/${made.body.line.id}/components`);
  const required = components.map((one: { itemEntityId: string; requiredQty: number }) => [
    one.itemEntityId,
    one.requiredQty,
  ]);
  expect(required).toContainEqual([seal, 24]);
  expect(required).toHaveLength(3);
  await must(200, 'POST', `/stock/lines/${made.body.line.id}/cancel`, {});
});

test('a project without components is named as an exception, and is no item of the run', async () => {
  const project = (await must(201, 'POST', '/entities', { category: 'project', name: 'An idea' })).id;
  const { id, items, exceptions } = await run(of(project));
  expect(exceptions.noStructure).toBe(1);
  const found = await must(200, 'GET', `/planning/runs/${id}/actions?exception=noStructure`);
  expect(found.items).toMatchObject([{ itemEntityId: project, action: 'none', quantity: 1 }]);
  expect((await run()).items).toBe(items);
  // A project that has become an item before the run is computed counts as one.
  const { id: later } = await must(202, 'POST', '/planning/runs', of(project));
  const client = new Client({ connectionString: server.ctx.databaseUrl });
  await client.connect();
  await client.query("update entity set category = 'part' where id = $1", [project]);
  await client.end();
  await computeRuns(server.ctx, thread);
  expect((await must(200, 'GET', `/planning/runs/${later}`)).items).toBe((items as number) + 1);
});

test('a run with a wrong project is refused with its place', async () => {
  const { project, screw } = await makeRover();
  const refused = async (body: object) => {
    const { status, body: problem } = await workspace.ask('POST', '/planning/runs', body);
    return [status, problem.code, problem.errors?.[0]?.pointer];
  };
  expect(await refused(of(screw))).toEqual([422, 'not_a_project', '/projects/0/projectId']);
  expect(await refused(of(project, { quantity: 0 }))).toEqual([
    422,
    'quantity_out_of_range',
    '/projects/0/quantity',
  ]);
  const late = { projects: [{ projectId: project, requiredBy: dayIn(181) }] };
  expect(await refused(late)).toEqual([422, 'validation_failed', '/projects/0/requiredBy']);
  const twice = { projects: [...of(project).projects, ...of(project).projects] };
  expect(await refused(twice)).toEqual([422, 'validation_failed', '/projects/1/projectId']);
  await must(200, 'POST', `/entities/${project}/archive`, { reason: 'Given up' });
  expect(await refused(of(project))).toEqual([409, 'entity_archived', '/projects/0/projectId']);
});

test('a project that is archived before its run is computed is named as an exception, whatever the scope of the run', async () => {
  const rover = await makeRover();
  const scopes = [
    null,
    { projects: [rover.project] },
    { projects: [workspace.project] },
    { items: [rover.screw] },
    { categories: ['part'] },
  ];
  const accepted: string[] = [];
  for (const scope of scopes)
    accepted.push((await must(202, 'POST', '/planning/runs', { ...of(rover.project), scope })).id);
  await must(200, 'POST', `/entities/${rover.project}/archive`, { reason: 'Given up' });
  await computeRuns(server.ctx, thread);
  for (const [at, id] of accepted.entries()) {
    const done = await must(200, 'GET', `/planning/runs/${id}`);
    expect([done.status, done.exceptions.archivedItem], JSON.stringify(scopes[at])).toEqual(['completed', 1]);
    const { items } = await must(200, 'GET', `/planning/runs/${id}/actions?exception=archivedItem`);
    expect(items).toMatchObject([{ itemEntityId: rover.project, action: 'none', quantity: 1 }]);
  }
});

/**
 * A project with a random structure of parts that nobody else uses, some of them in stock, on order, required or reserved, and a requirement
 * for an assembly of them that is not in the structure.
 */
async function makeRandom(from: (count: number) => number): Promise<{ project: string; items: string[] }> {
  const project = (await must(201, 'POST', '/entities', { category: 'project', name: 'By chance' })).id;
  const items = await workspace.addEntities(7);
  for (const [at, child] of items.entries()) {
    const parents = [project, ...items.slice(0, at)].filter((_, place) => from(at + 1) <= 1 || place === at);
    for (const parent of parents) {
      const phantom = from(4) === 0;
      await must(201, 'PUT', `/entities/${parent}/uses/${child}`, {
        // With the losses at most six fractional digits: a plan rounds what is made, and shortages do not.
        quantity: 1 + from(3),
        ...(from(4) === 0 ? { lossPercent: 50 } : {}),
        ...(from(4) === 0 ? { lossFixed: 1 + from(3) } : {}),
        phantom,
      });
    }
  }
  for (const item of items) {
    if (from(5) === 0)
      await must(200, 'PUT', `/planning/items/${item}`, { policy: 'demand', makeOrBuy: 'buy' });
    if (from(3) === 0) await workspace.adjust(item, shelf, 1 + from(8));
    if (from(4) === 0)
      await must(201, 'POST', '/stock/lines', {
        type: 'purchaseOrder',
        itemEntityId: item,
        locationEntityId: shelf,
        quantity: 1 + from(8),
        requiredBy: dayIn(5),
      });
    if (from(3) > 1) continue;
    const reserved = from(2) === 0 ? 0 : 3;
    const { id } = await must(201, 'POST', '/requirements', {
      projectId: project,
      itemEntityId: item,
      requiredQty: 3 + from(20),
      requiredBy: dayIn(30),
    });
    if (reserved === 0) continue;
    await workspace.adjust(item, shelf, reserved);
    await must(201, 'POST', `/requirements/${id}/reservations`, {
      locationEntityId: shelf,
      quantity: reserved,
    });
  }
  const [outside] = (await workspace.addEntities(1)) as [string];
  await must(201, 'POST', '/requirements', {
    projectId: project,
    itemEntityId: outside,
    requiredQty: 1 + from(4),
    requiredBy: dayIn(30),
  });
  for (const child of items.slice(from(3), 3 + from(4))) await workspace.link(outside, child, 1 + from(3));
  return { project, items: [...items, outside] };
}

test('a run proposes of each item what shortages say that its project is short of', async () => {
  const seeds = Array.from({ length: 8 }, (_, at) => at + 1);
  const made = await Promise.all(seeds.map((seed) => makeRandom(seeded(seed))));
  const proposed = new Map<string, number>();
  const { id } = await run({
    projects: made.map(({ project }) => ({ projectId: project, requiredBy: dayIn(30) })),
    scope: { projects: made.map(({ project }) => project) },
  });
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await must(200, 'GET', `/planning/runs/${id}/actions?limit=200${cursor}`);
    for (const { itemEntityId, action, quantity } of page.items as PlanningAction[])
      if (action === 'order' || action === 'make')
        proposed.set(itemEntityId, (proposed.get(itemEntityId) ?? 0) + quantity);
    cursor = page.nextCursor === null ? null : `&cursor=${page.nextCursor}`;
  }
  for (const [at, { project, items }] of made.entries()) {
    const found = await must(200, 'GET', `/projects/${project}/shortages?all=true`);
    const short = new Map((found.items as Shortage[]).map((one) => [one.itemEntityId, one.shortageQty]));
    expect(
      items.map((item) => proposed.get(item) ?? 0),
      `seed ${at + 1}`,
    ).toEqual(items.map((item) => short.get(item) ?? 0));
  }
  expect(proposed.size).toBeGreaterThan(2 * seeds.length);
});
