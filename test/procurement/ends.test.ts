/** How orders and their lines end: by themselves when everything has come, and never by being cancelled after that. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
});

async function order(quantities: readonly number[], type = 'purchaseOrder') {
  const lines = quantities.map((quantity) => ({
    itemEntityId: workspace.items[0],
    locationEntityId: workspace.locations[0],
    quantity,
  }));
  return workspace.must(201, 'POST', '/orders', { type, lines });
}
const stateOf = async ({ id }: { id: string }) => (await workspace.must(200, 'GET', `/orders/${id}`)).state;

test('an order of which everything has come is closed, and cannot be cancelled', async () => {
  const { id } = await order([5]);
  expect((await workspace.must(201, 'POST', `/orders/${id}/receipts`, {})).state).toBe('Closed');
  expect((await workspace.move(id, 'Cancelled')).status).toBe(409);
});

test('an order stays open until its last line has ended, however the lines end', async () => {
  const made = await order([1, 2, 3]);
  const [received, closed, cancelled] = made.lines.map(({ id }: { id: string }) => id);
  await workspace.act(received, 'receipts', { quantity: 1 });
  expect(await stateOf(made)).toBe('Open');
  await workspace.act(closed, 'close');
  expect(await stateOf(made)).toBe('Open');
  await workspace.act(cancelled, 'cancel');
  expect(await stateOf(made)).toBe('Closed');
});

test('an order whose lines are all cancelled stays open for others', async () => {
  const made = await order([1]);
  await workspace.act(made.lines[0].id, 'cancel');
  expect(await stateOf(made)).toBe('Open');
});

test('a shipped sales order is closed by its last shipment, and by the transition of its last line', async () => {
  await workspace.adjust(workspace.items[0] as string, workspace.locations[0] as string, 10);
  const [byCall, byTransition] = [await order([2, 3], 'salesOrder'), await order([1], 'salesOrder')];
  expect((await workspace.must(201, 'POST', `/orders/${byCall.id}/shipments`, {})).state).toBe('Closed');
  expect((await workspace.move(byTransition.lines[0].id, 'Shipped')).status).toBe(200);
  expect(await stateOf(byTransition)).toBe('Closed');
});

test('receipts of all lines of an order at once close it', async () => {
  const made = await order([1, 1, 1, 1, 1, 1]);
  const answers = await Promise.all(
    made.lines.map(({ id }: { id: string }) => workspace.act(id, 'receipts', { quantity: 1 })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
  expect(await stateOf(made)).toBe('Closed');
});

test('what came in part is closed, not cancelled: the line, and the order with it', async () => {
  const made = await order([10, 1]);
  const [line] = made.lines;
  await workspace.act(line.id, 'receipts', { quantity: 4 });
  for (const answer of [await workspace.act(line.id, 'cancel'), await workspace.move(made.id, 'Cancelled')])
    expect([answer.status, answer.body.code]).toEqual([409, 'transition_not_allowed']);
  expect((await workspace.figures())[2]).toBe(7);
  expect((await workspace.act(line.id, 'close')).status).toBe(200);
  expect((await workspace.figures())[2]).toBe(1);
});
