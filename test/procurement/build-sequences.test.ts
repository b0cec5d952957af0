/** Builds of several callers at once, in any order: nothing is lost, nothing is taken twice, nothing falls below zero. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LineComponent, StockLedgerEntry } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const line = fc.nat(2);
const quantity = fc.integer({ min: 1, max: 5 });
const operation = fc.oneof(
  fc.record({ what: fc.constantFrom('receipts', 'scrap', 'disassemblies'), line, quantity }),
  fc.record({ what: fc.constantFrom('components/reservations', 'components/issues'), line, quantity }),
  fc.record({ what: fc.constant('reversals'), line, quantity }),
  fc.record({ what: fc.constant('patch'), line, quantity: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    what: fc.constant('stock'),
    line,
    quantity: fc.integer({ min: -6, max: 20 }).filter((n) => n !== 0),
  }),
  fc.record({
    what: fc.constant('close'),
    line,
    quantity,
    unused: fc.constantFrom('return', 'scrap', 'waive'),
  }),
);

test('what was consumed adds up, whoever builds at the same time', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      async (turns) => {
        const workspace = await makeProcuringWorkspace(server);
        const { items, locations, must, ask } = workspace;
        const [product, frame, screw] = items as [string, string, string];
        const settings = await must(200, 'GET', '/stock/settings');
        const costing = { method: turns.length % 2 === 0 ? 'fifo' : 'average', currency: 'EUR' };
        await must(200, 'PUT', '/stock/settings', { ...settings, costing });
        await workspace.link(product, frame, 1);
        await workspace.link(product, screw, 2.5);
        const guid = '9e3f4d82-6c75-4a20-8c8d-517fbe403101';
        await must(200, 'POST', '/pdm/sync', {
          entities: [{ guid, number: 'S-1', name: 'Other screw', categoryKey: 'part' }],
        });
        const other = (await must(200, 'GET', `/entities/guid:${guid}`)).id;
        await must(200, 'PUT', `/entities/${product}/uses/${screw}`, {
          quantity: 2.5,
          substitutes: [{ guid, ratio: 0.7 }],
        });
        const priced = (
          itemEntityId: string,
          locationEntityId: unknown,
          quantity: number,
          price: string,
        ) => ({
          ...{ itemEntityId, locationEntityId, quantity },
          unitCost: { price },
        });
        await must(201, 'POST', '/stock/adjustments', priced(other, locations[0], 20, '0.7'));
        const instead = { substitutes: [{ itemEntityId: screw, substituteEntityId: other }] };
        const lines: string[] = [];
        for (let at = 0; at < 3; at++)
          lines.push((await workspace.line({ type: 'manufacturingOrder', quantity: 6 })).body.line.id);
        await must(201, 'POST', '/stock/adjustments', priced(frame, locations[0], 10, '10'));
        await must(201, 'POST', '/stock/adjustments', priced(screw, locations[1], 25, '0.333333'));
        for (const turn of turns) {
          const answers = await Promise.all(
            turn.map(async ({ what, line: at, ...rest }) => {
              const id = lines[at] as string;
              if (what === 'reversals') return takeBackOne(workspace, id, rest.quantity);
              if (what === 'patch') return ask('PATCH', `/stock/lines/${id}`, { quantity: rest.quantity });
              if (what === 'stock') {
                const itemEntityId = at === 0 ? frame : screw;
                const cost =
                  rest.quantity > 3 ? { unitCost: { price: String(rest.quantity / 3).slice(0, 6) } } : {};
                const place = { itemEntityId, locationEntityId: locations[at % 2] };
                const body = { ...place, quantity: rest.quantity, ...cost };
                return ask('POST', '/stock/adjustments', body);
              }
              const takes = what !== 'disassemblies';
              const body =
                'unused' in rest
                  ? { unused: rest.unused }
                  : { quantity: rest.quantity, ...(takes && rest.quantity % 2 === 0 ? instead : {}) };
              return ask('POST', `/stock/lines/${id}/${what}`, body);
            }),
          );
          for (const { status, text } of answers) expect([200, 201, 409], text).toContain(status);
        }
        for (const id of lines) await expectAddedUp(must, id);
        await workspace.expectConsistent();
      },
    ),
    { numRuns: runs(60, 3) },
  );
});

/** Takes back some of a receipt or scrap of the line, if there is one. */
async function takeBackOne({ must, ask }: ProcuringWorkspace, id: string, quantity: number) {
  const { items } = await must(200, 'GET', `/stock/ledger?lineId=${id}`);
  const taken = (items as StockLedgerEntry[]).filter(
    ({ movementType, reversesId }) =>
      reversesId === null && (movementType === 'MOReceipt' || movementType === 'Adjustment'),
  );
  const one = taken[quantity % Math.max(1, taken.length)];
  if (one === undefined) return ask('GET', `/stock/lines/${id}`);
  const body = quantity > 3 ? { note: 'Wrong' } : { quantity, note: 'Wrong' };
  return ask('POST', `/stock/ledger/${one.id}/reversals`, body);
}

type Must = Awaited<ReturnType<typeof makeProcuringWorkspace>>['must'];

/** The issues in the ledger are what the components show, and a proportional line has taken its share. */
async function expectAddedUp(must: Must, id: string): Promise<void> {
  const shown = await must(200, 'GET', `/stock/lines/${id}/components`);
  const built = shown.receivedQty + shown.scrappedQty - shown.disassembledQty;
  const inAll = shown.quantity + shown.scrappedQty - shown.disassembledQty;
  for (const one of shown.components as LineComponent[]) {
    const { items } = await must(200, 'GET', `/stock/ledger?requirementId=${one.requirementId}&limit=500`);
    const issued = (items as StockLedgerEntry[])
      .filter(({ movementType }) => movementType === 'MRIssue')
      .reduce((sum, entry) => sum + (entry.coveredQuantity ?? -entry.quantity), 0);
    expect(one.issuedQty).toBeCloseTo(issued, 6);
    expect(one.issuedQty).toBeGreaterThanOrEqual((one.requiredQty * built) / inAll - 1e-5);
    expect(one.heldQty).toBeGreaterThanOrEqual(0);
  }
  if (shown.state === 'Ordered') return;
  const { items } = await must(200, 'GET', `/requirements?lineId=${id}&status=open`);
  expect(items).toEqual([]);
}
