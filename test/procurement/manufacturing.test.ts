import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MaterialRequirement } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, moved, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let frame: string;
let screw: string;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [, frame, screw] = workspace.items as [string, string, string];
  await workspace.link(workspace.items[0] as string, frame, 1);
  await workspace.link(workspace.items[0] as string, screw, 4.5);
});
afterEach(() => workspace.expectConsistent());
afterAll(() => server.close());

const make = (values: object = {}) => workspace.line({ type: 'manufacturingOrder', quantity: 10, ...values });
const components = async (lineId: string) =>
  (await workspace.must(200, 'GET', `/requirements?lineId=${lineId}`)).items;

test('is on order, and requires the components of what it makes', async () => {
  const made = await make({ requiredBy: '2026-12-24' });
  expect(made.status, made.text).toBe(201);
  const { line, entries } = made.body;
  expect(line).toMatchObject({ orderNumber: 'MO-000001', number: 'MOL-000001', state: 'Ordered' });
  expect(moved(entries)).toEqual([['OnOrderAdd', 10]]);
  const required = await components(line.id);
  expect(
    required.map((one: MaterialRequirement) => [
      one.itemEntityId,
      one.requiredQty,
      one.projectId,
      one.lineId,
    ]),
  ).toEqual([
    [frame, 10, null, line.id],
    [screw, 45, null, line.id],
  ]);
  expect(required[0].requiredBy).toBe('2026-12-24');
});

test('components are reserved and issued, the product is completed', async () => {
  const { line } = (await make()).body;
  const [forFrame] = await components(line.id);
  await workspace.adjust(frame, workspace.locations[1], 10);
  const act = (what: string, quantity: number) =>
    workspace.must(201, 'POST', `/requirements/${forFrame.id}/${what}`, {
      locationEntityId: workspace.locations[1],
      quantity,
    });
  await workspace.adjust(screw, workspace.locations[1], 45);
  await act('reservations', 10);
  const issued = await act('issues', 10);
  expect(issued.entries[0]).toMatchObject({ movementType: 'MRIssue', quantity: -10, orderId: line.orderId });
  expect(await workspace.figures(frame, workspace.locations[1])).toEqual([0, 0, 0]);
  const part = await workspace.act(line.id, 'receipts', { quantity: 4 });
  expect(moved(part.body.entries)).toEqual([['MOReceipt', 4]]);
  const rest = await workspace.act(line.id, 'receipts', { quantity: 6 });
  expect(rest.body.line.state).toBe('Received');
  expect(await workspace.figures()).toEqual([10, 0, 0]);
  const over = await workspace.act(line.id, 'receipts', { quantity: 1 });
  expect(over.body.code).toBe('over_receipt');
});

test('cancelled, it gives back what was reserved for it; what was issued stays issued', async () => {
  const { line } = (await make()).body;
  const [forFrame, forScrews] = await components(line.id);
  await workspace.adjust(frame, workspace.locations[1], 10);
  const act = (what: string, quantity: number) =>
    workspace.must(201, 'POST', `/requirements/${forFrame.id}/${what}`, {
      locationEntityId: workspace.locations[1],
      quantity,
    });
  await act('reservations', 8);
  await act('issues', 3);
  expect((await workspace.act(line.id, 'cancel')).status).toBe(200);
  expect(await workspace.figures()).toEqual([0, 0, 0]);
  expect(await workspace.figures(frame, workspace.locations[1])).toEqual([7, 0, 0]);
  for (const { id } of [forFrame, forScrews]) {
    expect((await workspace.must(200, 'GET', `/requirements/${id}`)).status).toBe('cancelled');
  }
});

test('a draft requires nothing until it is ordered; its order takes it along when it is cancelled', async () => {
  const { line } = (await make({ state: 'Draft' })).body;
  expect(await components(line.id)).toEqual([]);
  await workspace.move(line.id, 'Ordered');
  expect(await components(line.id)).toHaveLength(2);
  expect((await workspace.move(line.orderId, 'Cancelled')).status).toBe(200);
  expect((await components(line.id)).map((one: MaterialRequirement) => one.status)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(await workspace.figures()).toEqual([0, 0, 0]);
});

test('a component that is made itself is ordered for its requirement', async () => {
  const { line } = (await make()).body;
  const [forFrame] = await components(line.id);
  const sub = await make({ itemEntityId: frame, requirementId: forFrame.id, quantity: 10 });
  expect(sub.status, sub.text).toBe(201);
  expect(await workspace.must(200, 'GET', `/requirements/${forFrame.id}`)).toMatchObject({
    orderedQty: 10,
    status: 'covered',
  });
});
