/** Random movements, reversals and returns by several callers: positions, totals and the verification agree. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedLedgerEntry } from '../../web/client/operations.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const act = fc.record({
  kind: fc.constantFrom('adjust', 'receive', 'sell', 'reverse', 'reverse', 'return', 'delivery'),
  pick: fc.nat({ max: 1000 }),
  location: fc.nat({ max: 1 }),
  quantity: fc.integer({ min: 1, max: 8 }),
  replace: fc.boolean(),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
/** Callers of a round call at the same time. */
const rounds = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 });

const note = 'Correction';

async function perform(w: ProcuringWorkspace, { kind, pick, location, quantity, replace }: Act) {
  const at = { locationEntityId: w.locations[location] };
  const entries = async () =>
    (await w.must(200, 'GET', '/stock/ledger?limit=500')).items as ListedLedgerEntry[];
  if (kind === 'adjust') return w.adjust(w.items[0], w.locations[location], quantity);
  if (kind === 'receive' || kind === 'sell') {
    const type = kind === 'sell' ? 'salesOrder' : 'purchaseOrder';
    const line = await w.line({ type, quantity, ...at });
    if (line.status !== 201) return line;
    const some = { quantity: 1 + (pick % quantity) };
    const to = kind === 'receive' && pick % 3 === 0 ? { locationEntityId: w.locations[1 - location] } : {};
    return w.act(line.body.line.id, kind === 'sell' ? 'shipments' : 'receipts', { ...some, ...to });
  }
  const all = await entries();
  const entry = all[pick % Math.max(1, all.length)];
  if (entry === undefined) return null;
  if (kind === 'reverse') return w.ask('POST', `/stock/ledger/${entry.id}/reversals`, { quantity, note });
  if (entry.orderId === null || entry.lineId === null) return null;
  if (kind === 'delivery') {
    await w.ask('POST', `/orders/${entry.orderId}/receipts`, {});
    const receipts = await w.must(
      200,
      'GET',
      `/stock/ledger?orderId=${entry.orderId}&movementType=POReceipt`,
    );
    const bookingId = receipts.items[0]?.bookingId;
    if (bookingId == null) return null;
    return w.ask('POST', `/orders/${entry.orderId}/receipts/${bookingId}/reversals`, { note });
  }
  const lines = [{ lineId: entry.lineId, quantity }];
  return w.ask('POST', `/orders/${entry.orderId}/returns`, { lines, replace });
}

test('whatever is moved, taken back and returned, by whomever, adds up', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (random) => {
      const w = await makeProcuringWorkspace(server, { items: 1, locations: 2 });
      for (const round of random) {
        const answers = await Promise.all(round.map((one) => perform(w, one)));
        for (const answer of answers) {
          if (answer !== null) expect([200, 201, 404, 409], answer.text).toContain(answer.status);
        }
        await w.expectConsistent();
      }
      const { items } = await w.must(200, 'GET', '/stock/ledger?limit=500');
      for (const entry of items as ListedLedgerEntry[])
        expect(entry.reversedQty).toBeLessThanOrEqual(Math.abs(entry.quantity));
      const lines = await w.must(200, 'GET', '/stock/lines?limit=500');
      for (const line of lines.items) {
        expect(line.openQty).toBeGreaterThanOrEqual(0);
        if (line.state === 'Received' || line.state === 'Shipped') expect(line.openQty).toBe(0);
        expect(line.returnedQty).toBeLessThanOrEqual(line.receivedQty + line.shippedQty);
      }
    }),
    { numRuns: runs(60, 5) },
  );
});
