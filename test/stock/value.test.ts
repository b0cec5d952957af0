import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { moneyText } from '../../src/money/money.ts';
import { patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { makeCostedWorkspace } from './costed-workspace.ts';
import { asSuperuser, makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const makeCosted = (method: 'fifo' | 'average' = 'fifo') => makeCostedWorkspace(server, method);

describe('with FIFO', () => {
  test('the oldest stock is used first, and what has no known cost is said apart', async () => {
    const { workspace, adjust, value, ask, item } = await makeCosted();
    await adjust(10, '2');
    await adjust(10, '3.5');
    expect(await value()).toMatchObject({ onHand: 20, unknownQuantity: 0, value: '55', currency: 'EUR' });
    await adjust(-12);
    expect(await value()).toMatchObject({ onHand: 8, value: '28', unitValue: '3.5' });
    await adjust(5);
    expect(await value()).toMatchObject({ onHand: 13, unknownQuantity: 5, value: '28' });
    const { items } = await ask(200, 'GET', `/stock/value/${item}/layers`);
    expect(items).toMatchObject([
      { layer: 2, quantity: 8, cost: '28', price: { amount: '3.5', currency: 'EUR' } },
      { layer: 3, quantity: 5, cost: null, price: null },
    ]);
    const csv = await workspace.ask('GET', `/stock/value/export?item=${item}`);
    const [head, row] = csv.text.split('\r\n');
    expect(head).toBe(
      'itemEntityId,itemNumber,itemName,unit,onHand,unknownQuantity,value,unitValue,standardCost,currency',
    );
    expect(row).toMatch(new RegExp(`^${item},.*,13,5,28,3.5,,EUR$`));
    await workspace.expectConsistent();
  });

  test('costs of any size add up', async () => {
    const { workspace, ask, value, item, shelf, other } = await makeCosted();
    const units = { baseUnit: 'pcs', units: [{ unit: 'bit', numerator: 1, denominator: 1_000_000 }] };
    await ask(200, 'PUT', `/stock/units/${item}`, units);
    await ask(200, 'PUT', '/exchange-rates/XTS/EUR/2020-01-01', { rate: '999999999' });
    const receive = (times: number, locationEntityId: string) =>
      ask(201, 'POST', '/stock/adjustments/batch', {
        adjustments: Array.from({ length: times }, () => ({
          itemEntityId: item,
          locationEntityId,
          quantity: 999_999_999,
          unit: 'bit',
          unitCost: { price: '999999999', currency: 'XTS' },
        })),
      });
    for (const location of [shelf, other]) await receive(600, location);
    await receive(600, shelf);
    const each = 999_999_999n ** 3n;
    expect(await value()).toMatchObject({ value: String(1800n * each), unknownQuantity: 0 });
    expect(await ask(200, 'GET', '/stock/value/total')).toMatchObject({ value: String(1800n * each) });
    await workspace.expectConsistent();
  });

  test('stock that was there before has no known cost until it is revalued', async () => {
    const workspace = await makeStockedWorkspace(server);
    const [item, shelf] = [workspace.items[0], workspace.locations[0]];
    await workspace.adjust(item, shelf, 7);
    for (const path of ['/stock/value', '/stock/value/export'])
      expect((await workspace.ask('GET', path)).body.code).toBe('costing_off');
    const settings = (await workspace.ask('GET', '/stock/settings')).body;
    expect(settings.costing).toBeNull();
    await workspace.ask('PUT', '/stock/settings', {
      ...settings,
      costing: { method: 'fifo', currency: 'EUR' },
    });
    const value = async () => (await workspace.ask('GET', `/stock/value?item=${item}`)).body.items[0];
    expect(await value()).toMatchObject({ onHand: 7, unknownQuantity: 7, value: null, unitValue: null });
    const total = async () => (await workspace.ask('GET', '/stock/value/total')).body;
    expect(await total()).toMatchObject({ value: null, items: 1, unknownItems: 1 });
    const csv = await workspace.ask('GET', `/stock/value/export?item=${item}`);
    expect(csv.text).toContain(',7,7,,,,EUR');
    const revalued = await workspace.ask('POST', `/stock/value/${item}/revaluations`, {
      unitCost: { price: '1.5' },
      note: 'Opening',
    });
    expect(revalued.status, revalued.text).toBe(201);
    expect(revalued.body).toMatchObject({
      quantity: 7,
      unknownBefore: 7,
      valueBefore: null,
      valueAfter: '10.5',
      layers: 1,
    });
    expect(await value()).toMatchObject({ onHand: 7, unknownQuantity: 0, value: '10.5' });
    await workspace.adjust(item, shelf, -3);
    expect(await value()).toMatchObject({ onHand: 4, value: '6' });
    expect(await total()).toMatchObject({ value: '6', items: 1, unknownItems: 0 });
    await workspace.adjust(item, shelf, -4);
    expect(await total()).toMatchObject({ value: '0', items: 0, unknownItems: 0 });
    await workspace.expectConsistent();
  });

  test('a transfer keeps layers with their age, and its reversal brings them back', async () => {
    const { workspace, adjust, value, ask, item, shelf, other } = await makeCosted();
    await adjust(4, '1');
    await adjust(10, '5', other);
    await adjust(6, '2');
    const transfer = (quantity: number) =>
      ask(201, 'POST', '/stock/transfers', {
        lines: [{ itemEntityId: item, fromLocationEntityId: shelf, toLocationEntityId: other, quantity }],
      });
    const moved = await transfer(6);
    expect(await value()).toMatchObject({ onHand: 20, value: '66' });
    expect(await value(`below=${other}`)).toMatchObject({ onHand: 16, value: '58' });
    expect(await value(`below=${shelf}`)).toMatchObject({ onHand: 4, value: '8' });
    const [out] = moved.entries;
    await ask(201, 'POST', `/stock/ledger/${out.id}/reversals`, { note: 'Wrong' });
    expect(await value(`below=${other}`)).toMatchObject({ onHand: 10, value: '50' });
    expect(await value(`below=${shelf}`)).toMatchObject({ onHand: 10, value: '16' });
    // Goods that were moved are as old as they were: they are used before what is younger.
    await transfer(4);
    await adjust(-5, undefined, other);
    expect(await value(`below=${other}`)).toMatchObject({ onHand: 9, value: '45' });
    await workspace.expectConsistent();
  });

  test('the value at a past time stays as it was', async () => {
    const { adjust, value, ask, item } = await makeCosted();
    const { entry } = await adjust(10, '2');
    await vi.waitUntil(() => Date.now() > Date.parse(entry.recordedAt) + 1, patience);
    await adjust(-4);
    await ask(201, 'POST', `/stock/value/${item}/revaluations`, { unitCost: { price: '9' } });
    expect(await value()).toMatchObject({ onHand: 6, value: '54' });
    expect(await value(`item=${item}&at=${entry.recordedAt}`)).toMatchObject({ onHand: 10, value: '20' });
    expect(await ask(200, 'GET', `/stock/value/total?at=${entry.recordedAt}`)).toMatchObject({
      value: '20',
      items: 1,
      unknownItems: 0,
      method: 'fifo',
    });
  });

  test('costs in another currency are converted by the rate of the day, and unknown without one', async () => {
    const { ask, item, shelf, value } = await makeCosted();
    const adjust = (price: string, currency: string) =>
      ask(201, 'POST', '/stock/adjustments', {
        itemEntityId: item,
        locationEntityId: shelf,
        quantity: 3,
        unitCost: { price, currency },
      });
    await adjust('10', 'USD');
    expect(await value()).toMatchObject({ onHand: 3, unknownQuantity: 3, value: null });
    await ask(200, 'PUT', '/exchange-rates/USD/EUR/2020-01-01', { rate: '0.9' });
    await adjust('10', 'USD');
    expect(await value()).toMatchObject({ onHand: 6, unknownQuantity: 3, value: '27' });
  });
});

describe('a receipt of a purchase line', () => {
  async function makeOrdered(method: 'fifo' | 'average' = 'fifo') {
    const costed = await makeCosted(method);
    const { ask, item, shelf } = costed;
    const order = (lines: object[]) =>
      ask(201, 'POST', '/orders', {
        type: 'purchaseOrder',
        lines: lines.map((line) => ({
          itemEntityId: item,
          locationEntityId: shelf,
          quantity: 10,
          ...line,
        })),
      });
    return { ...costed, order };
  }

  test('costs what it states, then what its line was ordered at, and is unknown with neither', async () => {
    const { workspace, ask, value, order, item } = await makeOrdered();
    const { id, lines } = await order([{ price: '2', currency: 'EUR' }, {}]);
    const [priced, plain] = lines as [{ id: string }, { id: string }];
    const receive = (line: { id: string }, quantity: number, unitCost?: object) =>
      ask(201, 'POST', `/stock/lines/${line.id}/receipts`, {
        quantity,
        ...(unitCost === undefined ? {} : { unitCost }),
      });
    await receive(priced, 4, { price: '2.75' });
    expect(await value()).toMatchObject({ onHand: 4, value: '11' });
    await receive(priced, 1);
    expect(await value()).toMatchObject({ onHand: 5, value: '13' });
    await receive(plain, 3);
    expect(await value()).toMatchObject({ onHand: 8, value: '13', unknownQuantity: 3 });
    await ask(200, 'PUT', '/exchange-rates/USD/EUR/2020-01-01', { rate: '0.5' });
    const rest = await ask(201, 'POST', `/orders/${id}/receipts`, {
      lines: [
        { lineId: priced.id, quantity: 5, unitCost: { price: '8', currency: 'USD' } },
        { lineId: plain.id, quantity: 7, unitCost: { price: '0' } },
      ],
    });
    expect(rest.state).toBe('Closed');
    expect(await value()).toMatchObject({ onHand: 20, value: '33', unknownQuantity: 3 });
    const { items } = await ask(200, 'GET', `/stock/value/${item}/layers`);
    expect(items.map(({ price }: { price: unknown }) => price)).toEqual([
      { amount: '2.75', currency: 'EUR' },
      { amount: '2', currency: 'EUR' },
      null,
      { amount: '8', currency: 'USD' },
      { amount: '0', currency: 'EUR' },
    ]);
    await workspace.expectConsistent();
  });

  test('in another unit has the cost of that unit, also beyond what was ordered', async () => {
    const { workspace, ask, value, order, item } = await makeOrdered('average');
    const units = { baseUnit: 'pcs', units: [{ unit: 'box', numerator: 4, denominator: 1 }] };
    await ask(200, 'PUT', `/stock/units/${item}`, units);
    const { lines } = await order([{ price: '1', currency: 'EUR', overDeliveryPercent: 60 }]);
    await ask(201, 'POST', `/stock/lines/${lines[0].id}/receipts`, {
      quantity: 4,
      unit: 'box',
      unitCost: { price: '10' },
    });
    expect(await value()).toMatchObject({ onHand: 16, value: '40', unitValue: '2.5' });
    await workspace.expectConsistent();
  });

  test('is refused with a cost where none is kept, and of a manufacturing line', async () => {
    const { workspace, ask, order, item, shelf } = await makeOrdered();
    const unitCost = { price: '1' };
    const made = await ask(201, 'POST', '/stock/lines', {
      type: 'manufacturingOrder',
      itemEntityId: item,
      locationEntityId: shelf,
      quantity: 5,
    });
    for (const dryRun of [true, false]) {
      const built = { quantity: 1, unitCost, dryRun };
      expect(await ask(422, 'POST', `/stock/lines/${made.line.id}/receipts`, built)).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/unitCost' }],
      });
    }
    const { id, lines } = await order([{}, {}]);
    const wrong = { lines: [{ lineId: lines[1].id, quantity: 1, unitCost: { price: '-1' } }] };
    expect(await ask(422, 'POST', `/orders/${id}/receipts`, wrong)).toMatchObject({
      errors: [{ pointer: '/lines/0/unitCost/price' }],
    });
    const plain = await makeStockedWorkspace(server);
    const free = await plain.ask('POST', '/orders', {
      type: 'purchaseOrder',
      lines: [{ itemEntityId: plain.items[0], locationEntityId: plain.locations[0], quantity: 1 }],
    });
    const refused = await plain.ask('POST', `/orders/${free.body.id}/receipts`, {
      lines: [{ lineId: free.body.lines[0].id, quantity: 1, unitCost }],
    });
    expect(refused.body).toMatchObject({
      code: 'costing_off',
      errors: [{ pointer: '/lines/0/unitCost' }],
    });
    await workspace.expectConsistent();
  });
});

describe('with the average', () => {
  test('everything that is known has one cost, and a receipt that is taken back takes its own', async () => {
    const { workspace, adjust, value, ask } = await makeCosted('average');
    await adjust(10, '2');
    const { entry } = await adjust(10, '4');
    await adjust(-5);
    expect(await value()).toMatchObject({ onHand: 15, value: '45', unitValue: '3' });
    await ask(201, 'POST', `/stock/ledger/${entry.id}/reversals`, { quantity: 5, note: 'Wrong' });
    expect(await value()).toMatchObject({ onHand: 10, value: '25' });
    await adjust(10);
    await adjust(-10);
    // Known and unknown costs leave in proportion.
    expect(await value()).toMatchObject({ onHand: 10, unknownQuantity: 5, value: '12.5' });
    await workspace.expectConsistent();
  });

  test('the method can change, and costs go on', async () => {
    const { workspace, adjust, value, keepCosts } = await makeCosted();
    await adjust(10, '2');
    await adjust(10, '4');
    expect((await keepCosts('average')).status).toBe(200);
    await adjust(-10);
    expect(await value()).toMatchObject({ onHand: 10, value: '30' });
    await keepCosts('fifo');
    await adjust(10, '9');
    await adjust(-10);
    expect(await value()).toMatchObject({ onHand: 10, value: '90' });
    expect((await keepCosts('fifo', 'USD')).body.code).toBe('costing_started');
    await workspace.expectConsistent();
  });
});

test('a cost is refused where none is kept, for what leaves, and for what is not there', async () => {
  const plain = await makeStockedWorkspace(server);
  const give = (workspace: StockedWorkspace, quantity: number) =>
    workspace.ask('POST', '/stock/adjustments', {
      itemEntityId: workspace.items[0],
      locationEntityId: workspace.locations[0],
      quantity,
      unitCost: { price: '1' },
    });
  expect((await give(plain, 1)).body).toMatchObject({
    code: 'costing_off',
    errors: [{ pointer: '/unitCost' }],
  });
  const { workspace, item, adjust } = await makeCosted();
  await adjust(5, '1');
  expect((await give(workspace, -1)).body).toMatchObject({ code: 'validation_failed' });
  await adjust(-5);
  const body = { unitCost: { price: '1' } };
  const refused = await workspace.ask('POST', `/stock/value/${item}/revaluations`, body);
  expect(refused.body.code).toBe('nothing_to_revalue');
});

test('what names a line takes its layers wherever they lie among others, however many', async () => {
  const { workspace, ask, adjust, value, item, shelf } = await makeCosted();
  const order = await ask(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    lines: [{ itemEntityId: item, locationEntityId: shelf, quantity: 100 }],
  });
  const [line] = order.lines;
  for (const price of ['5', '6']) {
    await ask(201, 'POST', '/stock/adjustments/batch', {
      adjustments: Array.from({ length: 40 }, () => ({
        itemEntityId: item,
        locationEntityId: shelf,
        quantity: 1,
        unitCost: { price: '1' },
      })),
    });
    await ask(201, 'POST', `/stock/lines/${line.id}/receipts`, { quantity: 50, unitCost: { price } });
  }
  await adjust(1, '1');
  expect(await value()).toMatchObject({ onHand: 181, value: '631' });
  const back = await ask(201, 'POST', `/orders/${order.id}/returns`, {
    lines: [{ lineId: line.id, quantity: 60 }],
    note: 'Wrong ones',
  });
  expect(await value()).toMatchObject({ onHand: 121, value: '321' });
  const [{ id }] = back.entries;
  await ask(201, 'POST', `/stock/ledger/${id}/reversals`, { quantity: 10, note: 'Kept' });
  expect(await value()).toMatchObject({ onHand: 131, value: '381' });
  await workspace.expectConsistent();
});

test.each([
  ['a use', 'update cost_use set cost = cost + 1 where workspace_id = $1'],
  ['a layer', 'update cost_layer set cost = cost + 1 where workspace_id = $1'],
  ['a step', 'update cost_step set value = value + 1 where workspace_id = $1'],
  ['what is left', 'update cost_open set cost = cost + 1 where workspace_id = $1'],
  ['the steps', 'delete from cost_step where workspace_id = $1'],
])('verifying the ledger notices that %s was altered', async (_, sql) => {
  const { workspace, adjust, ask } = await makeCosted();
  await adjust(10, '2');
  await adjust(-4);
  expect(await ask(200, 'GET', '/stock/ledger/verify')).toMatchObject({ ok: true });
  await asSuperuser(server, async (client) => {
    await client.query(sql, [workspace.id]);
  });
  const { ok, problems } = await ask(200, 'GET', '/stock/ledger/verify');
  expect(ok).toBe(false);
  expect(problems[0]).toMatchObject({ kind: 'value' });
});

type Method = 'fifo' | 'average';
interface Part {
  age: number;
  quantity: bigint;
  cost: bigint | null;
  /** The entry that brought it to the location. */
  entry: string;
}

const ONE = 1_000_000n;
const partOf = (cost: bigint, some: bigint, of: bigint) => (2n * cost * some + of) / (2n * of);
const sum = (parts: readonly Part[]) => parts.reduce((total, { quantity }) => total + quantity, 0n);

/** The rules, written apart from the service: a list of parts for each location. */
class Model {
  readonly #method: Method;
  readonly at = new Map<string, Part[]>();
  /** What entries took, and what they brought. */
  readonly taken = new Map<string, Part[]>();
  readonly brought = new Map<string, Part>();
  constructor(method: Method) {
    this.#method = method;
  }
  put(location: string, parts: readonly Part[], entry: string): void {
    const all = [...(this.at.get(location) ?? []), ...parts.map((part) => ({ ...part, entry }))];
    if (this.#method === 'fifo') {
      this.at.set(
        location,
        all.toSorted((a, b) => a.age - b.age),
      );
      return;
    }
    const known = all.filter(({ cost }) => cost !== null);
    const cost = known.reduce((total, part) => total + (part.cost as bigint), 0n);
    const pool = { age: -1, quantity: sum(known), cost, entry: '' };
    const unknown = all.filter((part) => part.cost === null).toSorted((a, b) => a.age - b.age);
    this.at.set(location, known.length === 0 ? unknown : [pool, ...unknown]);
  }
  take(location: string, quantity: bigint, entry: string, reverses?: string): void {
    const all = this.at.get(location) ?? [];
    const taken: Part[] = [];
    let left = quantity;
    const from = (part: Part | undefined, most: bigint, cost?: bigint) => {
      const some = part === undefined || part.quantity < most ? (part?.quantity ?? 0n) : most;
      if (part === undefined || some === 0n) return;
      const own =
        part.cost === null || some === part.quantity
          ? part.cost
          : (cost ?? partOf(part.cost, some, part.quantity));
      taken.push({ ...part, quantity: some, cost: own });
      part.quantity -= some;
      if (part.cost !== null) part.cost -= own as bigint;
      left -= some;
    };
    for (const part of all) if (reverses !== undefined && part.entry === reverses) from(part, left);
    if (this.#method === 'average' && left > 0n) {
      const [pool] = all.filter((part) => part.cost !== null);
      const total = sum(all);
      const own = reverses === undefined ? undefined : this.brought.get(reverses);
      if (pool !== undefined && own !== undefined && own.cost !== null) {
        const share = partOf(own.cost, left, own.quantity);
        from(pool, left, share < (pool.cost as bigint) ? share : (pool.cost as bigint));
      } else from(pool, left >= total ? left : (left * (pool?.quantity ?? 0n)) / total);
      for (const part of all) if (part.cost === null) from(part, left);
    }
    for (const part of all) from(part, left);
    this.taken.set(entry, taken);
    this.at.set(
      location,
      all.filter((part) => part.quantity > 0n),
    );
  }
}

const [amount, place] = [fc.integer({ min: 1, max: 9 }), fc.nat(1)];
const step = fc.oneof(
  fc.record({
    what: fc.constant('in' as const),
    amount,
    place,
    price: fc.option(fc.integer({ min: 0, max: 7 })),
  }),
  fc.record({ what: fc.constant('out' as const), amount, place }),
  fc.record({ what: fc.constant('transfer' as const), amount, place }),
  fc.record({ what: fc.constant('reverse' as const), which: fc.nat(20) }),
);

test.each(['fifo', 'average'] as const)(
  'any sequence is worth what the rules say (%s)',
  { timeout: 600_000 },
  async (method) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const { workspace, ask, value, item, shelf, other } = await makeCosted(method);
        const places = [shelf, other];
        const model = new Model(method);
        const done: {
          id: string;
          undo: (entries: { id: string; locationEntityId: string }[], age: number) => void;
        }[] = [];
        for (const [age, one] of steps.entries()) {
          if (one.what === 'reverse') {
            const [{ id, undo } = {}] = done.splice(one.which % Math.max(1, done.length), 1);
            if (id === undefined || undo === undefined) continue;
            const back = await workspace.ask('POST', `/stock/ledger/${id}/reversals`, { note: 'Wrong' });
            expect([201, 409], back.text).toContain(back.status);
            if (back.status === 201) undo(back.body.entries, age);
            continue;
          }
          const quantity = BigInt(one.amount) * ONE;
          const location = places[one.place] as string;
          if (one.what === 'transfer') {
            const to = places[1 - one.place] as string;
            const lines = [
              {
                itemEntityId: item,
                fromLocationEntityId: location,
                toLocationEntityId: to,
                quantity: one.amount,
              },
            ];
            const moved = await workspace.ask('POST', '/stock/transfers', { lines });
            expect([201, 409], moved.text).toContain(moved.status);
            if (moved.status === 409) continue;
            const [out, into] = moved.body.entries;
            model.take(location, quantity, out.id);
            const parts = model.taken.get(out.id) as Part[];
            model.put(to, parts, into.id);
            if (parts.every(({ cost }) => cost !== null)) {
              const cost = parts.reduce((total, part) => total + (part.cost as bigint), 0n);
              model.brought.set(into.id, { age, quantity, cost, entry: into.id });
            }
            const undo = (entries: { id: string }[]) => {
              const [outOfThere, back] = entries as [{ id: string }, { id: string }];
              model.take(to, quantity, outOfThere.id, into.id);
              model.put(location, model.taken.get(outOfThere.id) as Part[], back.id);
            };
            done.push({ id: out.id, undo });
            continue;
          }
          const sign = one.what === 'in' ? 1 : -1;
          const price = one.what === 'in' ? one.price : null;
          const made = await workspace.ask('POST', '/stock/adjustments', {
            itemEntityId: item,
            locationEntityId: location,
            quantity: sign * one.amount,
            ...(price === null ? {} : { unitCost: { price: String(price) } }),
          });
          expect([201, 409], made.text).toContain(made.status);
          if (made.status === 409) continue;
          const { id } = made.body.entry;
          if (one.what === 'out') {
            model.take(location, quantity, id);
            const undo = (entries: { id: string }[]) =>
              model.put(location, (model.taken.get(id) as Part[]).toReversed(), entries[0]?.id as string);
            done.push({ id, undo });
          } else {
            const cost = price === null ? null : BigInt(price) * quantity;
            const part = { age, quantity, cost, entry: id };
            model.put(location, [part], id);
            if (cost !== null) model.brought.set(id, part);
            done.push({
              id,
              undo: (entries) => model.take(location, quantity, entries[0]?.id as string, id),
            });
          }
        }
        for (const location of places) {
          const parts = model.at.get(location) ?? [];
          const known = parts.filter(({ cost }) => cost !== null);
          const worth = known.reduce((total, { cost }) => total + (cost as bigint), 0n);
          const shown = await value(`below=${location}`);
          if (sum(parts) === 0n) expect(shown).toBeUndefined();
          else
            expect(shown).toMatchObject({
              onHand: Number(sum(parts)) / 1e6,
              unknownQuantity: Number(sum(parts) - sum(known)) / 1e6,
              value: sum(known) === 0n ? null : moneyText(worth),
            });
        }
        await workspace.expectConsistent();
        await ask(200, 'GET', '/stock/value/total');
      }),
      { numRuns: runs(60, 5) },
    );
  },
);
