// Changes of how an item is tracked beside movements that are under way.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Movement } from '../../src/stock/entries/movement.ts';
import { recordMovements } from '../../src/stock/movements/record-movements.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const actor = (id: string) => ({ type: 'apiKey', id, name: 'A test' }) as const;
const track = (w: ProcuringWorkspace, tracking: string) =>
  w.ask('PUT', `/stock/tracking/${w.items[0]}`, { tracking });
const adjust = (w: ProcuringWorkspace, quantity: number, more: object = {}) =>
  w.ask('POST', '/stock/adjustments', {
    itemEntityId: w.items[0],
    locationEntityId: w.locations[0],
    quantity,
    ...more,
  });
const reasonOf = ({ body }: TestAnswer) => body.refusals[0].reason;

/** Changes the tracking while the first movement of a position is recorded and not committed; returns the answer of the change. */
async function trackBeside(w: ProcuringWorkspace, tracking: string, more: Partial<Movement> = {}) {
  const [itemId, locationId] = [w.items[0] as string, w.locations[0] as string];
  let change: Promise<TestAnswer> | undefined;
  await w.transact(async (tx) => {
    await recordMovements(tx, actor(w.id), [
      { type: 'Adjustment', itemId, locationId, amount: 5_000_000n, ...more },
    ]);
    change = track(w, tracking);
    await vi.waitFor(async () => {
      const waiting = await tx.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      expect(waiting).toHaveLength(1);
    }, patience);
  });
  return change as Promise<TestAnswer>;
}

test('an item becomes tracked after the first movement of a position that is under way', async () => {
  const w = await makeProcuringWorkspace(server);
  expect((await trackBeside(w, 'lot')).body).toMatchObject({ tracking: 'lot', unassignedQty: 5 });
  expect(reasonOf(await adjust(w, 3))).toBe('lotRequired');
  await w.expectConsistent();
});

test('an item stays tracked where the first lot of a position is under way', async () => {
  const w = await makeProcuringWorkspace(server);
  await track(w, 'lot');
  const refused = await trackBeside(w, 'none', { lot: 'L', newLot: {} });
  expect([refused.status, refused.body.code]).toEqual([409, 'tracking_in_use']);
  expect((await adjust(w, -1, { lot: 'L' })).status).toBe(201);
  await w.expectConsistent();
});

test('lots from when the item was tracked in another way are refused', async () => {
  const w = await makeProcuringWorkspace(server);
  await track(w, 'lot');
  await adjust(w, 5, { lot: 'L', newLot: {} });
  await adjust(w, -5, { lot: 'L' });
  await track(w, 'serial');
  expect(reasonOf(await adjust(w, 5, { lot: 'L' }))).toBe('lotKind');
  expect(reasonOf(await adjust(w, 1, { lot: 'L' }))).toBe('lotKind');
  expect((await adjust(w, 1, { lot: 'SN-1', newLot: {} })).status).toBe(201);
  await w.expectConsistent();
});
