/** Pages of lines: as they were made, or by the day on which they are required. */
import { z } from 'zod';
import { readPage } from '../../db/read-page.ts';
import type { Tx } from '../../db/transaction.ts';
import { resolveEntityId } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { decodeCursor, directionOf, encodeCursor, pageOf } from '../../http/list.ts';
import { lineTypes } from '../../stock/entries/line-rules.ts';
import { WINDOW_ROWS } from '../records/find-by-text.ts';
import { type LineRow, lineBehaviours, lineOfRow } from '../records/line.ts';
import {
  countFewLines,
  type DayWalk,
  type LinePath,
  selectDayWindowEnd,
  selectLinePage,
  selectLinesByDay,
  selectLineWindowEnd,
  sortFewLines,
} from '../records/line-pages.sql.ts';
import type { LineQuery, StockLine } from '../records/lines.schema.ts';
import { onlyOverdue } from '../records/overdue.ts';
import { showLine } from '../records/show-procurement.ts';
import { keysOfSupplier } from '../records/suppliers/supplier-key.ts';

/** Maximum number of lines of an owner, with a state or open, that one statement sorts; of more lines the index of days is walked. */
const SORTED_LINES_MAX = 5000;

/** Columns that can be long. */
const long = [
  'number',
  'order_number',
  'supplier',
  'item_number',
  'item_name',
  'location_number',
  'location_name',
  'state',
];

interface Page {
  items: StockLine[];
  nextCursor: string | null;
}

interface Search {
  path: LinePath;
  /** $4 to $12 of the statements. */
  filters: readonly unknown[];
}

/** Throws `entity_not_found`, `invalid_cursor`. */
export async function listLines(tx: Tx, given: LineQuery): Promise<Page> {
  const query = given.overdue === 'true' ? onlyOverdue(given) : given;
  const search = await searchOf(tx, query);
  return query.sort === 'requiredBy' ? listByDay(tx, query, search) : listAsMade(tx, query, search);
}

async function searchOf(tx: Tx, query: LineQuery): Promise<Search> {
  const { type, itemEntityId, orderId, requirementId, state, requiredFrom, requiredBefore, supplier } = query;
  const open = query.open === 'true';
  const item = itemEntityId === undefined ? null : await resolveEntityId(tx, itemEntityId);
  const order = orderId === undefined ? null : await resolveEntityId(tx, orderId);
  const requirement = requirementId === undefined ? null : await resolveEntityId(tx, requirementId);
  const types = type === undefined ? lineTypes : [type];
  const owners = [requirement, order, item].filter((one) => one !== null);
  const owner =
    requirement !== null ? 'requirement' : order !== null ? 'order' : item !== null ? 'item' : null;
  const ofState = state !== undefined || open;
  const isNarrowed = (owner !== null && (ofState || type !== undefined)) || (open && state !== undefined);
  const unindexed = [requiredFrom, requiredBefore, supplier].some((one) => one !== undefined);
  const path = {
    owner: owner ?? (type !== undefined && !ofState ? 'type' : null),
    state: state !== undefined,
    open,
    window: unindexed || owners.length > 1 || isNarrowed,
  } as const;
  const behaviours = types.map((one) => lineBehaviours[one]);
  const days = [requiredBefore ?? null, requiredFrom ?? null];
  const keys = await keysOfSupplier(tx, supplier);
  return { path, filters: [types, item, order, state ?? null, behaviours, requirement, ...days, keys] };
}

/** Lists lines in order of their ids. */
async function listAsMade(
  tx: Tx,
  { limit, cursor, order }: LineQuery,
  { path, filters }: Search,
): Promise<Page> {
  const list = order === 'asc' ? 'stock-lines' : 'stock-lines, newest first';
  const direction = directionOf(order);
  const of = [tx.workspaceId, decodeCursor(list, cursor, z.uuid())];
  const rows = await readPage<LineRow>(
    tx,
    selectLinePage(path, direction),
    [...of, limit + 1, ...filters, ...(path.window ? [WINDOW_ROWS] : [])],
    { limit, long },
  );
  const page = pageOf(list, rows, ({ id }) => id, shown);
  if (page.nextCursor !== null || !path.window) return page;
  const [end] = await tx.query<{ id: string }>(selectLineWindowEnd(path, direction), [
    ...of,
    WINDOW_ROWS,
    ...filters,
  ]);
  return end === undefined ? page : { ...page, nextCursor: encodeCursor(list, end.id) };
}

/** The line that a page goes on behind: of those without a day as soon as there is none. */
const DayKey = z.tuple([Day.nullable(), z.uuid().nullable()]);
type DayKey = z.output<typeof DayKey>;

/**
 * Position before the first line without a date, which is also a position among all lines. A walk may have found so
 * few lines that the next page is sorted.
 */
const undatedBegin: Readonly<Record<'asc' | 'desc', DayKey>> = {
  asc: [null, '00000000-0000-0000-0000-000000000000'],
  desc: [null, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
};

/**
 * Few lines of an owner, with a state or open are sorted. Else stock_line_required is walked, and behind its last day the lines without a day
 * in the order of their ids, by looks of a bounded length.
 */
async function listByDay(tx: Tx, query: LineQuery, search: Search): Promise<Page> {
  const { order, cursor, requiredFrom, requiredBefore } = query;
  const list = order === 'asc' ? 'stock-lines by day' : 'stock-lines by day, the last first';
  const decoded = decodeCursor(list, cursor, DayKey);
  // Cursors of earlier versions did not say where lines without a day begin.
  const after = decoded?.[1] === null ? undatedBegin[order] : decoded;
  const pages = new PagesByDay(tx, list, query, search);
  const sorted = await pages.sorted(after);
  if (sorted !== null) return sorted;
  const isUndated = after !== null && after[0] === null;
  const page = isUndated ? null : await pages.walked('dated', after);
  const mayBeUndated = requiredFrom === undefined && requiredBefore === undefined;
  if (page !== null && (page.nextCursor !== null || !mayBeUndated)) return page;
  const behind = await pages.walked('undated', isUndated ? after : null);
  if (page === null || page.items.length === 0) return behind;
  const isMore = behind.items.length > 0 || behind.nextCursor !== null;
  return { ...page, nextCursor: isMore ? encodeCursor(list, undatedBegin[order]) : null };
}

class PagesByDay {
  readonly #tx: Tx;
  readonly #list: string;
  readonly #query: LineQuery;
  readonly #search: Search;
  readonly #direction: ReturnType<typeof directionOf>;

  constructor(tx: Tx, list: string, query: LineQuery, search: Search) {
    this.#tx = tx;
    this.#list = list;
    this.#query = query;
    this.#search = search;
    this.#direction = directionOf(query.order);
  }

  /** Returns null where the lines are too many to be sorted, or are walked in any case. */
  async sorted(after: DayKey | null): Promise<Page | null> {
    const { path } = this.#search;
    if (!path.state && path.open !== true && (path.owner === null || path.owner === 'type')) return null;
    const all = SORTED_LINES_MAX + 1;
    const [few] = await this.#tx.query<{ lines: number }>(
      countFewLines(path, this.#direction),
      this.#params(null, 1, all),
    );
    if (few === undefined || few.lines >= all) return null;
    return this.#read(sortFewLines(path, this.#direction), after, all);
  }

  async walked(by: DayWalk, after: DayKey | null): Promise<Page> {
    const { path } = this.#search;
    const { type, supplier, limit } = this.#query;
    const isFiltered = type !== undefined || supplier !== undefined || path.state || path.open === true;
    // Each line of such a walk is shown.
    const isPlain = by === 'dated' && !isFiltered && path.owner === null;
    const looks = isPlain ? limit + 1 : WINDOW_ROWS;
    const page = await this.#read(selectLinesByDay(by, this.#direction, path.open), after, looks);
    if (page.nextCursor !== null) return page;
    const [end] = await this.#tx.query<{ id: string; day: string | null }>(
      selectDayWindowEnd(by, this.#direction),
      this.#params(after, 1, looks),
    );
    if (end === undefined) return page;
    return { ...page, nextCursor: encodeCursor(this.#list, [by === 'dated' ? end.day : null, end.id]) };
  }

  async #read(statement: string, after: DayKey | null, looks: number): Promise<Page> {
    const { limit } = this.#query;
    return pageOf(
      this.#list,
      await readPage<LineRow>(this.#tx, statement, this.#params(after, limit + 1, looks), { limit, long }),
      ({ id, required_by }): DayKey => [required_by, id],
      shown,
    );
  }

  #params(after: DayKey | null, rows: number, looks: number): unknown[] {
    return [
      this.#tx.workspaceId,
      after?.[1] ?? null,
      rows,
      ...this.#search.filters,
      after?.[0] ?? null,
      looks,
    ];
  }
}

function shown(row: LineRow): StockLine {
  return showLine(lineOfRow(row));
}
