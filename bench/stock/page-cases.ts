/**
 * Every list of stock with its filters, and three places in each: pages that must cost the same however deep
 * they lie. Read by the service's own functions; its statements are explained as the application's role.
 */
import type { Db } from '../../src/db/connect.ts';
import { firstIdAt } from '../../src/db/ids.ts';
import { inTransaction, type Tx } from '../../src/db/transaction.ts';
import { type LedgerWanted, readLedger } from '../../src/stock/ledger/list-ledger.ts';
import { listPositions, type PositionsWanted } from '../../src/stock/positions/list-positions.ts';
import type { FilledLedger } from './fill-ledger.ts';

export const PAGE_ROWS = 100;
export const places = ['first', 'middle', 'last'] as const;
export type Place = (typeof places)[number];

export interface PageCase {
  name: string;
  /** Reads that page; how many rows it had. */
  read: Record<Place, (tx: Tx) => Promise<number>>;
}

/** Cases of a workspace. The cursors of positions come from walking the list once. */
export async function pageCases(db: Db, ledger: FilledLedger): Promise<PageCase[]> {
  const { busyItem, wideLocation, fromMs, toMs } = ledger;
  const at = (share: number) => Math.floor(fromMs + (toMs - fromMs) * share);
  const cases: PageCase[] = [];
  const sides = [
    { side: 'item', entityId: busyItem },
    { side: 'location', entityId: wideLocation },
  ] as const;
  for (const { side, entityId } of sides) {
    for (const order of ['desc', 'asc'] as const) {
      const filters: Record<string, Partial<LedgerWanted>> = {
        all: {},
        'one type': { movementType: 'Adjustment' },
        'rare type': { movementType: 'MOReceipt' },
        'a time': { from: at(0.1), to: at(0.9) },
        'one type at a time': { movementType: 'SOShipment', from: at(0.1), to: at(0.9) },
      };
      for (const [title, filter] of Object.entries(filters)) {
        const wanted: LedgerWanted = { by: side, entityId, order, ...filter };
        const behind = (share: number) => firstIdAt(at(order === 'asc' ? share : 1 - share));
        const page = (after: string | null) => async (tx: Tx) =>
          (await readLedger(tx, wanted, after, PAGE_ROWS)).rows.length;
        cases.push({
          name: `ledger by ${side}, ${order}, ${title}`,
          read: {
            first: page(null),
            middle: page(behind(0.5)),
            last: page(behind(filter.to === undefined ? 0.999 : 0.89)),
          },
        });
      }
    }
  }
  const times = {
    now: undefined,
    'as of early times': at(0.2),
    'as of half way': at(0.5),
    'as of the end': at(1),
  };
  for (const { side, entityId } of sides) {
    for (const [title, asOf] of Object.entries(times)) {
      const wanted = { side, entityId, limit: PAGE_ROWS, asOf };
      cases.push(await positionsCase(db, ledger, `positions by ${side}, ${title}`, wanted));
    }
  }
  return cases;
}

async function positionsCase(
  db: Db,
  { workspaceId }: FilledLedger,
  name: string,
  wanted: PositionsWanted,
): Promise<PageCase> {
  const cursors: (string | undefined)[] = [undefined];
  for (;;) {
    const cursor = cursors.at(-1);
    const { nextCursor } = await inTransaction(db, { workspaceId }, (tx) =>
      listPositions(tx, { ...wanted, limit: 1000, cursor }),
    );
    if (nextCursor === null) break;
    cursors.push(nextCursor);
  }
  const page = (index: number) => async (tx: Tx) =>
    (await listPositions(tx, { ...wanted, cursor: cursors[index] })).items.length;
  return {
    name,
    read: { first: page(0), middle: page(cursors.length >> 1), last: page(cursors.length - 1) },
  };
}

/** Median milliseconds of each place, over rounds that go through all of them in turn. */
export async function timePages(
  db: Db,
  { workspaceId }: FilledLedger,
  { read }: PageCase,
  rounds: number,
): Promise<Record<Place, number>> {
  const times: Record<Place, number[]> = { first: [], middle: [], last: [] };
  for (let round = -3; round < rounds; round++) {
    for (const place of places) {
      const began = performance.now();
      await inTransaction(db, { workspaceId }, read[place], { readOnly: true });
      if (round >= 0) times[place].push(performance.now() - began);
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return { first: median(times.first), middle: median(times.middle), last: median(times.last) };
}
