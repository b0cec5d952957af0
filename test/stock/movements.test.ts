/** Random movements of all types against a model that is written down independently of the service. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../../src/actor.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { AppError } from '../../src/errors.ts';
import { Slices } from '../../src/fairness/slices.ts';
import { decimalOf, microOfDecimal, microOfNumber, numberOf } from '../../src/quantity.ts';
import { deltasOf, type Movement, movementTypes } from '../../src/stock/entries/movement.ts';
import { MovementDecisions, type Outcome } from '../../src/stock/movements/decide-movements.ts';
import { recordMovements } from '../../src/stock/movements/record-movements.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let workspace: StockedWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeStockedWorkspace(server, { items: 2, locations: 2 });
});
afterAll(() => server.close());

interface Step {
  type: Movement['type'];
  item: number;
  location: number;
  /** Millionths; the model counts in whole numbers that a double holds exactly. */
  amount: number;
  reservedShare: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  // Movements that concern a lot alone have tests of their own.
  type: fc.constantFrom(...movementTypes.filter((type) => type !== 'LotStatus' && type !== 'LotHold')),
  item: fc.nat({ max: 1 }),
  location: fc.nat({ max: 1 }),
  amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 20_000_000 })),
  reservedShare: fc.constantFrom(0, 0.5, 1),
});
const requests = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), negative: fc.boolean() }),
  { minLength: 1, maxLength: 25 },
);

interface Figures {
  onHand: number;
  reserved: number;
  onOrder: number;
}

/** The table of contract §4.2, in plain numbers. Null: refused. */
function modelStep(f: Figures, { type, amount: q }: Step, negative: boolean, r: number): Figures | null {
  const free = f.onHand - f.reserved;
  const next = { ...f };
  if (type === 'Adjustment') next.onHand += negative ? -q : q;
  if (type === 'POReceipt' || type === 'MOReceipt') {
    next.onHand += q;
    next.onOrder -= q;
  }
  if (type === 'SOReservation' || type === 'MRReservation') {
    if (free < q) return null;
    next.reserved += q;
  }
  if (type === 'SORelease' || type === 'MRRelease') next.reserved -= q;
  if (type === 'SOShipment') {
    if (q > r && free < q - r) return null;
    next.onHand -= q;
    next.reserved -= r;
  }
  if (type === 'OnOrderAdd') next.onOrder += q;
  if (type === 'OnOrderRelease') next.onOrder -= q;
  if (type === 'MRIssue') {
    next.onHand -= q;
    next.reserved -= q;
  }
  if (type === 'TransferIn' || type === 'SOReturn') next.onHand += q;
  if (type === 'TransferOut' || type === 'POReturn') {
    if (free < q) return null;
    next.onHand -= q;
  }
  return next.onHand < 0 || next.reserved < 0 || next.onOrder < 0 ? null : next;
}

function movementOf(s: Step, negative: boolean, items: string[], locations: string[]): Movement {
  return {
    type: s.type,
    itemId: items[s.item] as string,
    locationId: locations[s.location] as string,
    amount: BigInt(s.type === 'Adjustment' && negative ? -s.amount : s.amount),
    ...(s.type === 'SOShipment' ? { reservedAmount: BigInt(shareOf(s)) } : {}),
  };
}
const shareOf = (s: Step) => Math.floor(s.amount * s.reservedShare);

/** Something to take from, or random removals would only ever be refused. */
const opening: { steps: Step[]; negative: boolean } = {
  steps: [0, 1].flatMap((item) =>
    [0, 1].flatMap((location) =>
      (['Adjustment', 'OnOrderAdd', 'SOReservation'] as const).map((type) => ({
        type,
        item,
        location,
        amount: type === 'SOReservation' ? 10_000_000 : 50_000_000,
        reservedShare: 0,
      })),
    ),
  ),
  negative: false,
};

class Model {
  readonly figures = new Map<string, Figures>();
  entries = 0;

  /** Whether the request is made; then all of it is. */
  apply(steps: Step[], negative: boolean): boolean {
    const staged = new Map<string, Figures>();
    for (const s of steps) {
      const key = `${s.item} ${s.location}`;
      const before = staged.get(key) ?? this.figures.get(key) ?? { onHand: 0, reserved: 0, onOrder: 0 };
      const after = modelStep(before, s, negative, s.type === 'SOShipment' ? shareOf(s) : 0);
      if (after === null) return false;
      staged.set(key, after);
    }
    for (const [key, after] of staged) this.figures.set(key, after);
    this.entries += steps.length;
    return true;
  }
}

test('groups of requests are decided as one after the other', async () => {
  const items = ['i0', 'i1'];
  const locations = ['l0', 'l1'];
  await fc.assert(
    fc.asyncProperty(requests, async (random) => {
      const wanted = [opening, ...random];
      const model = new Model();
      const verdicts = wanted.map(({ steps, negative }) => model.apply(steps, negative));
      const decided = new MovementDecisions('w', new Map(), 1_763_600_000_000_000n);
      const slices = new Slices();
      const outcomes: Outcome[] = [];
      for (const { steps, negative } of wanted) {
        const movements = steps.map((s) => movementOf(s, negative, items, locations));
        outcomes.push(await decided.decide({ actorId: 'a', movements }, slices));
      }
      expect(outcomes.map((outcome) => outcome.refusals === null)).toEqual(verdicts);
      expect(decided.entries).toHaveLength(model.entries);
      for (const position of decided.changed.values()) {
        const key = `${position.itemId.slice(1)} ${position.locationId.slice(1)}`;
        expect({
          onHand: Number(position.onHand),
          reserved: Number(position.reserved),
          onOrder: Number(position.onOrder),
        }).toEqual(model.figures.get(key));
      }
      const ids = decided.entries.map((entry) => entry.id);
      expect(ids.toSorted()).toEqual(ids);
    }),
    { numRuns: 300 },
  );
});

test('what is recorded is what the model says, and every refusal leaves everything as it was', async () => {
  const scope = { workspaceId: workspace.id };
  const model = new Model();
  await fc.assert(
    fc.asyncProperty(requests, async (random) => {
      for (const { steps, negative } of [opening, ...random]) {
        const movements = steps.map((s) => movementOf(s, negative, workspace.items, workspace.locations));
        const expected = model.apply(steps, negative);
        try {
          const entries = await inTransaction(server.ctx.db, scope, (tx) =>
            recordMovements(tx, OPERATOR, movements),
          );
          expect(expected).toBe(true);
          expect(entries.map((entry) => entry.quantity)).toEqual(
            movements.map((movement) => deltasOf(movement).quantity),
          );
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).toBe('insufficient_stock');
          expect(expected).toBe(false);
        }
      }
      const rows = await workspace.transact((tx) =>
        tx.query<{
          item_id: string;
          location_id: string;
          on_hand: string;
          reserved: string;
          on_order: string;
        }>(
          'select item_id, location_id, on_hand, reserved, on_order from stock_position where workspace_id = $1',
          [workspace.id],
        ),
      );
      expect(rows).toHaveLength(model.figures.size);
      for (const row of rows) {
        const key = `${workspace.items.indexOf(row.item_id)} ${workspace.locations.indexOf(row.location_id)}`;
        expect({
          onHand: Number(microOfDecimal(row.on_hand)),
          reserved: Number(microOfDecimal(row.reserved)),
          onOrder: Number(microOfDecimal(row.on_order)),
        }).toEqual(model.figures.get(key));
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(model.entries).toBeGreaterThan(150);
  await workspace.expectConsistent();
  const { body } = await workspace.ask('GET', `/stock/ledger/by-item/${workspace.items[0]}?limit=1`);
  expect(body.items[0].actor).toEqual(OPERATOR);
});

test('a quantity survives the way from JSON to the table and back', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (micro) => {
      const number = numberOf(micro);
      expect(microOfNumber(JSON.parse(JSON.stringify(number)))).toBe(micro);
      expect(microOfDecimal(decimalOf(micro))).toBe(micro);
    }),
  );
  for (const tooFine of [
    0.1 + 0.2,
    1.0000001,
    1e-7,
    1e21,
    123456789.1234567,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ]) {
    expect(microOfNumber(tooFine)).toBeNull();
  }
});
