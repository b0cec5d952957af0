import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { directionOf } from '../../src/http/list.ts';
import { selectPositionsOfLines } from '../../src/procurement/features/cascade.sql.ts';
import { selectLines } from '../../src/procurement/records/lines.sql.ts';
import {
  selectHeld,
  selectHeldByLocation,
  selectQuantitiesOfProject,
  selectRequirementPage,
  selectRequirements,
} from '../../src/procurement/records/requirements.sql.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../src/stock/entries/ledger-entry.ts';
import { movementTypes } from '../../src/stock/entries/movement.ts';
import { selectLedgerPage } from '../../src/stock/ledger/ledger.sql.ts';
import {
  selectAllPositions,
  selectPositions,
  selectPositionsAsOf,
  selectStockedPositions,
} from '../../src/stock/positions/positions.sql.ts';
import { countStockRows } from '../../src/stock/positions/totals.sql.ts';
import { selectDeliveries } from '../../src/webhooks/webhook.sql.ts';
import { startTestServer, type TestAnswer, type TestServer } from '../setup/server.ts';
import { asSuperuser, fillLines, makeStockedWorkspace, type StockedWorkspace } from './stocked-workspace.ts';

let server: TestServer;
let workspace: StockedWorkspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeStockedWorkspace(server, { items: 25, locations: 25 });
});
afterAll(() => server.close());

/** All pages of a list, each of at most `limit` items. */
async function pages(path: string, limit: number): Promise<TestAnswer['body'][][]> {
  const all: TestAnswer['body'][][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body, text } = await workspace.ask(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}${query}`,
    );
    if (status !== 200) throw new Error(text);
    all.push(body.items);
    cursor = body.nextCursor;
  }
  return all;
}

test('positions are paged by item and by location', async () => {
  const [item] = workspace.items;
  const [location] = workspace.locations;
  await workspace.ask('POST', '/stock/adjustments/batch', {
    adjustments: [
      ...workspace.locations.map((locationEntityId) => ({
        itemEntityId: item,
        locationEntityId,
        quantity: 1,
      })),
      ...workspace.items.map((itemEntityId) => ({ itemEntityId, locationEntityId: location, quantity: 2 })),
    ],
  });
  const byItem = await pages(`/stock/positions/by-item/${item}`, 10);
  expect(byItem.map((page) => page.length)).toEqual([10, 10, 5]);
  expect(byItem.flat().map((position) => position.locationEntityId)).toEqual(workspace.locations.toSorted());
  const byLocation = await pages(`/stock/positions/by-location/${location}`, 25);
  expect(byLocation.map((page) => page.length)).toEqual([25]);
  expect(byLocation.flat().map((position) => position.itemEntityId)).toEqual(workspace.items.toSorted());
  const foreign = await workspace.ask('GET', `/stock/positions/by-item/${item}?limit=10`);
  const misused = `/stock/positions/by-location/${location}?cursor=${foreign.body.nextCursor}`;
  expect((await workspace.ask('GET', misused)).body.code).toBe('invalid_cursor');
});

test('the ledger is newest first, or oldest first, by type and by time', async () => {
  const [, item] = workspace.items;
  const [, a, b] = workspace.locations;
  const recorded: string[] = [];
  for (let i = 0; i < 12; i++) {
    const made = await workspace.adjust(item, i % 2 === 0 ? a : b, i + 1);
    recorded.push(made.body.entry.recordedAt);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const path = `/stock/ledger/by-item/${item}`;
  const quantities = async (query: string, limit = 5) =>
    (await pages(`${path}${query}`, limit)).flat().map((entry) => entry.quantity);
  const newest = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 2];
  expect(await quantities('')).toEqual(newest);
  expect(await quantities('?order=asc')).toEqual(newest.toReversed());
  expect(await quantities('?movementType=Adjustment')).toEqual(newest);
  expect(await quantities('?movementType=POReceipt')).toEqual([]);
  expect(await quantities(`?from=${recorded[3]}&to=${recorded[6]}`)).toEqual([6, 5, 4]);
  expect(await quantities(`?from=${recorded[3]}&to=${recorded[6]}&order=asc`, 2)).toEqual([4, 5, 6]);
  const byLocation = await pages(`/stock/ledger/by-location/${a}`, 100);
  expect(byLocation.flat().filter((entry) => entry.itemEntityId === item)).toHaveLength(6);
  expect((await workspace.ask('GET', `${path}?order=up`)).status).toBe(422);
  expect((await workspace.ask('GET', `${path}?movementType=Theft`)).status).toBe(422);
  expect((await workspace.ask('GET', `${path}?from=yesterday`)).status).toBe(422);
});

test('asOf shows positions as they were', async () => {
  const [, , item] = workspace.items;
  const [, a, b] = workspace.locations;
  const first = (await workspace.adjust(item, a, 5)).body.entry.recordedAt;
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = (await workspace.adjust(item, b, 7)).body.entry.recordedAt;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await workspace.adjust(item, a, -1);
  const at = async (asOf: string) => {
    const items = (
      await pages(`/stock/positions/by-item/${item}?asOf=${encodeURIComponent(asOf)}`, 1)
    ).flat();
    return Object.fromEntries(items.map((position) => [position.locationEntityId, position.onHand]));
  };
  const start = workspace.locations[0] as string;
  expect(await at(first)).toEqual({ [start]: 2, [a as string]: 5 });
  expect(await at(second)).toEqual({ [start]: 2, [a as string]: 5, [b as string]: 7 });
  expect(await at(new Date().toISOString())).toEqual({ [start]: 2, [a as string]: 4, [b as string]: 7 });
  expect(await at('2020-01-01T00:00:00+02:00')).toEqual({});
  expect((await workspace.ask('GET', `/stock/positions/by-item/${item}?asOf=now`)).status).toBe(422);
});

test('the ledger as CSV has every entry, quoted, and no formula', async () => {
  const [, , , item] = workspace.items;
  const [, a] = workspace.locations;
  await workspace.adjust(item, a, 2.5, { note: '=HYPERLINK("http://x","y")' });
  await workspace.adjust(item, a, -1, { note: 'two\nlines, "quoted"' });
  const path = `/stock/ledger/by-item/${item}`;
  const csv = await workspace.ask('GET', `${path}?order=asc&limit=1`, undefined, { Accept: 'text/csv' });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, , ...rest] = csv.text.split('\r\n');
  expect(header).toBe(
    'id,sequence,recordedAt,movementType,itemEntityId,itemNumber,locationEntityId,locationNumber,quantity,' +
      'onHandAfter,reservedAfter,onOrderAfter,note,lineId,orderId,requirementId,actorType,actorId,actorName,hash,' +
      'bookingId,reversesId,effectiveOn,reason,consume,itemRevision,lot,enteredQuantity,enteredUnit,unit,coveredQuantity',
  );
  expect(rest).toHaveLength(3);
  expect(rest[0]).toContain(`,2.5,2.5,0,0,"'=HYPERLINK(""http://x"",""y"")",,,,apiKey,`);
  expect(rest[1]).toContain(`,-1,1.5,0,0,"two\nlines, ""quoted""",,,,apiKey,`);
  expect((await workspace.ask('GET', path, undefined, { Accept: 'image/png' })).body.code).toBe(
    'not_acceptable',
  );
  const head = await workspace.ask('HEAD', path, undefined, { Accept: 'text/csv' });
  expect([head.status, head.text]).toEqual([200, '']);
});

test('CSV goes on over many pages of entries', async () => {
  const [, , , , item] = workspace.items;
  const [, a, b] = workspace.locations;
  for (let round = 0; round < 3; round++) {
    await workspace.ask('POST', '/stock/adjustments/batch', {
      adjustments: Array.from({ length: 900 }, (_, i) => ({
        itemEntityId: item,
        locationEntityId: i % 2 === 0 ? a : b,
        quantity: 1,
      })),
    });
  }
  const csv = await workspace.ask('GET', `/stock/ledger/by-item/${item}`, undefined, { Accept: 'text/csv' });
  const lines = csv.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2702);
  expect(new Set(lines).size).toBe(2702);
  await workspace.expectConsistent();
});

/** Of what EXPLAIN says. */
interface PlanNode {
  Plans?: PlanNode[];
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
}

/** Rows that the plan's scans touch, over all their loops. */
function rowsScanned(plan: PlanNode): number {
  const children = plan.Plans ?? [];
  const own =
    children.length === 0
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0;
  return own + children.reduce((sum, child) => sum + rowsScanned(child), 0);
}

/** Rows that a statement touches, asked as the application asks it. */
const costOf = (client: Client) => async (sql: string, params: unknown[]) => {
  await client.query('set role partbook_app');
  const { rows } = await client.query(`explain (analyze, format json) ${sql}`, params);
  await client.query('reset role');
  return rowsScanned(rows[0]['QUERY PLAN'][0].Plan);
};

test('a page costs a page, however much there is, before and after the tables are analysed', async () => {
  const big = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  const [item, location] = [big.items[0], big.locations[0]];
  await asSuperuser(server, async (client) => {
    // 20 000 positions of one item with two entries each, and 20 000 entries in one position.
    await client.query(
      `insert into stock_position (workspace_id, item_id, location_id, on_hand, reserved, on_order, sequence, hash, updated_at)
       select $1, $2, md5(n::text)::uuid, 1, 0, 0, 2, sha256(''), now() from generate_series(1, 20000) n`,
      [big.id, item],
    );
    // Names to be looked up: so few that a hash of them all looks cheap, and still many times a page.
    await client.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, md5(n::text)::uuid, md5(n::text)::uuid, 'L-' || n, 'A shelf', 'location', 'Active', $1
       from generate_series(1, 4000) n`,
      [big.id],
    );
    const columns = `workspace_id, id, item_id, location_id, sequence, recorded_at, movement_type, quantity,
      on_hand_delta, reserved_delta, on_order_delta, on_hand_after, reserved_after, on_order_after, actor_id, hash`;
    await client.query(
      `insert into stock_ledger (${columns})
       select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, md5((n / 2)::text)::uuid, 1 + n % 2,
              now(), 'Adjustment', 1, 1, 0, 0, 1, 0, 0, $1, sha256('') from generate_series(2, 40001) n`,
      [big.id, item],
    );
    // Those of one position name orders.
    await client.query(
      `insert into stock_ledger (${columns}, order_id)
       select $1, ('00000000-0001-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, $3, n,
              now(), 'Adjustment', 1, 1, 0, 0, 1, 0, 0, $1, sha256(''), md5((1 + n % 4000)::text)::uuid
       from generate_series(1, 20000) n`,
      [big.id, item, location],
    );
    // As the application: row security takes indexes away from comparisons that are not leak-proof.
    await client.query(`select set_config('partbook.workspace_id', $1, false)`, [big.id]);
    const cost = costOf(client);
    for (const analysed of [false, true]) {
      if (analysed) await client.query('analyze');
      // A page of 101 and what is looked up for each of its rows: names of two entities and an order, the actor, a probe.
      const page = 101 * 7;
      expect(await cost(selectPositions('item'), [big.id, item, LOWEST_ID, 101])).toBeLessThan(page);
      expect(
        await cost(selectPositions('item'), [big.id, item, 'f0000000-0000-0000-0000-000000000000', 101]),
      ).toBeLessThan(page);
      const middle = '00000000-0000-7000-8000-000000007000';
      const asOf = [big.id, item, LOWEST_ID, 101, middle, 5000, false, null];
      expect(await cost(selectPositionsAsOf('item'), asOf)).toBeLessThan(2 * page);
      expect(await cost(selectStockedPositions('item'), [big.id, item, LOWEST_ID, 101, 5000])).toBeLessThan(
        page,
      );
      expect(await cost(selectAllPositions, [big.id, item, LOWEST_ID, 101, false, null, 5000])).toBeLessThan(
        page,
      );
      for (const order of ['asc', 'desc'] as const) {
        for (const by of ['all', 'line', 'requirement'] as const) {
          const params: unknown[] = [
            big.id,
            by === 'all' ? null : item,
            movementTypes,
            LOWEST_ID,
            HIGHEST_ID,
            101,
          ];
          expect(await cost(selectLedgerPage(by, order, { withOrders: true }), params)).toBeLessThan(page);
          params[2] = ['MRIssue'];
          expect(await cost(selectLedgerPage(by, order, { withOrders: true }), params)).toBeLessThan(page);
        }
        for (const side of ['item', 'location', 'actor'] as const) {
          const entity = { item, location, actor: big.id }[side];
          const params: unknown[] = [big.id, entity, movementTypes, LOWEST_ID, HIGHEST_ID, 101];
          expect(await cost(selectLedgerPage(side, order, { withOrders: true }), params)).toBeLessThan(page);
          params[2] = ['MRIssue'];
          expect(await cost(selectLedgerPage(side, order, { withOrders: true }), params)).toBeLessThan(page);
        }
      }
    }
  });
});

test('a line or a requirement with many movements costs what one with few costs', async () => {
  const busy = await makeStockedWorkspace(server, { items: 1, locations: 4 });
  const ids = (count: number) => Array.from({ length: count }, newId);
  // So many with two movements that nothing is found by reading them all.
  const few = { line: ids(1000), requirement: ids(1000) };
  const many = { line: ids(10), requirement: ids(10) };
  await asSuperuser(server, async (client) => {
    const locations = [...busy.locations];
    for (const of of ['line', 'requirement'] as const) {
      const at = () => ({ ...busy, locations: locations.splice(0, 1) });
      await fillLines(client, at(), few[of], 2, of);
      await fillLines(client, at(), many[of], 1000, of);
    }
    await client.query(`select set_config('partbook.workspace_id', $1, false)`, [busy.id]);
    const cost = costOf(client);
    for (const analysed of [false, true]) {
      if (analysed) await client.query('analyze');
      const costs = async ({ line, requirement }: typeof few) => ({
        lines: await cost(selectLines, [busy.id, line.slice(0, 10)]),
        requirements: await cost(selectRequirements, [busy.id, requirement.slice(0, 10)]),
        held: await cost(selectHeld, [busy.id, requirement[0]]),
        heldByLocation: await cost(selectHeldByLocation, [busy.id, requirement[0], 10]),
        positions: await cost(
          selectPositionsOfLines,
          [busy.id, line[0], requirement[0]].map((id, at) => (at === 0 ? id : [id])),
        ),
      });
      const costOfMany = await costs(many);
      expect(costOfMany).toEqual(await costs(few));
      // Ten of each, with what is looked up for one.
      for (const rows of Object.values(costOfMany)) expect(rows).toBeLessThan(10 * 10);
      // A page of eleven among a thousand, of which most types have none.
      for (const of of ['line', 'requirement'] as const) {
        for (const order of ['asc', 'desc'] as const) {
          const page = [busy.id, many[of][0], movementTypes, LOWEST_ID, HIGHEST_ID, 11];
          expect(await cost(selectLedgerPage(of, order, { withOrders: true }), page)).toBeLessThan(500);
        }
      }
    }
  });
});

test('few among the many of a project, an item or a webhook are found by an index, or by a look of a bounded length', async () => {
  const big = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  const [item] = big.items;
  const project = '00000000-0000-4000-8000-000000000001';
  const busy = '00000000-0000-4000-8000-000000000002';
  const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
  const open = idOf(15_000);
  await asSuperuser(server, async (client) => {
    // Of 20 000 requirements of an item all but one are covered; ten, the oldest, are for another project.
    await client.query(
      `insert into entity (workspace_id, id, version_id, number, name, category, state, revised_by)
       select $1, id, id, null, 'A requirement', 'materialRequirement', case when id = $2 then 'Open' else 'Covered' end, $1
       from (select ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id from generate_series(1, 20000) n) r`,
      [big.id, open],
    );
    await client.query(
      `insert into material_requirement (workspace_id, id, project_id, item_id, quantity)
       select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, case when n > 10 then $2::uuid else $3 end, $4, 1
       from generate_series(1, 20000) n`,
      [big.id, busy, project, item],
    );
    await client.query(
      `insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status)
       select $1, $2, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'entity.created', '{}',
              case when n > 10 then 'delivered' else 'failed' end from generate_series(1, 20000) n`,
      [big.id, busy],
    );
    await client.query(`select set_config('partbook.workspace_id', $1, false)`, [big.id]);
    const cost = costOf(client);
    for (const analysed of [false, true]) {
      if (analysed) await client.query('analyze material_requirement, webhook_delivery');
      const newest = directionOf('desc');
      const of = { state: false, among: 'all', text: false } as const;
      const named = [null, null, null, null];
      expect(
        await cost(selectRequirementPage({ ...of, owner: 'project' }, newest), [
          big.id,
          null,
          11,
          project,
          ...named,
        ]),
      ).toBeLessThan(100);
      expect(await cost(selectQuantitiesOfProject, [big.id, project, LOWEST_ID, 5000])).toBeLessThan(100);
      expect(await cost(selectDeliveries('status'), [big.id, busy, null, 'failed', 11])).toBeLessThan(100);
    }
  });
  const found: string[] = [];
  let pages = 0;
  for (let cursor = ''; ; pages++) {
    const { status, body, text } = await big.ask(
      'GET',
      `/requirements?itemEntityId=${item}&status=open${cursor}`,
    );
    expect(status, text).toBe(200);
    found.push(...body.items.map((one: TestAnswer['body']) => one.id));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(found).toEqual([open]);
  expect(pages).toBeGreaterThan(1);
});

test('positions are found by the number of their item, however many others have the same', async () => {
  const own = await makeStockedWorkspace(server, { items: 1, locations: 1 });
  const send = async (count: number) => {
    const entities = Array.from({ length: count }, () => ({
      guid: randomUUID(),
      number: 'SAME',
      name: 'A part',
      categoryKey: 'part',
    }));
    const { status, body, text } = await own.ask('POST', '/pdm/sync', { entities });
    expect([status, body.counts.created], text).toEqual([200, count]);
    return body.results.map((one: { entityId: string }) => one.entityId);
  };
  // More than the ids that a search goes on from, and all of them made before it.
  for (let sent = 0; sent < 1000; sent += 200) await send(200);
  const [last] = await send(1);
  await own.adjust(last, own.locations[0], 3);
  const { body } = await own.ask('GET', '/stock/positions?q=number:SAME');
  expect(body.items.map((one: TestAnswer['body']) => one.itemEntityId)).toEqual([last]);
});

test('positions of the whole workspace are paged, found by text, and narrowed to those with nothing available', async () => {
  const own = await makeStockedWorkspace(server, { items: 4, locations: 3 });
  const read = async (query: string) => {
    const all: TestAnswer['body'][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body, text } = await own.ask('GET', `/stock/positions?limit=5${query}${more}`);
      expect(status, text).toBe(200);
      all.push(...body.items);
      cursor = body.nextCursor;
    }
    return all.map((one) => `${one.itemEntityId} ${one.locationEntityId}`);
  };
  for (const item of own.items) for (const location of own.locations) await own.adjust(item, location, 3);
  const everything = own.items.flatMap((item) => own.locations.map((location) => `${item} ${location}`));
  expect(await read('')).toEqual(everything.toSorted());
  await own.adjust(own.items[1], own.locations[2], -3);
  expect(await read('&short=true')).toEqual([`${own.items[1]} ${own.locations[2]}`]);
  await own.ask('PATCH', `/entities/${own.items[1]}`, { name: 'Hexagon bolt' });
  expect(await read('&q=gon%20bol')).toHaveLength(3);
  expect(await read('&q=gon%20bol&short=true')).toHaveLength(1);
  expect(await read('&q=nowhere')).toEqual([]);
  const { number } = (await own.ask('GET', `/entities/${own.items[1]}`)).body;
  expect(await read(`&q=${encodeURIComponent(`number:${number}`)}`)).toHaveLength(3);
  expect(await read(`&q=number:${number.slice(0, -1)}`)).toEqual([]);
  // A text that no index knows is looked for in one position after the other.
  expect(await read('&q=--')).toEqual([]);
  await own.ask('PATCH', `/entities/${own.items[3]}`, { name: 'Hexagon bolt -- zinc' });
  expect(await read('&q=--')).toHaveLength(3);
  expect(await read('&q=--&short=true')).toEqual([]);
});

test('the ledger of the whole workspace is newest first, by type, line or requirement, and a link downloads it', async () => {
  const own = await makeStockedWorkspace(server, { items: 2, locations: 2 });
  for (const quantity of [3, 4, -1, 2])
    await own.adjust(own.items[quantity % 2 === 0 ? 0 : 1], own.locations[0], quantity);
  const line = await own.ask('POST', '/stock/lines', {
    type: 'purchaseOrder',
    itemEntityId: own.items[0],
    locationEntityId: own.locations[1],
    quantity: 7,
  });
  expect(line.status, line.text).toBe(201);
  const read = async (query: string) => {
    const { status, body, text } = await own.ask('GET', `/stock/ledger?${query}`);
    expect(status, text).toBe(200);
    return body;
  };
  const quantities = (page: TestAnswer['body']) =>
    page.items.map((entry: TestAnswer['body']) => entry.quantity);
  const first = await read('limit=3');
  expect(quantities(first)).toEqual([7, 2, -1]);
  expect(quantities(await read(`limit=3&cursor=${first.nextCursor}`))).toEqual([4, 3]);
  expect(quantities(await read('movementType=Adjustment&order=asc'))).toEqual([3, 4, -1, 2]);
  expect(quantities(await read(`lineId=${line.body.line.id}`))).toEqual([7]);
  // Of an order it says which.
  const { orderId, orderNumber } = line.body.line;
  expect(orderNumber).not.toBeNull();
  const [ordered, adjusted] = first.items;
  expect(ordered).toMatchObject({ orderId, orderNumber, requirementNumber: null });
  expect(adjusted).toMatchObject({ orderId: null, orderNumber: null, requirementNumber: null });
  expect(quantities(await read(`requirementId=${own.items[0]}`))).toEqual([]);
  const both = await own.ask(
    'GET',
    `/stock/ledger?lineId=${line.body.line.id}&requirementId=${own.items[0]}`,
  );
  expect(both.status).toBe(422);
  // A link cannot say what it accepts.
  const csv = await own.ask('GET', '/stock/ledger?format=csv&order=asc');
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
  expect(csv.text.trim().split('\r\n')).toHaveLength(6);
  expect((await own.ask('GET', '/stock/ledger?format=ndjson')).status).toBe(422);
  expect((await own.ask('GET', '/orders?order=desc&limit=1')).body.items).toHaveLength(1);
});

test('the ledger of the whole workspace says who has moved stock, and shows what one of them moved', async () => {
  const own = await makeStockedWorkspace(server, { items: 2, locations: 2 });
  const addKey = async (name: string) =>
    (await own.ask('POST', '/api-keys', { name, permission: 'write' })).body;
  const [ada, ben] = [await addKey('Ada'), await addKey('Ben')];
  await addKey('Who never moved anything');
  const move = async (key: string, quantities: readonly number[]) => {
    for (const [n, quantity] of quantities.entries()) {
      const { status, text } = await server.request(`/api/wid/${own.slug}/stock/adjustments`, {
        key,
        body: { itemEntityId: own.items[n % 2], locationEntityId: own.locations[n % 2], quantity },
      });
      expect(status, text).toBe(201);
    }
  };
  await move(ada.key, [5, 6]);
  await move(ben.key, [70, 80, -1]);
  await move(ada.key, [-2]);
  expect((await own.ask('DELETE', `/api-keys/${ada.id}`)).status).toBe(204);

  const read = async (path: string) => {
    const { status, body, text } = await own.ask('GET', path);
    expect(status, text).toBe(200);
    return body;
  };
  const named = (page: TestAnswer['body']) => page.items.map(({ name }: TestAnswer['body']) => name);
  expect(named(await read('/stock/ledger/actors'))).toEqual(['Ada', 'Ben']);
  // Page by page each of them once, those who moved nothing passed over.
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: TestAnswer['body'] = await read(
      `/stock/ledger/actors?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...named(page));
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(['Ada', 'Ben']);

  const quantities = (page: TestAnswer['body']) =>
    page.items.map((entry: TestAnswer['body']) => entry.quantity);
  const first = await read(`/stock/ledger?actorId=${ada.id}&limit=2`);
  expect(quantities(first)).toEqual([-2, 6]);
  expect(
    quantities(await read(`/stock/ledger?actorId=${ada.id}&limit=2&cursor=${first.nextCursor}`)),
  ).toEqual([5]);
  expect(quantities(await read(`/stock/ledger?actorId=${ben.id}&order=asc&movementType=Adjustment`))).toEqual(
    [70, 80, -1],
  );
  expect(quantities(await read(`/stock/ledger?actorId=${ben.id}&movementType=POReceipt`))).toEqual([]);
  expect(quantities(await read(`/stock/ledger?actorId=${ben.id}&to=2020-01-01T00:00:00Z`))).toEqual([]);
  expect(quantities(await read(`/stock/ledger?actorId=${newId()}`))).toEqual([]);
  // A page of one caller is none of another's.
  const foreign = await own.ask('GET', `/stock/ledger?actorId=${ben.id}&cursor=${first.nextCursor}`);
  expect(foreign.body.code).toBe('invalid_cursor');
  const both = await own.ask('GET', `/stock/ledger?actorId=${ben.id}&lineId=${newId()}`);
  expect(both.status).toBe(422);
  expect(both.body.errors[0].pointer).toBe('/actorId');
  const csv = await own.ask('GET', `/stock/ledger?format=csv&actorId=${ben.id}`);
  expect(csv.text.trim().split('\r\n')).toHaveLength(4);
  const link = await own.ask('POST', '/csv-links', {
    name: 'What Ben moved',
    table: { of: 'ledger', actorId: ben.id, columns: ['quantity'], order: 'asc' },
  });
  expect(link.status, link.text).toBe(201);
  const table = await server.request(new URL(link.body.url).pathname);
  expect(table.text.trim().split('\r\n')).toEqual(['quantity', '70', '80', '-1']);
});

test('all positions are downloaded as a table, as the list shows them, and counted', async () => {
  const own = await makeStockedWorkspace(server, { items: 40, locations: 30 });
  const adjustments = own.items.flatMap((itemEntityId, at) =>
    own.locations.map((locationEntityId) => ({ itemEntityId, locationEntityId, quantity: at + 0.5 })),
  );
  const stocked = await own.ask('POST', '/stock/adjustments/batch', {
    adjustments: adjustments.slice(0, 600),
  });
  expect(stocked.status, stocked.text).toBe(201);
  expect(
    (await own.ask('POST', '/stock/adjustments/batch', { adjustments: adjustments.slice(600) })).status,
  ).toBe(201);
  const table = await own.ask('GET', '/stock/positions/export');
  expect(table.headers.get('content-disposition')).toBe(`attachment; filename="positions-${own.slug}.csv"`);
  const [header, ...lines] = table.text.trimEnd().split('\r\n');
  expect(header).toBe(
    'itemEntityId,itemNumber,itemName,locationEntityId,locationNumber,locationName,onHand,reserved,onOrder,available,updatedAt,locationPath,lastCountedAt,blocked,inLots,unit,itemRevision',
  );
  // More than a page of them, in one order, each once.
  const keys = lines.map((line) => line.split(',')).map((cells) => `${cells[0]} ${cells[3]}`);
  expect(keys).toEqual(
    own.items.toSorted().flatMap((item) => own.locations.toSorted().map((location) => `${item} ${location}`)),
  );
  const [first] = (await own.ask('GET', '/stock/positions?limit=1')).body.items;
  const { onHand, reserved, onOrder, available, updatedAt } = first;
  const cells = [onHand, reserved, onOrder, available, updatedAt, '', '', 0, '', '', 'A'].map(String);
  expect(lines[0]?.split(',').slice(6)).toEqual(cells);
  const refused = await own.ask('GET', '/stock/positions/export?q=');
  expect(refused.body).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(refused.headers.get('content-disposition')).toBeNull();
  const short = await own.ask('GET', '/stock/positions/export?short=true');
  expect(short.text.trimEnd().split('\r\n')).toEqual([header]);

  const total = (count: number) => ({ count, isAtLeast: false });
  const totals = (query: string) => own.ask('GET', `/stock/totals${query}`);
  for (const [query, count] of [
    ['', 1200],
    [`?item=${own.items[0]}`, 30],
    [`?location=${own.locations[0]}`, 40],
  ] as const)
    expect((await totals(query)).body).toEqual({ positions: total(count), entries: total(count) });
  expect((await totals(`?item=${own.items[0]}&location=${own.locations[0]}`)).status).toBe(422);
  // One more than the bound says that there are more.
  expect(await own.transact((tx) => tx.query(countStockRows('item'), [own.id, 20, own.items[0]]))).toEqual([
    { positions: 21, entries: 21 },
  ]);
});
