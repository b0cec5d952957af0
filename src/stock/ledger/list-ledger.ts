/** Entries of an item, a location, a caller or all: a page, or all of them page after page; and who has written any. */

import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { firstIdAt } from '../../db/ids.ts';
import { type RowPage, readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { type MovementType, movementTypes } from '../entries/movement.ts';
import { showEntry } from '../entries/show-stock.ts';
import type { LedgerActor, ListedLedgerEntry, StockLedgerEntry } from '../entries/stock.schema.ts';
import {
  type EntryRow,
  entryOfRow,
  type LedgerBy,
  selectLedgerActors,
  selectLedgerPage,
} from './ledger.sql.ts';

export interface LedgerWanted {
  by: LedgerBy;
  /** The item, the location, the caller and so on; null for all. */
  entityId: string | null;
  order: 'asc' | 'desc';
  movementType?: MovementType | undefined;
  /** Milliseconds since 1970: recorded from then on. */
  from?: number | undefined;
  /** Recorded before then. */
  to?: number | undefined;
}

interface Row extends EntryRow {
  item_number: string | null;
  location_number: string | null;
  unit: string | null;
  actor_type: Actor['type'];
  actor_name: string;
}

interface ListedRow extends Row {
  item_name: string;
  location_name: string;
  order_number: string | null;
  requirement_number: string | null;
  reversed: string;
}

const long = ['note', 'item_number', 'location_number', 'actor_name'];

/** An entry as CSV shows it. */
export type LedgerLine = StockLedgerEntry & Pick<ListedLedgerEntry, 'unit'>;

/** Throws `invalid_cursor`. */
export async function listLedger(
  tx: Tx,
  wanted: LedgerWanted,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: ListedLedgerEntry[]; nextCursor: string | null }> {
  const { by, order } = wanted;
  const rows = await readPage<ListedRow>(
    tx,
    selectLedgerPage(by, order, true),
    paramsOf(tx, wanted, ledgerPlace(wanted, cursor), limit),
    { limit, long: [...long, 'item_name', 'location_name', 'order_number', 'requirement_number'] },
  );
  return pageOf(
    listName(wanted),
    rows,
    (row) => row.id,
    (row) => ({
      ...show(row),
      itemName: row.item_name,
      locationName: row.location_name,
      orderNumber: row.order_number,
      requirementNumber: row.requirement_number,
      reversedQty: numberOf(microOfDecimal(row.reversed)),
    }),
  );
}

/** The id that such a list goes on behind; null for its beginning. Throws `invalid_cursor`. */
export function ledgerPlace(wanted: LedgerWanted, cursor: string | undefined): string | null {
  return decodeCursor(listName(wanted), cursor, z.uuid());
}

function listName({ by, entityId, order, movementType, from, to }: LedgerWanted): string {
  return ['stock-ledger', by, entityId ?? '', order, movementType ?? '', from ?? '', to ?? ''].join(' ');
}

/**
 * Up to `limit` entries behind that id, in the wanted order, and whether there are more. For whoever streams all of them: orders are not
 * looked up.
 */
export async function readLedger(
  tx: Tx,
  wanted: LedgerWanted,
  afterId: string | null,
  limit: number,
): Promise<RowPage<LedgerLine>> {
  const { rows, more } = await readPage<Row>(
    tx,
    selectLedgerPage(wanted.by, wanted.order),
    paramsOf(tx, wanted, afterId, limit),
    { limit, long },
  );
  return { rows: rows.map(show), more };
}

function paramsOf(
  tx: Tx,
  { entityId, order, movementType, from, to }: LedgerWanted,
  afterId: string | null,
  limit: number,
): unknown[] {
  const lower = from === undefined ? null : firstIdAt(from);
  const upper = to === undefined ? null : firstIdAt(to);
  const types = movementType === undefined ? movementTypes : [movementType];
  const above = order === 'asc' ? (afterId ?? lower) : lower;
  const below = order === 'desc' ? (afterId ?? upper) : upper;
  return [tx.workspaceId, entityId, types, above, below, limit + 1];
}

function show(row: Row): LedgerLine {
  const actor: Actor = { type: row.actor_type, id: row.actor_id, name: row.actor_name };
  return { ...showEntry(entryOfRow(row), row.item_number, row.location_number, actor), unit: row.unit };
}

interface ActorRow extends LedgerActor {
  has_moved: boolean;
}

/** In the order of their ids; a page looks at as many callers as it may hold. Throws `invalid_cursor`. */
export async function listLedgerActors(
  tx: Tx,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: LedgerActor[]; nextCursor: string | null }> {
  const list = 'stock-ledger actors';
  const after = decodeCursor(list, cursor, z.uuid());
  const rows = await readPage<ActorRow>(tx, selectLedgerActors, [tx.workspaceId, after, limit + 1], {
    limit,
    long: ['name'],
  });
  const { items, nextCursor } = pageOf(
    list,
    rows,
    (row) => row.id,
    (row) => row,
  );
  return {
    items: items.filter((row) => row.has_moved).map(({ id, type, name }) => ({ id, type, name })),
    nextCursor,
  };
}
