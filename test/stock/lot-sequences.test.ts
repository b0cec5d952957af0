// Random sequences of movements of lots and serial numbers, in two units, held against a model, and sent many at once.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StockLedgerEntry, StockTransit } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';

const ITEMS = 2;
const SERIAL = 1;
const LOCATIONS = 2;
const LOTS = 3;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const index = (most: number) => fc.nat({ max: most - 1 });
const place = {
  item: index(ITEMS),
  location: index(LOCATIONS),
  lot: index(LOTS),
  quantity: fc.integer({ min: 1, max: 3 }),
  isInPairs: fc.boolean(),
};
const operation = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'receive' as const), ...place }),
  fc.record({
    do: fc.constantFrom('remove' as const, 'transfer' as const, 'ship' as const, 'count' as const),
    ...place,
  }),
  fc.record({ do: fc.constant('send' as const), ...place }),
  fc.record({ do: fc.constant('arrive' as const), of: fc.nat(), quantity: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('reverse' as const), of: fc.nat() }),
  fc.record({
    do: fc.constant('status' as const),
    item: index(ITEMS),
    lot: index(LOTS),
    status: fc.constantFrom('available' as const, 'quarantine' as const, 'rejected' as const),
  }),
);
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;
type Placed = Exclude<Operation, { do: 'reverse' | 'status' | 'arrive' }>;

async function makeWorkspace(): Promise<ProcuringWorkspace> {
  const workspace = await makeProcuringWorkspace(server, { items: ITEMS, locations: LOCATIONS });
  for (const [item, tracking] of ['lot', 'serial'].entries())
    await workspace.must(200, 'PUT', `/stock/tracking/${workspace.items[item]}`, { tracking });
  for (const item of workspace.items)
    await workspace.must(200, 'PUT', `/stock/units/${item}`, { baseUnit: 'pcs' });
  return workspace;
}

/** Sends an operation; the last answer decides. */
async function send(workspace: ProcuringWorkspace, op: Placed): Promise<TestAnswer> {
  const lot = `L-${op.lot}`;
  const { quantity, isInPairs } = op;
  const unit = isInPairs ? { unit: 'pair' } : {};
  const itemEntityId = workspace.items[op.item];
  const locationEntityId = workspace.locations[op.location];
  switch (op.do) {
    case 'add':
    case 'remove': {
      const signed = op.do === 'add' ? quantity : -quantity;
      const body = { itemEntityId, locationEntityId, quantity: signed, ...unit, lot, newLot: {} };
      return workspace.ask('POST', '/stock/adjustments', body);
    }
    case 'transfer':
    case 'send': {
      const toLocationEntityId = workspace.locations[(op.location + 1) % LOCATIONS];
      const line = {
        itemEntityId,
        fromLocationEntityId: locationEntityId,
        toLocationEntityId,
        quantity,
        ...unit,
        lot,
      };
      return workspace.ask('POST', '/stock/transfers', { lines: [line], inTransit: op.do === 'send' });
    }
    case 'count': {
      const line = {
        item: itemEntityId,
        location: locationEntityId,
        countedQty: quantity - 1,
        ...unit,
        lot,
        newLot: {},
      };
      return workspace.ask('POST', '/stock/counts', { lines: [line] });
    }
    case 'receive':
    case 'ship': {
      const [type, act] =
        op.do === 'ship' ? (['salesOrder', 'shipments'] as const) : (['purchaseOrder', 'receipts'] as const);
      const made = await workspace.line({ type, itemEntityId, locationEntityId, quantity, ...unit });
      if (made.status !== 201) return made;
      const { id } = made.body.line;
      const answer = await workspace.act(id, act, { quantity, ...unit, lots: [{ lot, quantity, ...unit }] });
      if (answer.status !== 201) await workspace.act(id, 'cancel');
      return answer;
    }
  }
}

/** Changes the status of a lot that exists; returns whether there is one. */
async function setStatus(
  workspace: ProcuringWorkspace,
  { item, lot, status }: { item: number; lot: number; status: string },
): Promise<boolean> {
  const query = `itemEntityId=${workspace.items[item]}&number=L-${lot}`;
  const { items } = await workspace.must(200, 'GET', `/stock/lots?${query}`);
  if (items.length === 0) return false;
  await workspace.must(200, 'POST', `/stock/lots/${items[0].id}/status`, { status });
  return true;
}

type Arrival = Extract<Operation, { do: 'arrive' }>;

/** Receives some of what the model has in transit. */
async function receiveSome(workspace: ProcuringWorkspace, model: Model, { of, quantity: most }: Arrival) {
  const one = model.inTransit[of % Math.max(model.inTransit.length, 1)];
  if (one === undefined) return;
  const quantity = Math.min(most, one.quantity);
  const possible = model.change([{ key: one.key, delta: quantity }]);
  const answer = await workspace.ask('POST', `/stock/transfers/${one.bookingId}/receipts`, { quantity });
  expect(answer.status, `${JSON.stringify(one)} → ${answer.text}`).toBe(possible ? 201 : 409);
  if (!possible) return;
  one.quantity -= quantity;
  if (one.quantity === 0) model.inTransit.splice(model.inTransit.indexOf(one), 1);
}

/** Receives one of anything in transit, which others receive at the same time. */
async function receiveAny(workspace: ProcuringWorkspace, { of }: Arrival) {
  const { items } = await workspace.must(200, 'GET', '/stock/transfers');
  if (items.length === 0) return;
  const path = `/stock/transfers/${items[of % items.length].id}/receipts`;
  const answer = await workspace.ask('POST', path, { quantity: 1 });
  expect([201, 409], answer.text).toContain(answer.status);
}

/** Reserves for an order that nobody ships, holds a lot for it, and then releases a part of it. */
async function holdSome(workspace: ProcuringWorkspace, { item, location, lot, quantity }: Placed) {
  const place = { itemEntityId: workspace.items[item], locationEntityId: workspace.locations[location] };
  const made = await workspace.line({ type: 'salesOrder', ...place, quantity });
  const query = `itemEntityId=${place.itemEntityId}&number=L-${lot}`;
  const { items } = await workspace.must(200, 'GET', `/stock/lots?${query}`);
  if (made.status !== 201 || items.length === 0) return;
  const { id: lineId } = made.body.line;
  const body = { lineId, locationEntityId: place.locationEntityId, quantity };
  const answer = await workspace.ask('POST', `/stock/lots/${items[0].id}/holds`, body);
  expect([201, 409], answer.text).toContain(answer.status);
  await workspace.act(lineId, 'releases', { quantity: 1 });
}

/** On Hand of each lot of each item at each location. */
class Model {
  readonly onHand = new Map<string, number>();
  /** Status of each lot of each item; lots without one are available. */
  readonly status = new Map<string, string>();
  /** Goods that left and have not arrived. */
  readonly inTransit: { bookingId: string; key: string; quantity: number }[] = [];
  /** Movements that can be taken back: what they changed, in order. */
  readonly done: { entryId: string; changes: { key: string; delta: number }[]; isBack: boolean }[] = [];

  at(key: string): number {
    return this.onHand.get(key) ?? 0;
  }

  isAvailable(key: string): boolean {
    return (this.status.get(key) ?? 'available') === 'available';
  }

  /** [on hand, reserved] of an item at a location. */
  figuresAt(item: number, location: number): [number, number] {
    const lots = Array.from({ length: LOTS }, (_, lot) => lot);
    const sum = (some: readonly number[]) =>
      some.reduce((total, lot) => total + this.at(`${item} ${location} ${lot}`), 0);
    return [sum(lots), sum(lots.filter((lot) => !this.isAvailable(`${item} ${lot}`)))];
  }

  /** Makes all changes, or none: no lot falls below zero, and a serial number is one unit at one location. */
  change(changes: readonly { key: string; delta: number }[]): boolean {
    const before = new Map(this.onHand);
    for (const { key, delta } of changes) {
      this.onHand.set(key, this.at(key) + delta);
      const [item, , lot] = key.split(' ');
      const isSerial = Number(item) === SERIAL;
      const sum = Array.from({ length: LOCATIONS }, (_, location) => this.at(`${item} ${location} ${lot}`));
      const holds = this.at(key) >= 0 && (!isSerial || sum.reduce((a, b) => a + b, 0) <= 1);
      if (holds) continue;
      this.onHand.clear();
      for (const [one, value] of before) this.onHand.set(one, value);
      return false;
    }
    return true;
  }

  changesOf(op: Placed): { key: string; delta: number }[] {
    const key = `${op.item} ${op.location} ${op.lot}`;
    const factor = op.isInPairs ? 2 : 1;
    const quantity = op.quantity * factor;
    const counted = (op.quantity - 1) * factor;
    switch (op.do) {
      case 'add':
      case 'receive':
        return [{ key, delta: quantity }];
      case 'remove':
      case 'ship':
      case 'send':
        return [{ key, delta: -quantity }];
      case 'count':
        return this.at(key) === counted ? [] : [{ key, delta: counted - this.at(key) }];
      case 'transfer':
        return [
          { key, delta: -quantity },
          { key: `${op.item} ${(op.location + 1) % LOCATIONS} ${op.lot}`, delta: quantity },
        ];
    }
  }
}

async function expectModel(workspace: ProcuringWorkspace, model: Model): Promise<void> {
  const { items } = await workspace.must(200, 'GET', '/stock/lots');
  const shown = new Map<string, number>();
  for (const { id } of items) {
    const { itemEntityId, number, positions } = await workspace.must(200, 'GET', `/stock/lots/${id}`);
    for (const { locationEntityId, onHand } of positions) {
      const [item, location] = [
        workspace.items.indexOf(itemEntityId),
        workspace.locations.indexOf(locationEntityId),
      ];
      shown.set(`${item} ${location} ${number.slice(2)}`, onHand);
    }
  }
  const inStock = [...model.onHand].filter(([, onHand]) => onHand !== 0);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(inStock));
  for (const [item, id] of workspace.items.entries())
    for (const [location, place] of workspace.locations.entries())
      expect((await workspace.figures(id, place)).slice(0, 2)).toEqual(model.figuresAt(item, location));
  const transits = await workspace.must(200, 'GET', '/stock/transfers');
  const open = transits.items.map((one: StockTransit) => [one.id, one.inTransitQty]);
  expect(Object.fromEntries(open)).toEqual(
    Object.fromEntries(model.inTransit.map(({ bookingId, quantity }) => [bookingId, quantity])),
  );
  const positions = await workspace.must(200, 'GET', '/stock/positions');
  for (const { reserved, blocked } of positions.items) expect(blocked).toBe(reserved);
}

test('one after another, movements of lots do what the model does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 30, maxLength: 60, size: 'max' }),
      async (operations) => {
        const workspace = await makeWorkspace();
        const model = new Model();
        for (const op of operations) {
          if (op.do === 'reverse') {
            const open = model.done.filter(({ isBack }) => !isBack);
            const one = open[op.of % Math.max(open.length, 1)];
            if (one === undefined) continue;
            const possible = model.change(
              one.changes
                .map(({ key, delta }) => ({ key, delta: -delta }))
                .toSorted((a, b) => a.delta - b.delta),
            );
            const path = `/stock/ledger/${one.entryId}/reversals`;
            const answer = await workspace.ask('POST', path, { note: 'Wrong' });
            expect(answer.status, `${JSON.stringify(one)} → ${answer.text}`).toBe(possible ? 201 : 409);
            one.isBack = possible;
            // A shipment that is taken back is reserved again.
            if (answer.body.line?.type === 'salesOrder') await workspace.act(answer.body.line.id, 'cancel');
            continue;
          }
          if (op.do === 'status') {
            if (await setStatus(workspace, op)) model.status.set(`${op.item} ${op.lot}`, op.status);
            continue;
          }
          if (op.do === 'arrive') {
            await receiveSome(workspace, model, op);
            continue;
          }
          const changes = model.changesOf(op);
          const isUnit = op.item !== SERIAL || changes.every(({ delta }) => Math.abs(delta) === 1);
          const isUsable = op.do !== 'ship' || model.isAvailable(`${op.item} ${op.lot}`);
          const possible = isUnit && isUsable && model.change(changes);
          const answer = await send(workspace, op);
          expect(answer.status, `${JSON.stringify(op)} → ${answer.text}`).toBe(possible ? 201 : 409);
          if (!possible || op.do === 'count') continue;
          const entries: StockLedgerEntry[] = answer.body.entries ?? [answer.body.entry];
          const entry = entries.findLast(({ lot }) => lot !== null);
          if (op.do === 'send') {
            const key = `${op.item} ${(op.location + 1) % LOCATIONS} ${op.lot}`;
            const quantity = op.quantity * (op.isInPairs ? 2 : 1);
            model.inTransit.push({ bookingId: entry?.bookingId as string, key, quantity });
            continue;
          }
          model.done.push({ entryId: entry?.id as string, changes, isBack: false });
        }
        await expectModel(workspace, model);
        await workspace.expectConsistent();
      },
    ),
    { numRuns: runs(20, 3), endOnFailure: true, seed: 20261126 },
  );
});

test('at once, movements of lots are refused or done, and the sums hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 60, maxLength: 100, size: 'max' }),
      async (operations) => {
        const workspace = await makeWorkspace();
        let next = 0;
        const caller = async () => {
          for (let op = operations[next++]; op !== undefined; op = operations[next++]) {
            if (op.do === 'reverse') continue;
            if (op.do === 'arrive') {
              await receiveAny(workspace, op);
              continue;
            }
            if (op.do === 'status') {
              await setStatus(workspace, op);
              continue;
            }
            if (op.do === 'ship') await holdSome(workspace, op);
            const answer = await send(workspace, op);
            expect([201, 409], `${JSON.stringify(op)} → ${answer.text}`).toContain(answer.status);
          }
        };
        await Promise.all(Array.from({ length: 8 }, caller));
        await workspace.expectConsistent();
      },
    ),
    { numRuns: runs(10, 2), endOnFailure: true, seed: 20261126 },
  );
});
