// What a storekeeper does with an order on the command line: receive, ship, return, and take back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderWithLines } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runCli } from './run-cli.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let home: string;
let bolt: string;
let nut: string;
let shelf: string;
let other: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'partbook-orders-'));
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server);
  [bolt, nut] = workspace.items as [string, string];
  [shelf, other] = workspace.locations as [string, string];
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function run(...args: string[]) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PARTBOOK_URL: server.baseUrl,
    PARTBOOK_WORKSPACE: workspace.slug,
    PARTBOOK_API_KEY: workspace.key,
  };
  return runCli(args, { env });
}

const order = (type: string, quantities: readonly [string, number][]): Promise<OrderWithLines> =>
  workspace.must(201, 'POST', '/orders', {
    type,
    lines: quantities.map(([itemEntityId, quantity]) => ({
      itemEntityId,
      locationEntityId: shelf,
      quantity,
    })),
  });
const numbersOf = ({ number, lines }: OrderWithLines) => [
  number as string,
  ...lines.map((line) => line.number as string),
];

test('lines of an order are received where the goods are put, returned, and taken back', async () => {
  const made = await order('purchaseOrder', [
    [bolt, 10],
    [nut, 5],
  ]);
  const [number = '', bolts = ''] = numbersOf(made);
  const plan = await run('orders', 'receive', number, `${bolts}=4`, '--at', other, '--plan');
  expect(plan.code, plan.said).toBe(3);
  expect(plan.out).toMatch(/^Would become:\n[\s\S]*10 +4 +0 +0 +6 +Ordered/);
  expect(await workspace.figures(bolt, other)).toEqual([0, 0, 0]);

  const part = await run('orders', 'receive', number, `${bolts}=4`, '--at', other);
  expect(part.code, part.said).toBe(0);
  expect(part.out).toMatch(/10 +4 +0 +0 +6 +Ordered/);
  expect(await workspace.figures(bolt, other)).toEqual([4, 0, 0]);
  const rest = await run('orders', 'receive', number, '--note', 'Second parcel');
  expect(rest.out).toMatch(/10 +10 .*Received[\s\S]*5 +5 .*Received/);

  const undone = await run('orders', 'reverse', number, '--note', 'Counted again');
  expect(undone.code, undone.said).toBe(0);
  expect(undone.out).toMatch(/10 +4 +0 +0 +6 +Ordered/);
  const first = await run('orders', 'reverse', number, '--note', 'Counted again', '--plan');
  expect(first.out).toMatch(/10 +0 +0 +0 +10 +Ordered/);
  const back = await run(
    'orders',
    'return',
    number,
    `${bolts}=2`,
    '--at',
    other,
    '--reason',
    'bent',
    '--replace',
  );
  expect(back.code, back.said).toBe(0);
  expect(back.out).toMatch(/10 +4 +0 +2 +8 +Ordered/);
  expect(await workspace.figures(bolt, other)).toEqual([2, 0, 0]);
  await workspace.expectConsistent();
});

test('lots and serial numbers of an order are named by line, and shipped as they expire', async () => {
  const [, , screw = ''] = workspace.items;
  await workspace.must(200, 'PUT', `/stock/tracking/${screw}`, { tracking: 'lot' });
  const [number = '', line = ''] = numbersOf(await order('purchaseOrder', [[screw, 10]]));
  const got = await run('orders', 'receive', number, '--lot', `${line}=L1=6`, `${line}=L2=4`);
  expect(got.code, got.said).toBe(0);
  const [sale = '', sold = ''] = numbersOf(await order('salesOrder', [[screw, 7]]));
  expect(await run('orders', 'ship', sale, '--lot', `${line}=L1`)).toMatchObject({
    code: 2,
    said: expect.stringContaining(`${sale} has no line "${line}"`),
  });
  const sent = await run('orders', 'ship', sale, `${sold}=5`, '--lot', `${sold}=L2=4`, `${sold}=L1=1`);
  expect(sent.code, sent.said).toBe(0);
  const last = await run('orders', 'ship', sale, '--first-expired');
  expect(last.out).toMatch(/7 +0 +7 +0 +0 +Shipped/);
  await workspace.expectConsistent();
});

test('a manufacturing order takes its components as the command says, and a slip of the caller says what to do', async () => {
  const made = await order('manufacturingOrder', [[bolt, 3]]);
  const [number = '', line = ''] = numbersOf(made);
  const built = await run('orders', 'receive', number, `${line}=1`, '--consume', 'none');
  expect(built.out).toMatch(/3 +1 .*Ordered/);
  const { items } = await workspace.must(
    200,
    'GET',
    `/stock/ledger?orderId=${made.id}&movementType=MOReceipt`,
  );
  expect(items).toMatchObject([{ consume: 'none', quantity: 1 }]);
  for (const [args, said] of [
    [['return', number, line], `Say how much of ${line} is returned`],
    [['receive', number, 'Nothing=1'], `${number} has no line "Nothing"`],
    [['receive', 'PO-999999'], 'No order has the number "PO-999999"'],
    [['receive', number, '--lot', line], `"${line}" is neither LINE=LOT`],
  ] as const)
    expect(await run('orders', ...args)).toMatchObject({ code: 2, said: expect.stringContaining(said) });
});
