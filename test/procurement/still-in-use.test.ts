// A state such as Obsolete or Inactive is for what is not in use any more.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [bolt] = workspace.items as [string];
  [shelf] = workspace.locations as [string];
});

const move = (id: string, toState: string) =>
  workspace.ask('POST', `/entities/${id}/transitions`, { toState });
const moveTo = async (id: string, ...states: string[]) => {
  let body: { warnings?: unknown } = {};
  for (const toState of states) {
    const answer = await move(id, toState);
    expect(answer.status, answer.text).toBe(200);
    body = answer.body;
  }
  return body;
};
const obsolete = () => moveTo(bolt, 'In Review', 'Released', 'Obsolete');

async function refuseIn(lifecycle: string, state: string): Promise<void> {
  const { states, ...rest } = await workspace.must(200, 'GET', `/lifecycles/${lifecycle}`);
  const changed = states.map((one: { name: string }) =>
    one.name === state ? { ...one, whenInUse: 'refuse' } : one,
  );
  const answer = await workspace.must(200, 'PUT', `/lifecycles/${lifecycle}`, { ...rest, states: changed });
  expect(answer.states).toContainEqual(expect.objectContaining({ name: state, whenInUse: 'refuse' }));
}

test('an item with stock, open lines and requirements becomes obsolete with a warning that counts them', async () => {
  await workspace.adjust(bolt, shelf, 12);
  await workspace.line({ itemEntityId: bolt, quantity: 5 });
  const required = { projectId: workspace.project, itemEntityId: bolt, requiredQty: 3 };
  await workspace.must(201, 'POST', '/requirements', required);
  expect(await obsolete()).toMatchObject({
    state: 'Obsolete',
    warnings: [
      {
        code: 'in_use',
        message: expect.stringMatching(/ has 12 on hand, 1 open order line, 1 open requirement\.$/),
        usedBy: { onHand: 12, stockedItems: 0, orderedItems: 0, openLines: 1, openRequirements: 1 },
      },
    ],
  });
});

test('an item that nothing uses becomes obsolete without a warning', async () => {
  await workspace.adjust(bolt, shelf, 2);
  await workspace.adjust(bolt, shelf, -2);
  expect(await obsolete()).toMatchObject({ state: 'Obsolete', warnings: [] });
});

test('a location with stock becomes inactive with a warning', async () => {
  await workspace.adjust(bolt, shelf, 1);
  expect(await moveTo(shelf, 'Inactive')).toMatchObject({ warnings: [{ usedBy: { stockedItems: 1 } }] });
});

test('a location becomes inactive with a warning while goods are on order to it', async () => {
  await workspace.line({ itemEntityId: bolt, quantity: 5 });
  const { warnings } = await moveTo(shelf, 'Inactive');
  expect(warnings).toMatchObject([
    {
      code: 'in_use',
      message: expect.stringMatching(/ has 1 item on order to it\.$/),
      usedBy: { stockedItems: 0, orderedItems: 1 },
    },
  ]);
});

test('it is refused where the lifecycle says so, and nothing changes', async () => {
  await refuseIn('location', 'Inactive');
  await workspace.adjust(bolt, shelf, 1);
  const refused = await move(shelf, 'Inactive');
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'in_use', usedBy: { stockedItems: 1 } });
  expect(refused.body.detail).toContain('stock of 1 item');
  expect((await workspace.must(200, 'GET', `/entities/${shelf}`)).state).toBe('Active');
  await workspace.adjust(bolt, shelf, -1);
  await moveTo(shelf, 'Inactive');
});
