import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { featureNames } from '../../src/configuration/feature-names.ts';
import type { FeatureAutomation, MaterialRequirement } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server, { items: 8 });
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

/** Puts settings on the features of a transition, or other features there. */
async function attach(lifecycle: string, transition: string, featureAutomations: object[]) {
  const { body } = await workspace.ask('GET', `/lifecycles/${lifecycle}`);
  for (const way of body.transitions) if (way.id === transition) way.featureAutomations = featureAutomations;
  return workspace.ask('PUT', `/lifecycles/${lifecycle}`, body);
}

const required = async (query = '') =>
  (await workspace.must(200, 'GET', `/requirements?${query}`)).items.map((one: MaterialRequirement) => [
    one.projectId,
    one.itemEntityId,
    one.requiredQty,
  ]);

describe('the list', () => {
  test('has every feature with its settings', async () => {
    const { items } = await workspace.must(200, 'GET', '/automations/feature?contextTypeId=1');
    expect(items.map((one: FeatureAutomation) => one.id)).toEqual([...featureNames].sort());
    for (const one of items) {
      expect(one).toMatchObject({ kind: 'feature', contextTypeId: 1, settingsSchema: { type: 'object' } });
      expect(Object.keys(one).sort()).toEqual(
        ['contextTypeId', 'description', 'id', 'implemented', 'kind', 'name', 'settingsSchema'].sort(),
      );
    }
    expect((await workspace.must(200, 'GET', '/automations/feature')).items).toEqual(items);
    expect((await workspace.must(200, 'GET', '/automations/feature?contextTypeId=2')).items).toEqual([]);
    expect((await workspace.ask('GET', '/automations/feature?contextTypeId=x')).status).toBe(422);
    const page = await workspace.must(200, 'GET', '/automations/feature?limit=2');
    const next = await workspace.must(200, 'GET', `/automations/feature?cursor=${page.nextCursor}`);
    expect([...page.items, ...next.items]).toEqual(items);
  });

  test('settings are checked when a lifecycle is saved', async () => {
    const wrong = await attach('order', 'close', [
      { feature: 'cascadeTransition', settings: { toState: 'Closed' } },
      { feature: 'cascadeTransition', settings: { toState: 7, colour: 'red' } },
    ]);
    expect([wrong.status, wrong.body.code]).toEqual([422, 'validation_failed']);
    expect(wrong.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
      expect.arrayContaining(['/transitions/0/featureAutomations/1/settings/toState']),
    );
    const { body } = await workspace.ask('GET', '/lifecycles/order');
    const made = await workspace.ask('POST', '/lifecycles', {
      ...body,
      key: 'wrong',
      transitions: [
        {
          ...body.transitions[0],
          featureAutomations: [{ feature: 'notifyWebhook', settings: { url: 'http://x' } }],
        },
      ],
    });
    expect([made.status, made.body.code]).toEqual([422, 'validation_failed']);
  });
});

describe('createMaterialRequirement', () => {
  const procure = (item: string) => workspace.move(item, 'Ready for Procurement');
  let parts: string[];
  beforeEach(async () => {
    parts = await workspace.addEntities(6, { state: 'Released' });
  });

  test('raises what the structure takes along all paths to the project', async () => {
    const [top, left, right, screw] = parts as [string, string, string, string];
    const { project, link } = workspace;
    await link(project, top, 2);
    await link(top, left, 3);
    await link(top, right, 1);
    await link(left, screw, 4);
    await link(right, screw, 0.5);
    await link(project, screw, 1);
    const answer = await procure(screw);
    expect(answer.status, answer.text).toBe(200);
    // 2·3·4 + 2·1·0.5 + 1
    expect(await required()).toEqual([[project, screw, 26]]);
    expect(await workspace.figures(screw)).toEqual([0, 0, 0]);
  });

  test('raises one for each project, the nearest on each path', async () => {
    const [top, screw] = parts as [string, string];
    const [outer, inner, other] = [
      workspace.project,
      await workspace.addProject(),
      await workspace.addProject(),
    ];
    await workspace.link(outer, inner, 5);
    await workspace.link(inner, top, 2);
    await workspace.link(other, top, 1);
    await workspace.link(top, screw, 3);
    await procure(screw);
    const raised = await required();
    expect(raised).toHaveLength(2);
    expect(raised).toEqual(
      expect.arrayContaining([
        [inner, screw, 6],
        [other, screw, 3],
      ]),
    );
  });

  test('a part without a project is let through, or refused where the setting says so', async () => {
    const [one, two] = parts as [string, string];
    expect((await procure(one)).status).toBe(200);
    expect(await required()).toEqual([]);
    const settings = { whenNoProject: 'fail' };
    await attach('part', 'procure', [{ feature: 'createMaterialRequirement', settings }]);
    const refused = await procure(two);
    expect([refused.status, refused.body.code, refused.body.feature]).toEqual([
      409,
      'feature_failed',
      'createMaterialRequirement',
    ]);
    expect((await workspace.must(200, 'GET', `/entities/${two}`)).state).toBe('Released');
  });

  test('a second time only what is missing is raised, or all of it where the setting says so', async () => {
    const [screw] = parts as [string];
    await workspace.link(workspace.project, screw, 4);
    await procure(screw);
    await workspace.move(screw, 'Released');
    await workspace.must(200, 'PUT', `/entities/${workspace.project}/uses/${screw}`, { quantity: 6 });
    await procure(screw);
    expect((await required()).map(([, , quantity]: number[]) => quantity)).toEqual([4, 2]);
    await workspace.move(screw, 'Released');
    await procure(screw);
    expect(await required()).toHaveLength(2);
    const settings = { whenRequired: 'add' };
    await attach('part', 'procure', [{ feature: 'createMaterialRequirement', settings }]);
    await workspace.move(screw, 'Released');
    await procure(screw);
    expect((await required()).map(([, , quantity]: number[]) => quantity)).toEqual([4, 2, 6]);
  });

  test('takes the date from the project', async () => {
    const [screw] = parts as [string];
    await workspace.must(201, 'POST', '/property-definitions', {
      key: 'NeededBy',
      name: 'Needed',
      type: 'date',
    });
    await workspace.must(200, 'PATCH', `/entities/${workspace.project}`, {
      properties: { NeededBy: '2027-01-15' },
    });
    await workspace.link(workspace.project, screw, 1);
    const settings = { requiredByProperty: 'NeededBy' };
    await attach('part', 'procure', [{ feature: 'createMaterialRequirement', settings }]);
    await procure(screw);
    const { items } = await workspace.must(200, 'GET', '/requirements');
    expect(items[0].requiredBy).toBe('2027-01-15');
  });

  test('fractions are rounded up to what a quantity can say', async () => {
    const [a, b, c] = parts as [string, string, string];
    await workspace.link(workspace.project, a, 0.001);
    await workspace.link(a, b, 0.001);
    await workspace.link(b, c, 0.5);
    await procure(c);
    expect(await required()).toEqual([[workspace.project, c, 0.000001]]);
  });
});

describe('cascadeTransition', () => {
  test('an assembly takes its children along, with what their transitions carry', async () => {
    const [assembly, ...parts] = await workspace.addEntities(4, { state: 'Released' });
    const [stays] = await workspace.addEntities(1, { state: 'In Work' });
    await workspace.link(workspace.project, assembly as string, 2);
    for (const part of [...parts, stays]) await workspace.link(assembly as string, part as string, 3);
    await workspace.move(assembly as string, 'In Work');
    await workspace.move(assembly as string, 'In Review');
    await workspace.move(assembly as string, 'Released');
    await attach('part', 'procure', [
      { feature: 'createMaterialRequirement', settings: {} },
      { feature: 'cascadeTransition', settings: {} },
    ]);
    const answer = await workspace.move(assembly as string, 'Ready for Procurement');
    expect(answer.status, answer.text).toBe(200);
    for (const part of parts) {
      expect((await workspace.must(200, 'GET', `/entities/${part}`)).state).toBe('Ready for Procurement');
    }
    expect((await workspace.must(200, 'GET', `/entities/${stays}`)).state).toBe('In Work');
    expect((await required()).map(([, , quantity]: number[]) => quantity)).toEqual([2, 6, 6, 6]);
  });

  test('with whenNoWay=fail one child that cannot follow keeps all of them', async () => {
    const [assembly, part, stuck] = await workspace.addEntities(3, { state: 'Released' });
    await workspace.link(assembly as string, part as string, 1);
    await workspace.link(assembly as string, stuck as string, 1);
    for (const state of ['In Work', 'In Review', 'Released']) await workspace.move(assembly as string, state);
    await workspace.move(stuck as string, 'In Work');
    await attach('part', 'retire', [{ feature: 'cascadeTransition', settings: { whenNoWay: 'fail' } }]);
    const refused = await workspace.move(assembly as string, 'Obsolete');
    expect([refused.status, refused.body.code, refused.body.feature]).toEqual([
      409,
      'feature_failed',
      'cascadeTransition',
    ]);
    expect((await workspace.must(200, 'GET', `/entities/${part}`)).state).toBe('Released');
  });
});

test('a line feature on something else refuses the transition and says why', async () => {
  await attach('part', 'submit', [{ feature: 'updateOnOrderStock', settings: {} }]);
  const [part] = await workspace.addEntities(1);
  const refused = await workspace.move(part as string, 'In Review');
  expect([refused.status, refused.body.code, refused.body.feature]).toEqual([
    409,
    'feature_failed',
    'updateOnOrderStock',
  ]);
});

test('a lifecycle without the features: calls still write the ledger, and an end gives back', async () => {
  for (const way of ['order', 'receive', 'close', 'cancel']) await attach('supplyLine', way, []);
  const made = await workspace.line({ quantity: 5 });
  expect(made.body.entries).toHaveLength(1);
  await workspace.act(made.body.line.id, 'receipts', { quantity: 2 });
  await workspace.act(made.body.line.id, 'close');
  expect(await workspace.figures()).toEqual([2, 0, 0]);
});

test('notifyWebhook writes a feature event where somebody listens', async () => {
  await attach('part', 'submit', [{ feature: 'notifyWebhook', settings: { event: 'look' } }]);
  const count = async () => {
    const rows = await workspace.transact((tx) =>
      tx.query<{ n: number }>(
        'select count(*)::int as n from outbox where workspace_id = $1 and context_type = 5',
        [workspace.id],
      ),
    );
    return rows[0]?.n;
  };
  const [one, two] = await workspace.addEntities(2);
  await workspace.move(one as string, 'In Review');
  expect(await count()).toBe(0);
  await workspace.transact((tx) =>
    tx.query('insert into event_listener (workspace_id, context_type) values ($1, 5)', [workspace.id]),
  );
  expect((await workspace.move(two as string, 'In Review')).status).toBe(200);
  expect(await count()).toBe(1);
});
