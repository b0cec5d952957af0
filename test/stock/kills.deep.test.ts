/**
 * kill -9 while several callers move lots and serial numbers, hold them, change their status, build, scrap, disassemble, transfer, take
 * back, return, revalue and set standard costs, in a workspace that values its stock: what was acknowledged is there, a repetition does
 * nothing twice, and all sums, costs and the ledger agree after each kill.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedLedgerEntry, StockLine, StockLot, StockTransit } from '../../web/client/operations.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from '../procurement/procuring-workspace.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { startOtherServer } from './other-server.ts';

const ROUNDS = 3;
const CALLS = 120;
const CALLERS = 8;
const ACKNOWLEDGED_BEFORE_KILL = 30;

let server: TestServer;
let workspace: ProcuringWorkspace;
let [product, screw, glue, meter] = ['', '', '', ''];
let [shelf, rack] = ['', ''];
beforeAll(async () => {
  server = await startTestServer();
  workspace = await makeProcuringWorkspace(server, { items: 4, locations: 2 });
  [product = '', screw = '', glue = '', meter = ''] = workspace.items;
  [shelf = '', rack = ''] = workspace.locations;
  await workspace.link(product, screw, 2);
  const settings = await workspace.must(200, 'GET', '/stock/settings');
  const costing = { method: 'fifo', currency: 'EUR' };
  await workspace.must(200, 'PUT', '/stock/settings', { ...settings, costing });
  await workspace.must(200, 'PUT', `/stock/tracking/${glue}`, { tracking: 'lot' });
  await workspace.must(200, 'PUT', `/stock/tracking/${meter}`, { tracking: 'serial' });
  await workspace.must(200, 'PUT', `/stock/units/${screw}`, {
    baseUnit: 'pcs',
    units: [{ unit: 'pack', numerator: 10, denominator: 1 }],
  });
});
afterAll(() => server.close());

interface Call {
  key: string;
  path: string;
  body: object;
}

interface Reply {
  status: number;
  body: { code?: string };
}

async function post(baseUrl: string, { key, path, body }: Call): Promise<Reply> {
  const response = await fetch(`${baseUrl}/api/wid/${workspace.slug}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${workspace.key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

/** The things that calls of a round are about, as they are before it. */
interface Present {
  builds: StockLine[];
  sales: StockLine[];
  purchases: StockLine[];
  lots: StockLot[];
  transits: StockTransit[];
  entries: ListedLedgerEntry[];
}

async function readPresent(): Promise<Present> {
  const list = async <Of>(path: string): Promise<Of[]> => (await workspace.must(200, 'GET', path)).items;
  const lines = await list<StockLine>('/stock/lines?limit=500');
  const ofType = (type: string) => lines.filter((line) => line.type === type);
  return {
    builds: ofType('manufacturingOrder'),
    sales: ofType('salesOrder'),
    purchases: ofType('purchaseOrder'),
    lots: await list(`/stock/lots?itemEntityId=${glue}`),
    transits: await list('/stock/transfers'),
    entries: await list('/stock/ledger?limit=500'),
  };
}

async function stockUp(round: number): Promise<void> {
  const { line, must } = workspace;
  const add = (itemEntityId: string, quantity: number, more: object = {}) =>
    must(201, 'POST', '/stock/adjustments', { itemEntityId, locationEntityId: shelf, quantity, ...more });
  await add(screw, 30, { unit: 'pack' });
  for (const lot of ['L-1', 'L-2']) await add(glue, 60, { lot, newLot: {} });
  for (let unit = 0; unit < 10; unit++) await add(meter, 1, { lot: `SN-${round}-${unit}`, newLot: {} });
  for (let at = 0; at < 3; at++) {
    for (const type of ['manufacturingOrder', 'purchaseOrder', 'salesOrder'])
      await line({
        type,
        itemEntityId: type === 'manufacturingOrder' ? product : glue,
        locationEntityId: shelf,
        quantity: 12,
      });
  }
}

/** Calls of each kind in turn; `at` chooses what each is about. */
function callsOf(round: number, present: Present): Call[] {
  const { builds, sales, purchases, lots, transits, entries } = present;
  const one = <Of>(some: readonly Of[], at: number) => some[at % Math.max(1, some.length)] as Of;
  const kinds: ((at: number) => [path: string, body: object] | null)[] = [
    (at) =>
      at % 4 === 3
        ? [
            `/stock/value/${[screw, glue, product][at % 3]}/revaluations`,
            { unitCost: { price: `${1 + (at % 7)}.3` }, note: 'Invoice' },
          ]
        : at % 4 === 1
          ? [
              `/stock/value/${at % 3 === 0 ? meter : screw}/standards`,
              { cost: at % 5 === 0 ? null : `${1 + (at % 5)}.4` },
            ]
          : [
              '/stock/adjustments',
              {
                itemEntityId: screw,
                locationEntityId: at % 2 === 0 ? shelf : rack,
                quantity: 1,
                unit: 'pack',
                ...(at % 3 === 0 ? {} : { unitCost: { price: `${1 + (at % 5)}.7` } }),
              },
            ],
    (at) => [
      '/stock/adjustments',
      {
        itemEntityId: meter,
        locationEntityId: shelf,
        quantity: at % 3 === 0 ? 1 : -1,
        lot: `SN-${round}-${at % 10}`,
        newLot: {},
      },
    ],
    (at) => [
      `/stock/lots/${one(lots, at).id}/holds`,
      { lineId: one(sales, at).id, locationEntityId: shelf, quantity: 1 },
    ],
    (at) => [`/stock/lines/${one(sales, at).id}/releases`, { quantity: 1 }],
    (at) => [
      `/stock/lots/${one(lots, at).id}/status`,
      { status: at % 3 === 0 ? 'quarantine' : 'available', note: 'Inspection' },
    ],
    (at) => [
      '/stock/transfers',
      {
        lines: [
          {
            itemEntityId: glue,
            fromLocationEntityId: shelf,
            toLocationEntityId: rack,
            quantity: 1,
            lot: `L-${1 + (at % 2)}`,
          },
        ],
        inTransit: at % 2 === 0,
      },
    ],
    (at) => {
      const transit = one(transits, at);
      return transit === undefined ? null : [`/stock/transfers/${transit.id}/receipts`, { quantity: 1 }];
    },
    (at) => [`/stock/lines/${one(builds, at).id}/receipts`, { quantity: 1, consume: 'proportional' }],
    (at) => [`/stock/lines/${one(builds, at).id}/components/reservations`, { quantity: 1 }],
    (at) => [`/stock/lines/${one(builds, at).id}/scrap`, { quantity: 1 }],
    (at) => [`/stock/lines/${one(builds, at).id}/disassemblies`, { quantity: 1 }],
    (at) => [
      `/stock/lines/${one(purchases, at).id}/receipts`,
      {
        quantity: 2,
        lots: [{ lot: `L-${1 + (at % 3)}`, quantity: 2 }],
        unitCost: { price: `${2 + (at % 3)}.1` },
      },
    ],
    (at) => [
      `/stock/lines/${one(sales, at).id}/shipments`,
      { quantity: 1, lots: [{ lot: `L-${1 + (at % 2)}`, quantity: 1 }] },
    ],
    (at) => {
      const { orderId, id: lineId, itemEntityId } = one(at % 2 === 0 ? purchases : sales, at);
      const lot = itemEntityId === glue ? { lots: [{ lot: 'L-1', quantity: 1 }] } : {};
      return [
        `/orders/${orderId}/returns`,
        { lines: [{ lineId, quantity: 1, locationEntityId: shelf, ...lot }] },
      ];
    },
    (at) => {
      const entry = one(entries, 7 * at);
      return [`/stock/ledger/${entry.id}/reversals`, { quantity: 1, note: 'Wrong' }];
    },
    (at) => [
      '/stock/counts',
      { lines: [{ item: screw, location: rack, countedQty: 20 + (at % 5) }], note: 'Count' },
    ],
  ];
  return Array.from({ length: CALLS }, (_, at): Call[] => {
    const made = kinds[at % kinds.length]?.(Math.floor(at / kinds.length) + at) ?? null;
    return made === null ? [] : [{ key: `round-${round}-${at}`, path: made[0], body: made[1] }];
  }).flat();
}

/** Takes the calls in turn, several at a time. */
async function inTurn(calls: readonly Call[], take: (call: Call) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async () => {
    for (let call = calls[next++]; call !== undefined; call = calls[next++]) await take(call);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

async function repeat(calls: readonly Call[]): Promise<Map<string, Reply>> {
  const replies = new Map<string, Reply>();
  await inTurn(calls, async (call) => {
    for (;;) {
      const reply = await post(server.baseUrl, call);
      // The server may not have noticed yet that the dead process's connections are gone.
      if (reply.body.code === 'idempotency_in_progress') continue;
      expect([200, 201, 409], `${JSON.stringify(call)} → ${JSON.stringify(reply.body)}`).toContain(
        reply.status,
      );
      replies.set(call.key, reply);
      return;
    }
  });
  return replies;
}

const countEntries = () =>
  workspace.transact(async (tx) => {
    const [row] = await tx.query<{ count: string }>(
      'select count(*)::text as count from stock_ledger where workspace_id = $1',
      [workspace.id],
    );
    return Number(row?.count);
  });

test('kill -9 amid movements of every kind loses nothing, does nothing twice, and leaves sums that verify', async () => {
  const done = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    await stockUp(round);
    const calls = callsOf(round, await readPresent());
    const victim = await startOtherServer(server);
    const acknowledged = new Map<string, Reply>();
    let killed: Promise<void> | null = null;
    await inTurn(calls, async (call) => {
      try {
        const reply = await post(victim.baseUrl, call);
        if (reply.status < 300) acknowledged.set(call.key, reply);
      } catch {
        // The connection broke: the repetition tells whether it was done.
      }
      if (acknowledged.size >= ACKNOWLEDGED_BEFORE_KILL) killed ??= victim.kill();
    });
    expect(killed).not.toBeNull();
    await killed;
    await workspace.expectConsistent();

    const replies = await repeat(calls);
    for (const [key, reply] of acknowledged) expect(replies.get(key)).toEqual(reply);
    await workspace.expectConsistent();
    const entries = await countEntries();
    await repeat(calls.filter(({ key }) => (replies.get(key)?.status ?? 0) < 300));
    expect(await countEntries()).toBe(entries);
    for (const { key, path } of calls)
      if ((replies.get(key)?.status ?? 0) < 300) done.add(path.replace(/[0-9a-f-]{36}/, 'id'));
  }
  // A sequence in which one kind is always refused would prove less than it seems to.
  expect([...done].sort()).toEqual([
    '/orders/id/returns',
    '/stock/adjustments',
    '/stock/counts',
    '/stock/ledger/id/reversals',
    '/stock/lines/id/components/reservations',
    '/stock/lines/id/disassemblies',
    '/stock/lines/id/receipts',
    '/stock/lines/id/releases',
    '/stock/lines/id/scrap',
    '/stock/lines/id/shipments',
    '/stock/lots/id/holds',
    '/stock/lots/id/status',
    '/stock/transfers',
    '/stock/transfers/id/receipts',
    '/stock/value/id/revaluations',
    '/stock/value/id/standards',
  ]);
});
