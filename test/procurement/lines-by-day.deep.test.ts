// Lines as a buyer works through them: by the day on which they are required, with whom they are from.
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { directionOf } from '../../src/http/list.ts';
import { selectLinePage, selectLinesByDay } from '../../src/procurement/records/line-pages.sql.ts';
import { selectOpenOrders } from '../../src/procurement/records/orders.sql.ts';
import type { Order, StockLine } from '../../web/client/operations.ts';
import type { PlanNode } from '../plans/recording-postgres.ts';
import { nodesOf, rowsThrough } from '../plans/rows-through.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let nut: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [bolt, nut] = workspace.items as [string, string];
  [shelf] = workspace.locations as [string];
});

const line = (requiredBy?: string, more: object = {}) => ({
  itemEntityId: bolt,
  locationEntityId: shelf,
  quantity: 10,
  requiredBy,
  ...more,
});
const order = (supplier: string | null, ...lines: object[]) =>
  workspace.must(201, 'POST', '/orders', { type: 'purchaseOrder', supplier, lines });

/** So many lines of the nut, every other one of them with a day of 2025. */
const fill = (orderId: string, count: number, state: string) =>
  workspace.transact(async (tx) => {
    const ids = Array.from({ length: count }, newId);
    await tx.query(
      `insert into entity (workspace_id, id, version_id, name, category, state, revised_by)
       select $1, id, gen_random_uuid(), 'Old', 'purchaseOrderLine', $3, $1 from unnest($2::uuid[]) as given (id)`,
      [tx.workspaceId, ids, state],
    );
    await tx.query(
      `insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, quantity, required_by)
       select $1, id, 'purchaseOrder', $3, $4, $5, 1, case when n % 2 = 0 then date '2025-01-01' + (n / 1000)::int end
       from unnest($2::uuid[]) with ordinality as given (id, n)`,
      [tx.workspaceId, ids, orderId, nut, shelf],
    );
  });

/** All that fit, a page after the other, however short the pages are. */
async function listed(query: string, limit = 2): Promise<StockLine[]> {
  const all: StockLine[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await workspace.must(200, 'GET', `/stock/lines?limit=${limit}&${query}${at}`);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

test('lines come by the day that they are required, those without one last, in either direction', async () => {
  const made = await order(
    'DigiKey',
    line('2026-12-20'),
    line(),
    line('2026-12-01'),
    line('2026-12-20', { itemEntityId: nut }),
    line('2026-12-10'),
    line(undefined, { itemEntityId: nut }),
  );
  const [a, b, c, d, e, f] = made.lines.map(({ id }: StockLine) => id);
  const ids = async (query: string, limit?: number) => (await listed(query, limit)).map(({ id }) => id);
  for (const limit of [1, 2, 3, 4, 6, 100]) {
    expect(await ids('sort=requiredBy', limit)).toEqual([c, e, a, d, b, f]);
    expect(await ids('sort=requiredBy&order=desc', limit)).toEqual([d, a, e, c, f, b]);
    // Sorted among few, which a state, an item or an order leaves.
    expect(await ids('sort=requiredBy&state=Ordered', limit)).toEqual([c, e, a, d, b, f]);
    expect(await ids('sort=requiredBy&state=Ordered&order=desc', limit)).toEqual([d, a, e, c, f, b]);
  }
  expect(await ids(`sort=requiredBy&itemEntityId=${nut}`, 1)).toEqual([d, f]);
  expect(await ids(`sort=requiredBy&orderId=${made.id}&itemEntityId=${bolt}`, 1)).toEqual([c, e, a, b]);
  expect(await ids('sort=requiredBy&type=purchaseOrder&supplier=digikey', 4)).toEqual([c, e, a, d, b, f]);
  expect(await ids('sort=requiredBy&supplier=nobody')).toEqual([]);
  expect(await ids('sort=requiredBy&type=salesOrder')).toEqual([]);
  expect(await ids('sort=requiredBy&requiredFrom=2026-12-10')).toEqual([e, a, d]);
  expect(await ids('sort=requiredBy&order=desc&requiredBefore=2026-12-20&state=Ordered')).toEqual([e, c]);
  expect(await ids('order=desc')).toEqual([f, e, d, c, b, a]);
  expect(await ids('order=desc&state=Ordered')).toEqual([f, e, d, c, b, a]);
  expect(await ids(`order=desc&itemEntityId=${nut}`, 1)).toEqual([f, d]);
  expect(await ids('order=desc&supplier=digikey&requiredFrom=2026-12-02', 1)).toEqual([e, d, a]);
  // The last page says that it is, where there is no line without a day.
  await workspace.act(b, 'cancel');
  const all = await workspace.must(
    200,
    'GET',
    '/stock/lines?sort=requiredBy&limit=4&requiredFrom=2026-01-01',
  );
  expect([all.items.length, all.nextCursor]).toEqual([4, null]);
});

test('a line is found by its day behind thousands that are not of that kind, by looks of a bounded length', async () => {
  const first = await order(null, line('2026-12-20'), line());
  await fill(first.id, 10_400, 'Ordered');
  const other = await order('DigiKey', line('2025-01-02'), line('2026-12-24'), line());
  const own = new Set<string>([...first.lines, ...other.lines].map(({ id }: StockLine) => id));
  const days = async (query: string) =>
    (await listed(query, 1000)).map((one) => [own.has(one.id), one.requiredBy]);
  const found = (await days('sort=requiredBy')).filter(([isOwn]) => isOwn);
  expect(found.map(([, day]) => day)).toEqual(['2025-01-02', '2026-12-20', '2026-12-24', null, null]);
  for (const query of ['', '&state=Ordered', `&itemEntityId=${nut}`]) {
    for (const direction of ['asc', 'desc']) {
      const all = await days(`sort=requiredBy&order=${direction}${query}`);
      expect(all.length).toBe(query.startsWith('&item') ? 10_400 : 10_405);
      const dated = all.flatMap(([, day]) => (day === null ? [] : [String(day)]));
      expect(all.slice(dated.length).every(([, day]) => day === null)).toBe(true);
      expect(dated).toEqual(direction === 'asc' ? dated.toSorted() : dated.toSorted().toReversed());
    }
  }
  // Whichever way round, an index has the lines of days in their order: nothing is read and sorted for a page.
  for (const direction of [directionOf('asc'), directionOf('desc')]) {
    const plan = await workspace.transact(async (tx) =>
      tx.query<Record<string, string>>(`explain ${selectLinesByDay('dated', direction)}`, [
        ...[tx.workspaceId, newId(), 101, ['purchaseOrder'], null, null, null, ['purchaseOrderLine']],
        ...[null, null, null, null, '2025-01-02', 101],
      ]),
    );
    const steps = plan.map((row) => String(Object.values(row)[0]));
    const index = `Index Scan ${direction.order === 'asc' ? '' : 'Backward '}using stock_line_required`;
    expect(steps.filter((step) => step.includes(index))).toHaveLength(1);
    expect(steps.filter((step) => step.includes('Seq Scan on stock_line'))).toEqual([]);
  }
  const rare = await listed('sort=requiredBy&supplier=digikey&state=Ordered', 2);
  expect(rare.map(({ requiredBy }) => requiredBy)).toEqual(['2025-01-02', '2026-12-24', null]);
  const desc = await listed('sort=requiredBy&supplier=digikey&order=desc', 2);
  expect(desc.map(({ requiredBy }) => requiredBy)).toEqual(['2026-12-24', '2025-01-02', null]);
});

test('what is still open, and what of it is overdue, is found in front of thousands that are done with', async () => {
  const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const [yesterday, tomorrow] = [dayFromNow(-1), dayFromNow(1)];
  const made = await order(
    'DigiKey',
    line('2020-01-01'),
    line('2020-01-01'),
    line('2020-01-01', { itemEntityId: nut }),
    line(yesterday, { state: 'Draft' }),
    line(tomorrow),
    line(),
  );
  const [came, cancelled, partly, draft, toCome, some] = made.lines.map(({ id }: StockLine) => id);
  const sold = await workspace.must(201, 'POST', '/stock/lines', {
    ...line('2020-01-02', { quantity: 1, state: 'Draft' }),
    type: 'salesOrder',
  });
  await workspace.act(came, 'receipts', { quantity: 10 });
  await workspace.act(cancelled, 'cancel');
  await workspace.act(partly, 'receipts', { quantity: 9.999999 });
  const sale = sold.line.id;
  const names = new Map(
    Object.entries({ came, cancelled, partly, draft, toCome, some, sale }).map(([name, id]) => [id, name]),
  );
  const found = async (query: string, limit?: number) =>
    (await listed(query, limit)).map(({ id }) => names.get(id));
  const expectThem = async () => {
    for (const limit of [1, 3, 100]) {
      expect(await found('open=true', limit)).toEqual(['partly', 'draft', 'toCome', 'some', 'sale']);
      expect(await found('overdue=true', limit)).toEqual(['partly', 'draft', 'sale']);
      expect(await found('overdue=true&sort=requiredBy', limit)).toEqual(['partly', 'sale', 'draft']);
    }
    expect(await found('open=true&order=desc')).toEqual(['sale', 'some', 'toCome', 'draft', 'partly']);
    expect(await found('open=true&sort=requiredBy')).toEqual(['partly', 'sale', 'draft', 'toCome', 'some']);
    expect(await found('open=true&sort=requiredBy&order=desc')).toEqual([
      ...['toCome', 'draft', 'sale', 'partly', 'some'],
    ]);
    expect(await found('open=true&type=salesOrder')).toEqual(['sale']);
    expect(await found('open=true&state=Draft')).toEqual(['draft', 'sale']);
    expect(await found('open=true&state=Received')).toEqual([]);
    expect(await found(`open=true&itemEntityId=${nut}&supplier=digikey`)).toEqual(['partly']);
    expect(await found(`overdue=true&orderId=${made.id}&sort=requiredBy`)).toEqual(['partly', 'draft']);
    // Of two days the earlier one counts.
    expect(await found('overdue=true&requiredBefore=2020-01-02')).toEqual(['partly']);
    expect(await found('overdue=true&requiredBefore=2999-01-01')).toEqual(['partly', 'draft', 'sale']);
    expect(await found('overdue=true&requiredFrom=2020-01-02')).toEqual(['draft', 'sale']);
  };
  await expectThem();
  expect((await listed('open=false&overdue=false')).length).toBe(7);
  expect((await workspace.ask('GET', '/stock/lines?open=yes')).body.code).toBe('validation_failed');
  await fill(made.id, 10_400, 'Received');
  await expectThem();
  // Of all those lines none is looked at that is done with.
  const path = { owner: null, state: false, open: true, window: true } as const;
  const [plan] = await workspace.transact(async (tx) => {
    return tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${selectLinePage(path, directionOf('asc'))}`,
      [
        ...[
          tx.workspaceId,
          null,
          101,
          ['purchaseOrder', 'salesOrder', 'manufacturingOrder'],
          null,
          null,
          null,
        ],
        ...[
          ['purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine'],
          null,
          yesterday,
          null,
          null,
          5000,
        ],
      ],
    );
  });
  const root = plan?.['QUERY PLAN'][0].Plan as PlanNode;
  expect(rowsThrough(root), nodesOf(root).join('\n')).toBeLessThan(1000);
  // Nor where orders are looked for by them: a page has them all.
  const overdue = await workspace.must(200, 'GET', '/orders?overdue=true');
  expect([overdue.items.map(({ id }: Order) => id), overdue.nextCursor]).toEqual([
    [made.id, sold.line.orderId],
    null,
  ]);
  const [ofOrders] = await workspace.transact(async (tx) => {
    const behaviours = ['purchaseOrderLine', 'salesOrderLine', 'manufacturingOrderLine'];
    const values = [tx.workspaceId, behaviours, 1001];
    return tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${selectOpenOrders}`,
      values,
    );
  });
  const orders = ofOrders?.['QUERY PLAN'][0].Plan as PlanNode;
  expect(rowsThrough(orders), nodesOf(orders).join('\n')).toBeLessThan(1000);
});

test('what is open is found page by page where more is than is sorted', async () => {
  const [first] = (await order(null, line('2020-01-01'))).lines;
  await fill(first.orderId, 5200, 'Ordered');
  const last = (await order(null, line('2020-01-02'))).lines[0];
  const days = async (query: string) =>
    (await listed(query, 1000)).map(({ id, requiredBy }) => [id, requiredBy]);
  const overdue = await days('overdue=true&sort=requiredBy');
  expect([overdue.length, overdue[0], overdue[1]]).toEqual([
    2602,
    [first.id, '2020-01-01'],
    [last.id, '2020-01-02'],
  ]);
  const all = await days('open=true&sort=requiredBy');
  expect(all.slice(0, 2602)).toEqual(overdue);
  expect([all.length, new Set(all.map(([id]) => id)).size, all.at(-1)?.[1]]).toEqual([5202, 5202, null]);
});

test.each(['asc', 'desc'])(
  'what is few enough to be sorted by the next page goes on where it was, %s',
  async (order_) => {
    const [first] = (await order(null, line('2020-01-01'))).lines;
    await fill(first.orderId, 5200, 'Ordered');
    const page = async (cursor: string | null) => {
      const query = `open=true&sort=requiredBy&order=${order_}&limit=1000${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      return workspace.must(200, 'GET', `/stock/lines?${query}`);
    };
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor } = await page(cursor);
      seen.push(...items.map(({ id }: StockLine) => id));
      cursor = nextCursor;
      // All with a day have been shown: now 300 of those without one are received.
      if (seen.length === 2601) {
        await workspace.transact((tx) =>
          tx.query(
            `update entity set state = 'Received' where workspace_id = $1 and id in (
             select id from stock_line where workspace_id = $1 and required_by is null limit 300)`,
            [tx.workspaceId],
          ),
        );
      }
    } while (cursor !== null);
    expect([seen.length, new Set(seen).size]).toEqual([4901, 4901]);
  },
);

test('a cursor of another order, and one that somebody forged, are refused', async () => {
  await order(null, line('2026-12-01'), line('2026-12-02'));
  const { nextCursor } = await workspace.must(200, 'GET', '/stock/lines?sort=requiredBy&limit=1');
  const seal = (payload: string) => {
    const bytes = Buffer.from(payload);
    const check = createHash('sha256').update('cursor stock-lines by day\n').update(bytes).digest();
    return Buffer.concat([check.subarray(0, 6), bytes]).toString('base64url');
  };
  const id = '0199d0f0-0000-7000-8000-000000000001';
  const refused = [
    `cursor=${nextCursor}`,
    `order=desc&sort=requiredBy&cursor=${nextCursor}`,
    ...[
      `["0000-01-01","${id}"]`,
      `["2026-02-30","${id}"]`,
      `["x\\u0000","${id}"]`,
      `["${id}"]`,
      `"${id}"`,
    ].map((payload) => `sort=requiredBy&cursor=${seal(payload)}`),
  ];
  for (const query of refused) {
    const { status, body } = await workspace.ask('GET', `/stock/lines?${query}`);
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_cursor']);
  }
  for (const key of [`["2026-12-01","${id}"]`, `[null,"${id}"]`, '[null,null]', '["9999-12-31",null]'])
    await workspace.must(200, 'GET', `/stock/lines?sort=requiredBy&cursor=${seal(key)}`);
});

test('a line says from whom its order is, wherever it is shown', async () => {
  const made = await order('DigiKey', line());
  const [first] = made.lines;
  expect(first.supplier).toBe('DigiKey');
  const added = await workspace.must(201, 'POST', `/orders/${made.id}/lines`, { lines: [line()] });
  expect(added.lines[0].supplier).toBe('DigiKey');
  const one = await workspace.must(201, 'POST', '/stock/lines', {
    ...line(),
    type: 'purchaseOrder',
    orderId: made.id,
  });
  expect(one.line.supplier).toBe('DigiKey');
  expect((await workspace.act(first.id, 'receipts', { quantity: 1 })).body.line.supplier).toBe('DigiKey');
  await workspace.must(200, 'PATCH', `/orders/${made.id}`, { supplier: 'Mouser' });
  expect((await listed('')).map(({ supplier }) => supplier)).toEqual(['Mouser', 'Mouser', 'Mouser']);
  const read = await workspace.must(200, 'GET', `/stock/lines/${first.id}`);
  expect(read.supplier).toBe('Mouser');
  // What was read can be sent back.
  await workspace.must(200, 'PATCH', `/stock/lines/${first.id}`, { ...read, quantity: 12 });
  const refused = await workspace.ask('PATCH', `/stock/lines/${first.id}`, { supplier: 'DigiKey' });
  expect(refused.body).toMatchObject({ code: 'read_only_field', errors: [{ pointer: '/supplier' }] });
  expect((await order(null, line())).lines[0].supplier).toBeNull();
});

test('whoever opens an order names its supplier, of a requirement and of a line too', async () => {
  const need = (requiredQty: number) =>
    workspace.must(201, 'POST', '/requirements', {
      projectId: workspace.project,
      itemEntityId: bolt,
      requiredQty,
      requiredBy: '2026-12-24',
    });
  const { id } = await need(10);
  const goods = { locationEntityId: shelf, quantity: 4 };
  const ordered = await workspace.must(201, 'POST', `/requirements/${id}/orders`, {
    ...goods,
    supplier: ' Digi  Key ',
  });
  expect(ordered.line).toMatchObject({ supplier: 'Digi Key', requiredBy: '2026-12-24' });
  const { orderId } = ordered.line;
  expect((await workspace.must(200, 'GET', `/orders/${orderId}`)).supplier).toBe('Digi Key');
  // By a reference it is made apart from others.
  const [place, part] = [randomUUID(), randomUUID()];
  const synced = await workspace.ask('POST', '/pdm/sync', {
    entities: [
      { guid: place, number: 'SHELF-G', name: 'Shelf', categoryKey: 'location', parentGuid: null },
      { guid: part, number: 'BOLT-G', name: 'Bolt', categoryKey: 'part', parentGuid: null },
    ],
  });
  expect(synced.body, synced.text).toMatchObject({ counts: { created: 2 } });
  const apart = await workspace.must(201, 'POST', `/requirements/${id}/orders`, {
    ...goods,
    locationEntityId: `guid:${place}`,
    supplier: 'Mouser',
  });
  expect(apart.line.supplier).toBe('Mouser');
  const byLine = (more: object) =>
    workspace.ask('POST', '/stock/lines', {
      ...line(),
      type: 'purchaseOrder',
      supplier: 'Zellwerk',
      ...more,
    });
  for (const more of [{}, { itemEntityId: `guid:${part}` }])
    expect((await byLine(more)).body.line.supplier).toBe('Zellwerk');
  expect((await workspace.must(200, 'GET', '/suppliers')).items).toMatchObject([
    { name: 'Digi Key' },
    { name: 'Mouser' },
    { name: 'Zellwerk' },
  ]);
  // One that is there keeps its own, and what is no purchase order has none.
  const onto = await workspace.ask('POST', `/requirements/${id}/orders`, {
    ...goods,
    orderId,
    supplier: 'Mouser',
  });
  expect(onto.body).toMatchObject({ status: 422, errors: [{ pointer: '/supplier' }] });
  expect(onto.body.errors[0].message).toContain('PATCH /orders/{id}');
  for (const more of [{ orderId }, { type: 'manufacturingOrder' }, { supplier: ' ' }])
    expect((await byLine(more)).body).toMatchObject({ status: 422, errors: [{ pointer: '/supplier' }] });
  const joined = await workspace.must(201, 'POST', `/requirements/${id}/orders`, {
    ...goods,
    quantity: 2,
    orderId,
  });
  expect(joined.line.supplier).toBe('Digi Key');
});
