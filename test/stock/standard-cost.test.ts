import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { runs } from '../setup/tier.ts';
import { makeCostedWorkspace, withRevaluationLimits } from './costed-workspace.ts';
import { asSuperuser } from './stocked-workspace.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function makeCosted(method: 'fifo' | 'average' = 'fifo') {
  const costed = await makeCostedWorkspace(server, method);
  const setStandard = (cost: string | null, item = costed.item) =>
    costed.ask(201, 'POST', `/stock/value/${item}/standards`, { cost });
  const variances = async (item = costed.item) =>
    (await costed.ask(200, 'GET', `/stock/value/${item}/variances?limit=1000`)).items;
  return { ...costed, setStandard, variances };
}

describe.each(['fifo', 'average'] as const)('with %s beside it, a standard cost', (method) => {
  test('is what arrives costs, and the difference to what was paid is listed', async () => {
    const { workspace, adjust, ask, value, setStandard, variances, item, shelf } = await makeCosted(method);
    await adjust(10, '2');
    expect(await setStandard('3')).toMatchObject({
      cost: '3',
      currency: 'EUR',
      revalued: { quantity: 10, valueBefore: '20', valueAfter: '30', unknownBefore: 0 },
    });
    await adjust(4, '3.5');
    await adjust(6);
    await ask(200, 'PUT', '/exchange-rates/USD/EUR/2020-01-01', { rate: '0.5' });
    const line = { itemEntityId: item, locationEntityId: shelf, quantity: 5, price: '5', currency: 'USD' };
    const order = await ask(201, 'POST', '/orders', { type: 'purchaseOrder', lines: [line] });
    await ask(201, 'POST', `/orders/${order.id}/receipts`, {});
    expect(await value()).toMatchObject({ onHand: 25, unknownQuantity: 0, value: '75', standardCost: '3' });
    await adjust(-12);
    expect(await value()).toMatchObject({ onHand: 13, value: '39', unitValue: '3' });
    expect(await variances()).toMatchObject([
      {
        quantity: 5,
        standardCost: '3',
        cost: '15',
        paid: '12.5',
        variance: '-2.5',
        price: { amount: '5', currency: 'USD' },
      },
      { kind: 'unpriced', quantity: 6, cost: '18', paid: null, variance: null, price: null },
      {
        kind: 'priced',
        quantity: 4,
        cost: '12',
        paid: '14',
        variance: '2',
        price: { amount: '3.5', currency: 'EUR' },
      },
    ]);
    const { totals } = await ask(200, 'GET', `/stock/value/${item}/variances`);
    expect(totals).toEqual([
      { kind: 'priced', arrivals: 2, variance: '-0.5', unknownArrivals: 0 },
      { kind: 'unpriced', arrivals: 1, variance: null, unknownArrivals: 1 },
    ]);
    const csv = await workspace.ask('GET', `/stock/value/export?item=${item}`);
    expect(csv.text).toContain(',13,0,39,3,3,EUR');
    await workspace.expectConsistent();
  });

  test('can be set again and removed, and nothing that was recorded changes', async () => {
    const { workspace, adjust, ask, value, setStandard, item } = await makeCosted(method);
    expect(await setStandard('2')).toMatchObject({ revalued: null });
    const { entry } = await adjust(10, '9');
    const { entry: used } = await adjust(-3);
    await setStandard('4');
    expect(await value()).toMatchObject({ onHand: 7, value: '28', standardCost: '4' });
    const refused = await workspace.ask('POST', `/stock/value/${item}/revaluations`, {
      unitCost: { price: '1' },
    });
    expect(refused.body.code).toBe('standard_cost_set');
    // What comes back comes in at the standard, and what is taken back leaves at it.
    await ask(201, 'POST', `/stock/ledger/${used.id}/reversals`, { note: 'Wrong' });
    expect(await value()).toMatchObject({ onHand: 10, value: '40' });
    await ask(201, 'POST', `/stock/ledger/${entry.id}/reversals`, { quantity: 6, note: 'Wrong' });
    expect(await value()).toMatchObject({ onHand: 4, value: '16' });
    expect(await setStandard(null)).toMatchObject({ cost: null, revalued: null });
    await adjust(4, '1');
    expect(await value()).toMatchObject({ onHand: 8, value: '20', standardCost: null });
    const { items } = await ask(200, 'GET', `/stock/value/${item}/standards`);
    expect(items.map(({ cost }: { cost: string | null }) => cost)).toEqual([null, '4', '2']);
    const first = await ask(200, 'GET', `/stock/value/${item}/standards?limit=1`);
    const rest = await ask(200, 'GET', `/stock/value/${item}/standards?cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items]).toEqual(items);
    expect((await ask(200, 'GET', '/audit?subjectType=stockValue')).items[0]).toMatchObject({
      subjectKey: item,
      before: { standardCost: '4' },
      after: { standardCost: null },
    });
    await ask(201, 'POST', `/stock/value/${item}/revaluations`, { unitCost: { price: '1' } });
    await workspace.expectConsistent();
  });

  test('does not follow a transfer, and holds for what a build makes and a customer returns', async () => {
    const { workspace, adjust, ask, value, setStandard, variances, item, shelf, other } =
      await makeCosted(method);
    await setStandard('3');
    await adjust(10, '2');
    const moved = { itemEntityId: item, fromLocationEntityId: shelf, toLocationEntityId: other, quantity: 4 };
    await ask(201, 'POST', '/stock/transfers', { lines: [moved] });
    expect(await value(`below=${other}`)).toMatchObject({ onHand: 4, value: '12' });
    expect(await variances()).toHaveLength(1);
    const made = await ask(201, 'POST', '/stock/lines', {
      type: 'manufacturingOrder',
      itemEntityId: item,
      locationEntityId: shelf,
      quantity: 2,
    });
    await ask(201, 'POST', `/stock/lines/${made.line.id}/receipts`, { quantity: 2 });
    const sold = await ask(201, 'POST', '/orders', {
      type: 'salesOrder',
      lines: [{ itemEntityId: item, locationEntityId: shelf, quantity: 5 }],
    });
    await ask(201, 'POST', `/orders/${sold.id}/shipments`, {});
    await setStandard('5');
    const lines = [{ lineId: sold.lines[0].id, quantity: 2 }];
    await ask(201, 'POST', `/orders/${sold.id}/returns`, { lines });
    expect(await value()).toMatchObject({ onHand: 9, value: '45' });
    expect((await variances())[0]).toMatchObject({ kind: 'returned', cost: '10', paid: '6', variance: '-4' });
    expect((await variances())[1]).toMatchObject({ kind: 'built', quantity: 2, cost: '6' });
    await workspace.expectConsistent();
  });
});

test('a receipt at a new location meanwhile comes in at the standard cost that is set, or is revalued', async () => {
  const { workspace, setStandard, ask, value, item } = await makeCosted();
  const locations = await workspace.addEntities(8, { category: 'location', state: 'Active' });
  await setStandard('1');
  await Promise.all([
    ...locations.map((locationEntityId) =>
      ask(201, 'POST', '/stock/adjustments', {
        itemEntityId: item,
        locationEntityId,
        quantity: 2,
        unitCost: { price: '9' },
      }),
    ),
    setStandard('5'),
    setStandard('5'),
  ]);
  expect(await value()).toMatchObject({ onHand: 16, value: '80' });
  await workspace.expectConsistent();
});

test('a revaluation has a bound of layers, and can be of one of them', async () => {
  const { workspace, adjust, value, item, shelf } = await makeCosted();
  await adjust(10, '2');
  await adjust(20, '3');
  await asSuperuser(server, async (client) => {
    await client.query(
      `insert into cost_open (workspace_id, item_id, location_id, origin_id, layer, entry_id, quantity, cost)
       select $1, $2, $3, $2, 1000 + n, $2, 1, 1 from generate_series(1, 20) n`,
      [workspace.id, item, shelf],
    );
  });
  const revalue = (body: object) => workspace.ask('POST', `/stock/value/${item}/revaluations`, body);
  const unitCost = { price: '4' };
  await withRevaluationLimits({ layersMax: 20 }, async () => {
    expect((await revalue({ unitCost })).body).toMatchObject({ code: 'tree_too_large', limit: 20 });
    const one = await revalue({ unitCost, locationEntityId: shelf, layer: 2 });
    expect(one.body).toMatchObject({ quantity: 20, valueBefore: '60', valueAfter: '80', layers: 1 });
  });
  expect(await value()).toMatchObject({ value: '100' });
  await asSuperuser(server, async (client) => {
    await client.query('delete from cost_open where workspace_id = $1 and layer > 1000', [workspace.id]);
  });
  await workspace.expectConsistent();
});

test.each(['fifo', 'average'] as const)(
  'with %s one revaluation is written in as many steps as its layers need',
  async (method) => {
    const { workspace, adjust, ask, keepCosts, value, item, shelf, other } = await makeCosted();
    await keepCosts(method);
    for (const [quantity, price, location] of [
      [5, '2', shelf],
      [3, undefined, shelf],
      [4, '7', shelf],
      [2, undefined, shelf],
      [1, undefined, shelf],
      [6, '0.333333', other],
      [9, undefined, other],
    ] as const)
      await adjust(quantity, price, location);
    const layers = method === 'fifo' ? 7 : 6;
    await withRevaluationLimits({ layersOfStep: 2 }, async () => {
      const revalue = (price: string) =>
        ask(201, 'POST', `/stock/value/${item}/revaluations`, { unitCost: { price } });
      expect(await revalue('1.111111')).toMatchObject({ quantity: 30, unknownBefore: 15, layers });
      expect(await value()).toMatchObject({ unknownQuantity: 0, value: '33.33333' });
      const [written] = await workspace.transact((tx) =>
        tx.query('select count(distinct id)::int as steps from cost_revaluation where workspace_id = $1', [
          workspace.id,
        ]),
      );
      expect(written).toEqual({ steps: method === 'fifo' ? 4 : 3 });
      await workspace.expectConsistent();
      await adjust(-7);
      await adjust(2);
      await ask(201, 'POST', `/stock/value/${item}/standards`, { cost: '3' });
      expect(await value()).toMatchObject({ onHand: 25, value: '75' });
    });
    await adjust(-1);
    await workspace.expectConsistent();
  },
);

test('a standard cost has the bound of a revaluation, beyond which nothing is set', async () => {
  const { workspace, adjust, ask, item, shelf } = await makeCosted();
  await adjust(1, '2');
  await asSuperuser(server, async (client) => {
    await client.query(
      `insert into cost_open (workspace_id, item_id, location_id, origin_id, layer, entry_id, quantity, cost)
       select $1, $2, $3, $2, 1000 + n, $2, 1, 1 from generate_series(1, 20) n`,
      [workspace.id, item, shelf],
    );
  });
  await withRevaluationLimits({ layersMax: 20 }, async () =>
    expect(await ask(422, 'POST', `/stock/value/${item}/standards`, { cost: '4' })).toMatchObject({
      code: 'tree_too_large',
      limit: 20,
    }),
  );
  expect((await ask(200, 'GET', `/stock/value/${item}/standards`)).items).toEqual([]);
  for (const cost of ['-1', '1e3', 4])
    expect(await ask(422, 'POST', `/stock/value/${item}/standards`, { cost })).toMatchObject({
      errors: [{ pointer: '/cost' }],
    });
});

test.each([
  ['the standard cost', 'update standard_cost set cost = cost + 1 where workspace_id = $1'],
  ['the list of them', 'delete from standard_cost where workspace_id = $1'],
  ['the cost of a layer', 'update cost_layer set standard = standard + 1 where workspace_id = $1'],
  ['that of a step', 'update cost_step set standard_id = null where workspace_id = $1'],
])('verifying the ledger notices that %s was altered', async (_, sql) => {
  const { workspace, adjust, ask, setStandard } = await makeCosted();
  await setStandard('2');
  await adjust(10, '3');
  await adjust(-4);
  expect(await ask(200, 'GET', '/stock/ledger/verify')).toMatchObject({ ok: true });
  await asSuperuser(server, async (client) => {
    await client.query(sql, [workspace.id]);
  });
  const { ok, problems } = await ask(200, 'GET', '/stock/ledger/verify');
  expect(ok).toBe(false);
  expect(problems[0]).toMatchObject({ kind: 'value' });
});

/** The rules, written apart from the service: parts of one location, the oldest first. Amounts are whole. */
interface Part {
  entry: string;
  age: number;
  quantity: number;
  cost: number | null;
}

const amount = fc.integer({ min: 1, max: 9 });
const price = fc.option(fc.integer({ min: 0, max: 7 }));
const step = fc.oneof(
  fc.record({ what: fc.constant('in' as const), amount, price }),
  fc.record({ what: fc.constant('out' as const), amount }),
  fc.record({ what: fc.constant('standard' as const), price }),
  fc.record({ what: fc.constant('reverse' as const), which: fc.nat(20) }),
);

test('any sequence is worth what the rules say, and the variances add up', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const { workspace, value, setStandard, variances, item, shelf } = await makeCosted();
      let parts: Part[] = [];
      let standard: number | null = null;
      const listed: (number | null)[] = [];
      const done: { id: string; amount: number; taken: Part[] | null }[] = [];
      const put = (part: Part) => {
        if (standard !== null)
          listed.push(part.cost === null ? null : (part.cost - standard) * part.quantity);
        parts = [...parts, { ...part, cost: standard ?? part.cost }].toSorted((a, b) => a.age - b.age);
      };
      const take = (quantity: number, isFirst: (part: Part) => boolean) => {
        let left = quantity;
        const taken: Part[] = [];
        for (const part of [...parts.filter(isFirst), ...parts.filter((one) => !isFirst(one))]) {
          const some = Math.min(left, part.quantity);
          if (some > 0) taken.push({ ...part, quantity: some });
          part.quantity -= some;
          left -= some;
        }
        parts = parts.filter((part) => part.quantity > 0);
        return taken;
      };
      for (const [age, one] of steps.entries()) {
        if (one.what === 'standard') {
          await setStandard(one.price === null ? null : String(one.price));
          standard = one.price;
          if (standard !== null) for (const part of parts) part.cost = standard;
        } else if (one.what === 'reverse') {
          const [found] = done.splice(one.which % Math.max(1, done.length), 1);
          if (found === undefined) continue;
          const back = await workspace.ask('POST', `/stock/ledger/${found.id}/reversals`, { note: 'Wrong' });
          expect([201, 409], back.text).toContain(back.status);
          if (back.status !== 201) continue;
          const [{ id }] = back.body.entries;
          if (found.taken === null) take(found.amount, ({ entry }) => entry === found.id);
          else for (const part of found.taken.toReversed()) put({ ...part, entry: id });
        } else {
          const sign = one.what === 'in' ? 1 : -1;
          const stated =
            one.what === 'in' && one.price !== null ? { unitCost: { price: String(one.price) } } : {};
          const made = await workspace.ask('POST', '/stock/adjustments', {
            itemEntityId: item,
            locationEntityId: shelf,
            quantity: sign * one.amount,
            ...stated,
          });
          expect([201, 409], made.text).toContain(made.status);
          if (made.status === 409) continue;
          const { id } = made.body.entry;
          if (one.what === 'out') done.push({ id, amount: one.amount, taken: take(one.amount, () => false) });
          else {
            put({ entry: id, age, quantity: one.amount, cost: one.price });
            done.push({ id, amount: one.amount, taken: null });
          }
        }
      }
      const onHand = parts.reduce((sum, { quantity }) => sum + quantity, 0);
      const known = parts.filter(({ cost }) => cost !== null);
      const worth = known.reduce((sum, { quantity, cost }) => sum + quantity * (cost as number), 0);
      const unknown = onHand - known.reduce((sum, { quantity }) => sum + quantity, 0);
      const shown = await value();
      if (onHand === 0) expect(shown).toBeUndefined();
      else
        expect(shown).toMatchObject({
          onHand,
          unknownQuantity: unknown,
          value: unknown === onHand ? null : String(worth),
        });
      const found: (string | null)[] = (await variances()).map(
        (one: { variance: string | null }) => one.variance,
      );
      expect(found.map((one) => (one === null ? null : Number(one))).toSorted()).toEqual(listed.toSorted());
      await workspace.expectConsistent();
    }),
    { numRuns: runs(40, 5) },
  );
});
