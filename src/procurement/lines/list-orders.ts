/** Pages of orders. */

import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, directionOf, encodeCursor, pageOf } from '../../http/list.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import { type Among, findByText, WINDOW_ROWS } from '../records/find-by-text.ts';
import { lineBehaviours } from '../records/line.ts';
import type { Order, OrderQuery } from '../records/orders.schema.ts';
import {
  type OrderRow,
  type Party,
  selectCustomerKey,
  selectDueOrders,
  selectOpenOrders,
  selectOrderPage,
  selectOrderWindowEnd,
  selectPartyWindowEnd,
} from '../records/orders.sql.ts';
import { onlyOverdue } from '../records/overdue.ts';
import { showOrder } from '../records/show-procurement.ts';
import { keysOfSupplier } from '../records/suppliers/supplier-key.ts';

/** Lines of a span of days that a page goes on from; beyond, it looks at one order after the other. */
const DUE_LINES_MAX = 1000;

/** Orders that a page looks at for the days of their lines, each of them a look at its lines. */
const DUE_WINDOW_ROWS = 1000;

/** Lists orders in order of their ids. Throws `invalid_cursor`. */
export async function listOrders(
  tx: Tx,
  given: OrderQuery,
): Promise<{ items: Order[]; nextCursor: string | null }> {
  const query = given.overdue === 'true' ? onlyOverdue(given) : given;
  const { type, state, order, limit, cursor } = query;
  const list = order === 'asc' ? 'orders' : 'orders, newest first';
  const after = decodeCursor(list, cursor, z.uuid());
  const direction = directionOf(order);
  const { among, params, days, windowRows } = await findWanted(tx, query);
  const party = partyOf(query);
  const keys = await keysOfParty(tx, query);
  const of = [type === undefined ? lineTypes : [type], state ?? null];
  const byState = state !== undefined;
  const narrowed = among === 'all' ? [] : [params, windowRows, keys, ...days, query.open === 'true'];
  const rows = await readPage<OrderRow>(
    tx,
    selectOrderPage({ state: byState, party, among }, direction),
    [tx.workspaceId, after, limit + 1, ...of, ...narrowed],
    { limit, long: ['number', 'name', 'state', 'supplier'] },
  );
  const page = pageOf(list, rows, (row) => row.id, showOrder);
  if (page.nextCursor !== null || among !== 'window') return page;
  const passed = [tx.workspaceId, after, windowRows];
  const [end] =
    party === null
      ? await tx.query<{ id: string }>(selectOrderWindowEnd(byState, direction), [...passed, ...of])
      : await tx.query<{ id: string }>(selectPartyWindowEnd(party, direction), [...passed, keys]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor(list, end.id) };
}

function partyOf({ supplier, customer }: OrderQuery): Party | null {
  return supplier !== undefined ? 'supplier' : customer !== undefined ? 'customer' : null;
}

async function keysOfParty(tx: Tx, { supplier, customer }: OrderQuery): Promise<string[] | null> {
  if (customer === undefined) return keysOfSupplier(tx, supplier);
  const rows = await tx.query<{ key: string }>(selectCustomerKey, [customer]);
  return rows.map(({ key }) => key);
}

interface Wanted {
  among: Among;
  /** Patterns, entities, or null. */
  params: unknown;
  days: [from: string | null, before: string | null];
  windowRows: number;
}

/** Finds orders by text, by the lines that they are searched by if these are few, or one order after another. */
async function findWanted(tx: Tx, query: OrderQuery): Promise<Wanted> {
  const { q, type, requiredFrom, requiredBefore, open } = query;
  const days: Wanted['days'] = [requiredFrom ?? null, requiredBefore ?? null];
  const byDay = requiredFrom !== undefined || requiredBefore !== undefined;
  const byLine = byDay || open === 'true';
  const windowRows = byLine ? DUE_WINDOW_ROWS : WINDOW_ROWS;
  if (byLine && q === undefined) {
    const enough = DUE_LINES_MAX + 1;
    const due = byDay ? await tx.query<Found>(selectDueOrders, [tx.workspaceId, ...days, enough]) : null;
    const found =
      due !== null && due.length < enough
        ? due
        : // Most lines of days that are past have come: those that are open may be few all the same.
          await tx.query<Found>(selectOpenOrders, [tx.workspaceId, behavioursOf(type), enough]);
    if (found.length < enough) {
      const ids = new Set(found.flatMap(({ id }) => (id === null ? [] : [id])));
      return { among: 'ids', params: [...ids], days, windowRows };
    }
  }
  const { among, params } = await findByText(tx, q, byLine || partyOf(query) !== null);
  return { among, params: params[0] ?? null, days, windowRows };
}

interface Found {
  id: string | null;
}

function behavioursOf(type: OrderQuery['type']): string[] {
  return (type === undefined ? lineTypes : [type]).map((one) => lineBehaviours[one]);
}
