/** Entries of an item, a location, a caller or all: a page, or all of them page after page; and who has written any. */

import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { DAY_MS } from '../../calendar/days.ts';
import { firstIdAt } from '../../db/ids.ts';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { decodeCursor, pageOf } from '../../http/list.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { type MovementType, movementTypes } from '../entries/movement.ts';
import { showEntry } from '../entries/show-stock.ts';
import type { LedgerActor, ListedLedgerEntry, StockLedgerEntry } from '../entries/stock.schema.ts';
import {
  type EntryRow,
  entryOfRow,
  isListedByType,
  type LedgerBy,
  selectLedgerActors,
  selectLedgerPage,
  selectLocationsWithin,
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
  /** Happened from this day to that, as `2026-11-20`. */
  effectiveFrom?: string | undefined;
  effectiveTo?: string | undefined;
  /** For `within`: the location and those that lie in it. */
  locationIds?: readonly string[] | undefined;
}

interface Row extends EntryRow {
  item_number: string | null;
  location_number: string | null;
  unit: string | null;
  actor_type: Actor['type'];
  actor_name: string;
  /** Whether it happened in the days that are wanted. */
  fits: boolean;
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

/** A page that is narrowed by the day of the movements may be shorter than its limit. Throws `invalid_cursor`. */
export async function listLedger(
  tx: Tx,
  wanted: LedgerWanted,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: ListedLedgerEntry[]; nextCursor: string | null }> {
  const rows = await readPage<ListedRow>(
    tx,
    statementOf(wanted, true),
    paramsOf(tx, wanted, ledgerPlace(wanted, cursor), limit),
    { limit, long: [...long, 'item_name', 'location_name', 'order_number', 'requirement_number'] },
  );
  const { items, nextCursor } = pageOf(
    listName(wanted),
    rows,
    (row) => row.id,
    (row) => row,
  );
  return {
    items: items
      .filter(({ fits }) => fits)
      .map((row) => ({
        ...show(row),
        itemName: row.item_name,
        locationName: row.location_name,
        orderNumber: row.order_number,
        requirementNumber: row.requirement_number,
        reversedQty: numberOf(microOfDecimal(row.reversed)),
      })),
    nextCursor,
  };
}

/** The id that such a list goes on behind; null for its beginning. Throws `invalid_cursor`. */
export function ledgerPlace(wanted: LedgerWanted, cursor: string | undefined): string | null {
  return decodeCursor(listName(wanted), cursor, z.uuid());
}

function listName(wanted: LedgerWanted): string {
  const { by, entityId, order, movementType, from, to, effectiveFrom, effectiveTo } = wanted;
  const days = effectiveFrom === undefined && effectiveTo === undefined ? [] : [effectiveFrom, effectiveTo];
  const parts = ['stock-ledger', by, entityId, order, movementType, from, to, ...days];
  return parts.map((part) => part ?? '').join(' ');
}

/**
 * Reads up to `limit` entries behind that id, in the wanted order. The stream goes on behind `lastId`; null: there are no more. Orders are
 * not looked up.
 */
export async function readLedger(
  tx: Tx,
  wanted: LedgerWanted,
  afterId: string | null,
  limit: number,
): Promise<{ rows: LedgerLine[]; lastId: string | null }> {
  const { rows, more } = await readPage<Row>(
    tx,
    statementOf(wanted, false),
    paramsOf(tx, wanted, afterId, limit),
    { limit, long },
  );
  return {
    rows: rows.filter(({ fits }) => fits).map(show),
    lastId: more ? (rows.at(-1)?.id ?? null) : null,
  };
}

function hasDays({ effectiveFrom, effectiveTo }: LedgerWanted): boolean {
  return effectiveFrom !== undefined || effectiveTo !== undefined;
}

/** Whether entries are read that were recorded after the last day, because they may have happened before. */
function readsLate({ by, effectiveTo }: LedgerWanted): boolean {
  return effectiveTo !== undefined && isListedByType(by);
}

function statementOf(wanted: LedgerWanted, withOrders: boolean): string {
  const { by, order } = wanted;
  return selectLedgerPage(by, order, { withOrders, effective: hasDays(wanted), late: readsLate(wanted) });
}

function paramsOf(tx: Tx, wanted: LedgerWanted, afterId: string | null, limit: number): unknown[] {
  const { entityId, order, movementType, from, to, effectiveFrom, effectiveTo, locationIds } = wanted;
  const types = movementType === undefined ? movementTypes : [movementType];
  // Nothing happens after the day on which it is recorded.
  const lower = highest([idAt(from), effectiveFrom === undefined ? null : idAt(Date.parse(effectiveFrom))]);
  const upper = idAt(to);
  const above = order === 'asc' ? (afterId ?? lower) : lower;
  const below = order === 'desc' ? (afterId ?? upper) : upper;
  const all = [tx.workspaceId, locationIds ?? entityId, types, above, below, limit + 1];
  if (!hasDays(wanted)) return all;
  const days = [effectiveFrom ?? null, effectiveTo ?? null];
  if (!readsLate(wanted)) return [...all, ...days];
  const dayAfter = idAt(Date.parse(effectiveTo ?? '') + DAY_MS);
  const inTime = [above, lowest([below, dayAfter])];
  const late = [highest([above, dayAfter]), below];
  return [tx.workspaceId, locationIds ?? entityId, types, ...inTime, limit + 1, ...days, ...late];
}

function idAt(ms: number | undefined): string | null {
  return ms === undefined ? null : firstIdAt(ms);
}

/** Ids are lowercase text of one length. */
function highest(ids: readonly (string | null)[]): string | null {
  return (
    ids
      .filter((id) => id !== null)
      .toSorted()
      .at(-1) ?? null
  );
}

function lowest(ids: readonly (string | null)[]): string | null {
  return ids.filter((id) => id !== null).toSorted()[0] ?? null;
}

function show(row: Row): LedgerLine {
  const actor: Actor = { type: row.actor_type, id: row.actor_id, name: row.actor_name };
  return { ...showEntry(entryOfRow(row), row.item_number, row.location_number, actor), unit: row.unit };
}

/** Locations whose ledgers one list merges. */
const LOCATIONS_MAX = 300;

/** Returns a location and those that lie in it. Throws `tree_too_large`. */
export async function locationsWithin(tx: Tx, locationId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(selectLocationsWithin, [
    tx.workspaceId,
    locationId,
    LOCATIONS_MAX + 1,
  ]);
  if (rows.length <= LOCATIONS_MAX) return rows.map(({ id }) => id);
  throw new AppError('tree_too_large', {
    detail: `More than ${LOCATIONS_MAX} locations lie in the location. Ask for a smaller one.`,
    extensions: { limit: LOCATIONS_MAX },
  });
}

interface ActorRow extends LedgerActor {
  has_moved: boolean;
}

/** Lists actors in the order of their ids; a page looks at as many callers as it may hold. Throws `invalid_cursor`. */
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
