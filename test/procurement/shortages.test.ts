import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { owningProjects } from '../../src/procurement/shortages/owning-projects.ts';
import { numberOfExact } from '../../src/quantity.ts';
import type { MaterialRequirement, Shortage } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let machine: string;
let gear: string;
let screw: string;
beforeAll(async () => {
  server = await startTestServer({ environment: { TREE_ITEMS_MAX: '2000' } });
});
/** project ─2→ machine ─3→ gear ─4→ screw; machine ─10→ screw */
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [machine, gear, screw] = workspace.items as [string, string, string];
  await workspace.link(workspace.project, machine, 2);
  await workspace.link(machine, gear, 3);
  await workspace.link(gear, screw, 4);
  await workspace.link(machine, screw, 10);
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

const path = () => `/projects/${workspace.project}/shortages`;
const shortages = async () => {
  const { items } = await workspace.must(200, 'GET', path());
  return Object.fromEntries(
    items.map((one: Shortage) => [one.itemEntityId, [one.requiredQty, one.neededQty, one.shortageQty]]),
  );
};
const stock = (item: string, quantity: number) => workspace.adjust(item, workspace.locations[0], quantity);
const place = () => ({ locationEntityId: workspace.locations[0] });

test('the structure is exploded, and says where each shortage is used', async () => {
  const { items, projectId, itemCount } = await workspace.must(200, 'GET', path());
  expect([projectId, itemCount]).toEqual([workspace.project, 3]);
  expect(items.map((one: Shortage) => [one.itemEntityId, one.isAssembly, one.shortageQty])).toEqual([
    [machine, true, 2],
    [gear, true, 6],
    [screw, false, 44],
  ]);
  expect(items[2]).toMatchObject({ requiredQty: 44, neededQty: 44, availableQty: 0, onOrderQty: 0 });
  const used = items[2].usedIn.map((one: Shortage['usedIn'][number]) => [
    one.entityId,
    one.quantity,
    one.requiredQty,
  ]);
  expect(used).toHaveLength(2);
  expect(used).toEqual(
    expect.arrayContaining([
      [machine, 10, 20],
      [gear, 4, 24],
    ]),
  );
});

test('shortages count the structure as it was released, or by the newest released revisions', async () => {
  const release = async (id: string) => {
    for (const toState of ['In Review', 'Released'])
      await workspace.must(200, 'POST', `/entities/${id}/transitions`, { toState });
  };
  const needed = async (configuration: string) => {
    const { items } = await workspace.must(200, 'GET', `${path()}?configuration=${configuration}`);
    return Object.fromEntries(items.map((one: Shortage) => [one.itemEntityId, one.neededQty]));
  };
  for (const id of [screw, gear, machine]) await release(id);
  await workspace.must(200, 'PUT', `/entities/${gear}/uses/${screw}`, { quantity: 40 });
  expect(await needed('current')).toEqual({ [machine]: 2, [gear]: 6, [screw]: 260 });
  expect(await needed('asReleased')).toEqual({ [machine]: 2, [gear]: 6, [screw]: 44 });
  expect(await needed('latestReleased')).toEqual({ [machine]: 2, [gear]: 6, [screw]: 44 });
  await release(gear);
  expect(await needed('asReleased')).toEqual({ [machine]: 2, [gear]: 6, [screw]: 44 });
  expect(await needed('latestReleased')).toEqual({ [machine]: 2, [gear]: 6, [screw]: 260 });
  const body = { itemEntityIds: [screw], configuration: 'asReleased' };
  const { requirements } = await workspace.must(201, 'POST', `${path()}/requirements`, body);
  expect(requirements.map(({ requiredQty }: MaterialRequirement) => requiredQty)).toEqual([44]);
});

test('what is available or on order is not short, at whatever location', async () => {
  await stock(screw, 30);
  await workspace.line({ itemEntityId: screw, locationEntityId: workspace.locations[1], quantity: 5 });
  expect((await shortages())[screw]).toEqual([44, 44, 9]);
  await workspace.line({ type: 'salesOrder', itemEntityId: screw, quantity: 30 });
  expect((await shortages())[screw]).toEqual([44, 44, 39]);
  await workspace.line({ itemEntityId: screw, quantity: 39 });
  expect((await shortages())[screw]).toBeUndefined();
});

test('what is on order for a requirement of another project covers nothing here', async () => {
  const other = await workspace.addProject('Another project');
  const raised = await workspace.must(201, 'POST', '/requirements', {
    projectId: other,
    itemEntityId: screw,
    requiredQty: 40,
  });
  const order = { locationEntityId: workspace.locations[0], quantity: 40 };
  await workspace.must(201, 'POST', `/requirements/${raised.id}/orders`, order);
  expect((await shortages())[screw]).toEqual([44, 44, 44]);
  const others = await workspace.must(200, 'GET', `/projects/${other}/shortages`);
  expect(others.items).toEqual([]);
  const own = await workspace.must(201, 'POST', `${path()}/requirements`);
  expect(own.items ?? own.requirements ?? own).toBeDefined();
  await workspace.line({ itemEntityId: screw, quantity: 4 });
  expect((await shortages())[screw]).toEqual([44, 44, 40]);
});

test('what is reserved and was not there when it was counted is owed: it makes short whoever needs some', async () => {
  await stock(screw, 10);
  await workspace.line({ type: 'salesOrder', itemEntityId: screw, quantity: 10 });
  const [item, location] = [screw, workspace.locations[0]];
  await workspace.must(201, 'POST', '/stock/counts', { lines: [{ item, location, countedQty: 8 }] });
  expect((await shortages())[screw]).toEqual([44, 44, 46]);
  await workspace.line({ itemEntityId: screw, quantity: 45 });
  expect((await shortages())[screw]).toEqual([44, 44, 1]);
  // Of what is not needed nobody is short.
  await stock(machine, 2);
  expect(await shortages()).toEqual({});
});

test('all items are listed where that is asked for, short or not', async () => {
  await stock(machine, 1);
  await stock(screw, 100);
  const asked = await workspace.must(200, 'GET', `${path()}?all=true`);
  const figures = asked.items.map((one: Shortage) => [one.itemEntityId, one.neededQty, one.shortageQty]);
  expect(figures).toEqual([
    [machine, 2, 1],
    [gear, 3, 3],
    [screw, 22, 0],
  ]);
  expect(asked.itemCount).toBe(3);
  expect((await workspace.ask('GET', `${path()}?all=yes`)).status).toBe(422);
});

test('an assembly that is in stock takes no components', async () => {
  await stock(gear, 5);
  expect(await shortages()).toEqual({ [machine]: [2, 2, 2], [gear]: [6, 6, 1], [screw]: [44, 24, 24] });
  await stock(machine, 2);
  expect(await shortages()).toEqual({});
});

test('what is reserved or issued for the project counts for it', async () => {
  await stock(screw, 44);
  const { id } = await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: screw,
    requiredQty: 44,
  });
  await workspace.must(201, 'POST', `/requirements/${id}/reservations`, { ...place(), quantity: 40 });
  await workspace.must(201, 'POST', `/requirements/${id}/issues`, { ...place(), quantity: 30 });
  expect((await shortages())[screw]).toBeUndefined();
  await stock(screw, -4);
  expect((await shortages())[screw]).toEqual([44, 44, 4]);
});

test('requirements are raised in one call, once', async () => {
  await stock(screw, 4);
  await workspace.must(201, 'POST', '/requirements', {
    projectId: workspace.project,
    itemEntityId: screw,
    requiredQty: 10,
  });
  const { requirements } = await workspace.must(201, 'POST', `${path()}/requirements`, {
    requiredBy: '2026-12-24',
  });
  expect(
    requirements.map((one: MaterialRequirement) => [one.itemEntityId, one.requiredQty, one.requiredBy]),
  ).toEqual([
    [machine, 2, '2026-12-24'],
    [gear, 6, '2026-12-24'],
    [screw, 30, '2026-12-24'],
  ]);
  expect((await workspace.must(201, 'POST', `${path()}/requirements`)).requirements).toEqual([]);
  const { items } = await workspace.must(200, 'GET', path());
  expect(items.map((one: Shortage) => one.openRequirementQty)).toEqual([2, 6, 40]);
});

test('for chosen items, or for what is bought alone; and of calls at once only one raises', async () => {
  const leaves = await workspace.must(201, 'POST', `${path()}/requirements`, { leavesOnly: true });
  expect(leaves.requirements.map((one: MaterialRequirement) => one.itemEntityId)).toEqual([screw]);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      workspace.ask('POST', `${path()}/requirements`, { itemEntityIds: [machine] }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(answers.flatMap(({ body }) => body.requirements)).toHaveLength(1);
});

test('an assembly that only a requirement asks for needs its components', async () => {
  const [frame, bolt, phantom] = (await workspace.addEntities(3)) as [string, string, string];
  await workspace.link(frame, bolt, 6);
  await workspace.must(201, 'PUT', `/entities/${frame}/uses/${gear}`, { quantity: 1, lossFixed: 1 });
  await workspace.must(201, 'PUT', `/entities/${machine}/uses/${phantom}`, { quantity: 1, phantom: true });
  await workspace.link(phantom, bolt, 1);
  const require = (itemEntityId: string, requiredQty: number) =>
    workspace.must(201, 'POST', '/requirements', {
      projectId: workspace.project,
      itemEntityId,
      requiredQty,
    });
  await require(frame, 5);
  // Two machines are in the structure already.
  await require(machine, 3);
  await require(phantom, 2);
  expect(await shortages()).toEqual({
    [machine]: [3, 3, 3],
    [gear]: [15, 15, 15],
    [screw]: [90, 90, 90],
    [frame]: [5, 5, 5],
    [phantom]: [2, 2, 2],
    [bolt]: [35, 35, 35],
  });
  const { items } = await workspace.must(200, 'GET', path());
  expect(items.find((one: Shortage) => one.itemEntityId === bolt).usedIn).toEqual(
    expect.arrayContaining([expect.objectContaining({ entityId: frame, quantity: 6, requiredQty: 30 })]),
  );
  expect(items.find((one: Shortage) => one.itemEntityId === frame).isAssembly).toBe(true);
  await stock(frame, 4);
  expect(await shortages()).toMatchObject({ [frame]: [5, 5, 1], [bolt]: [35, 11, 11], [gear]: [15, 11, 11] });
  // The structure comes first, and an assembly before its components.
  const listed = (await workspace.must(200, 'GET', path())).items.map((one: Shortage) => one.itemEntityId);
  expect(listed[0]).toBe(machine);
  expect(listed.indexOf(frame)).toBeLessThan(listed.indexOf(bolt));
  for (const configuration of ['asReleased', 'latestReleased']) {
    const released = await workspace.must(200, 'GET', `${path()}?configuration=${configuration}`);
    expect(released.items.find((one: Shortage) => one.itemEntityId === bolt)).toMatchObject({
      neededQty: 11,
    });
  }
  const bought = { policy: 'demand', makeOrBuy: 'buy' };
  await workspace.must(200, 'PUT', `/planning/items/${frame}`, bought);
  expect(await shortages()).toMatchObject({ [frame]: [5, 5, 1], [bolt]: [5, 5, 5] });
});

test('what is below another project is its own', async () => {
  const inner = await workspace.addProject('Inner');
  await workspace.link(workspace.project, inner, 1);
  const [part] = await workspace.addEntities(1);
  await workspace.link(inner, part as string, 7);
  expect((await shortages())[part as string]).toBeUndefined();
  const { items } = await workspace.must(200, 'GET', `/projects/${inner}/shortages`);
  expect(items.map((one: Shortage) => [one.itemEntityId, one.shortageQty])).toEqual([[part, 7]]);
});

test('what is no project, what does not exist, what is too large', async () => {
  const wrong = await workspace.ask('GET', `/projects/${machine}/shortages`);
  expect([wrong.status, wrong.body.code]).toEqual([422, 'not_a_project']);
  expect(
    (await workspace.ask('GET', '/projects/0199d0f0-0000-7000-8000-000000000001/shortages')).status,
  ).toBe(404);
  const parts = await workspace.addEntities(1997);
  const links = (children: string[]) =>
    workspace.transact((tx) =>
      tx.query(
        `insert into entity_link (workspace_id, parent_id, child_id, quantity)
         select $1, $2, child, 1 from unnest($3::uuid[]) as child`,
        [workspace.id, gear, children],
      ),
    );
  await links(parts.slice(1));
  expect((await workspace.must(200, 'GET', path())).itemCount).toBe(1999);
  await links(parts.slice(0, 1));
  const over = await workspace.ask('GET', path());
  expect([over.status, over.body.code, over.body.limit]).toEqual([422, 'tree_too_large', 2000]);
});

test('1 800 links over 6 levels, with stock and requirements for all of them', async () => {
  const project = await workspace.addProject('Large');
  const rows = await Promise.all(Array.from({ length: 6 }, () => workspace.addEntities(200)));
  const levels = [[project], ...rows];
  const links: [string, string, number][] = [];
  for (let level = 1; level < levels.length; level++) {
    const [above, below] = [levels[level - 1] as string[], levels[level] as string[]];
    for (let i = 0; i < (level === 1 ? 200 : 320); i++) {
      const child = below[(i * 7 + Math.floor(i / 200)) % 200] as string;
      links.push([above[i % above.length] as string, child, 1 + (i % 3)]);
    }
  }
  expect(links).toHaveLength(1800);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, p, c, q from unnest($2::uuid[], $3::uuid[], $4::numeric[]) as i (p, c, q)`,
      [workspace.id, links.map(([p]) => p), links.map(([, c]) => c), links.map(([, , q]) => q)],
    ),
  );
  const url = `/projects/${project}/shortages`;
  const adjustments = rows.flat().map((itemEntityId) => ({ itemEntityId, ...place(), quantity: 1 }));
  await workspace.must(201, 'POST', '/stock/adjustments/batch', { adjustments });
  expect((await workspace.must(201, 'POST', `${url}/requirements`)).requirements.length).toBeGreaterThan(900);
  const { items, itemCount } = await workspace.must(200, 'GET', url);
  expect([itemCount, items.length > 900]).toEqual([1200, true]);
});

/** A chain below a project of its own: `length` levels, the same quantity at each. */
async function addChain(length: number, quantity: string): Promise<{ project: string; parts: string[] }> {
  const project = await workspace.addProject('Deep');
  const parts = await workspace.addEntities(length);
  await workspace.transact((tx) =>
    tx.query(
      `insert into entity_link (workspace_id, parent_id, child_id, quantity)
       select $1, p, c, $4 from unnest($2::uuid[], $3::uuid[]) as l (p, c)`,
      [workspace.id, [project, ...parts.slice(0, -1)], parts, quantity],
    ),
  );
  return { project, parts };
}

test('a structure of any depth is added up, to 40 significant digits', async () => {
  const { project, parts } = await addChain(1500, '1.000001');
  const { items } = await workspace.must(200, 'GET', `/projects/${project}/shortages`);
  expect(items.map((one: Shortage) => one.itemEntityId)).toEqual(parts);
  expect(items[2].requiredQty).toBe(1.000004);
  // 1.000001 to the 1500th, by logarithms, and rounded up.
  expect(items[1499].requiredQty).toBe(Math.ceil(Math.exp(1500 * Math.log1p(1e-6)) * 1e6) / 1e6);
  expect(items[1499].usedIn[0]).toMatchObject({ entityId: parts[1498], quantity: 1.000001 });
});

test('quantities that multiply beyond all measure are refused, by shortages and by transitions', async () => {
  const { project, parts } = await addChain(3, '999999999.999999');
  const refused = await workspace.ask('GET', `/projects/${project}/shortages`);
  expect([refused.status, refused.body.code]).toEqual([422, 'quantity_out_of_range']);
  expect(refused.body.detail).toContain(parts[2]);
  await expect(workspace.transact((tx) => owningProjects(tx, parts[2] as string))).rejects.toMatchObject({
    code: 'feature_failed',
  });
});

test('a part that is ready for procurement is required as shortages say, with losses and phantoms, and not for what is bought', async () => {
  const [kit, frame] = (await workspace.addEntities(2)) as [string, string];
  const uses = (parent: string, child: string, more: object) =>
    workspace.ask('PUT', `/entities/${parent}/uses/${child}`, { quantity: 1, ...more });
  await uses(machine, gear, { quantity: 3, lossPercent: 50, lossFixed: 2 });
  await uses(machine, kit, { quantity: 2, phantom: true });
  await uses(workspace.project, kit, { quantity: 1, phantom: true });
  await uses(kit, screw, { quantity: 5, lossFixed: 1 });
  await uses(workspace.project, frame, { quantity: 9 });
  await uses(frame, screw, { quantity: 100 });
  await workspace.must(200, 'PUT', `/planning/items/${frame}`, { policy: 'demand', makeOrBuy: 'buy' });
  const other = await workspace.addProject('Another project');
  await workspace.link(other, gear, 1);
  const taken = await workspace.transact((tx) => owningProjects(tx, screw));
  expect([...taken].map(([id, amount]) => [id, numberOfExact(amount)]).sort()).toEqual(
    [
      // 11 gears take 44, the machines 20 and 21 in their kits, and the project 6 in its own.
      [workspace.project, 91],
      [other, 4],
    ].sort(),
  );
  expect((await shortages())[screw]).toEqual([91, 91, 91]);
});

test('each line of a child counts with its own loss, and a phantom only in its line', async () => {
  await workspace.must(200, 'PUT', `/entities/${machine}/uses/${gear}`, {
    quantity: 3,
    lines: [
      { quantity: 1, findNumber: '10', phantom: true },
      { quantity: 2, findNumber: '20', lossPercent: 50, lossFixed: 1 },
    ],
  });
  // 1 gear of each of 2 machines is replaced by its 4 screws; of the others 2 × 2 × 1.5 + 1 = 7 are needed, with 4 screws each.
  expect(await shortages()).toMatchObject({ [gear]: [7, 7, 7], [screw]: [20 + 8 + 28, 56, 56] });
});

test('what is lost of the components of a phantom is lost for each assembly that has the phantom', async () => {
  const [kit, glue] = (await workspace.addEntities(2)) as [string, string];
  const uses = (parent: string, child: string, more: object) =>
    workspace.must(201, 'PUT', `/entities/${parent}/uses/${child}`, { quantity: 1, ...more });
  for (const parent of [machine, gear]) await uses(parent, kit, { phantom: true });
  await uses(kit, glue, { lossFixed: 5 });
  // 2 machines and 6 gears take one each, and the work on either loses 5, as in a plan and in the components of a line.
  const found = await shortages();
  expect([found[kit], found[glue]]).toEqual([undefined, [18, 18, 18]]);
  await stock(gear, 6);
  expect((await shortages())[glue]).toEqual([18, 7, 7]);
});

test('an assembly that its planning says is bought needs no components, and is a purchased part', async () => {
  await workspace.must(200, 'PUT', `/planning/items/${gear}`, { policy: 'none', makeOrBuy: 'buy' });
  const purchased = await workspace.must(200, 'GET', `${path()}?kind=purchased`);
  expect(purchased.items.map((one: Shortage) => [one.itemEntityId, one.isAssembly, one.shortageQty])).toEqual(
    [
      [gear, false, 6],
      [screw, false, 20],
    ],
  );
  expect(purchased.items[1].usedIn.map((one: Shortage['usedIn'][number]) => one.entityId)).toEqual([machine]);
  const raised = await workspace.must(201, 'POST', `${path()}/requirements`, { leavesOnly: true });
  expect(raised.requirements).toHaveLength(2);
});
