/** Reads the rows that a plan needs: of the whole workspace, or of chosen items. */
import type { Tx } from '../../db/transaction.ts';
import type { BinaryRows } from '../../db/wire/binary-rows.ts';
import { CopyTooLargeError, giveBack } from '../../db/wire/copy-out.ts';
import { type EntityRef, resolveEntityIds } from '../../entities/resolve-entity.ts';
import { AppError } from '../../errors.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import type { InputChoice } from './input-choice.ts';
import { type KeptRevision, mergeKeptLinks } from './merge-kept-links.ts';
import { lastChildOf, type PackedLinks, packLinks, readPackedLinks } from './packed-links.ts';
import { selectPlanForecasts, selectPlanForecastsOfItems } from './plan-forecasts.sql.ts';
import {
  type LinkRow,
  selectEntities,
  selectEntitiesOfItems,
  selectItemCategories,
  selectItemPlanning,
  selectItemPlanningOfItems,
  selectKeptLinks,
  selectLinks,
  selectOffers,
  selectOffersOfItems,
  selectPlanLines,
  selectPlanLinesOfItems,
  selectPlanRequirements,
  selectPlanRequirementsOfItems,
  selectStock,
  selectStockOfItems,
  selectTransit,
} from './planning-input.sql.ts';

/** Rows of one statement. They are held as bytes, some tens of each. */
const ROWS_AT_ONCE = 50_000;
const ITEMS_AT_ONCE = 200;

type Portions = AsyncIterable<BinaryRows>;

/** Rows in portions as the statements have them, entities by their ids and links by those of their parents. */
export interface InputSource {
  /** Categories of items, as entities count them. */
  readonly categories: readonly string[];
  /** Whether entities say if they have components. */
  readonly saysComponents: boolean;
  entities(): Portions;
  planning(): Portions;
  stock(): Portions;
  /** `kept` names the items whose structure is that of an earlier revision, in the order of their ids. */
  links(kept: readonly KeptRevision[]): AsyncIterable<PackedLinks[]>;
  offers(): Portions;
  lines(): Portions;
  requirements(): Portions;
  forecasts(): Portions;
  /** Ids by references; null: substitutes are not asked for. */
  idsOf: ((refs: readonly EntityRef[]) => Promise<ReadonlyMap<EntityRef, string>>) | null;
}

/** `day` is that of the run. */
export async function wholeWorkspace(
  tx: Tx,
  day: string,
  { revisions, locations, projects }: InputChoice,
): Promise<InputSource> {
  const categories = await readCategories(tx);
  const windows = (sql: string, params: readonly unknown[], key: readonly KeyPart[]) =>
    windowsOf(tx, sql, params, key);
  return {
    categories,
    saysComponents: false,
    entities: () => windows(selectEntities, [...revisions, categories, projects], [{ id: 0 }]),
    planning: () => windows(selectItemPlanning, [], [{ id: 0 }]),
    stock: async function* () {
      for (const sql of [selectStock, selectTransit]) yield* windows(sql, [locations], [{ id: 0 }]);
    },
    links: (kept) => {
      const current = currentLinks(tx);
      if (kept.length === 0) return current;
      return mergeKeptLinks(current, kept, async (some) => {
        const ids = some.map(({ id }) => id);
        const params = [tx.workspaceId, ids, some.map(({ revision }) => revision)];
        return packLinks(await tx.query<LinkRow>(selectKeptLinks, params));
      });
    },
    offers: () => windows(selectOffers, [], [{ id: 1 }, { id: 0 }]),
    lines: () => windows(selectPlanLines, [locations, day], [{ id: 0 }]),
    requirements: () => windows(selectPlanRequirements, [locations, day], [{ id: 0 }]),
    forecasts: () => windows(selectPlanForecasts, [day], [{ id: 0 }, { day: 1 }]),
    idsOf: async (refs) => {
      const found = new Map<EntityRef, string>();
      for (let from = 0; from < refs.length; from += ROWS_AT_ONCE)
        for (const one of await resolveEntityIds(tx, refs.slice(from, from + ROWS_AT_ONCE)))
          found.set(...one);
      return found;
    },
  };
}

/**
 * Items in the order of their ids, and the links between them in that of their parents. `rowsMax` bounds their lines and their requirements,
 * because they are planned in a request, beside those of others. What is read throws `tree_too_large`.
 */
export async function chosenItems(
  tx: Tx,
  day: string,
  { items, links, rowsMax }: { items: readonly string[]; links: readonly LinkRow[]; rowsMax: number },
  { revisions, locations, projects }: InputChoice,
): Promise<InputSource> {
  const categories = await readCategories(tx);
  const ofItems = (sql: string, ...params: unknown[]) => portionsOf(tx, sql, params, items);
  const withinMax = (sql: string, ...params: unknown[]) => withinRows(tx, sql, params, { items, rowsMax });
  return {
    categories,
    saysComponents: true,
    entities: () => ofItems(selectEntitiesOfItems, ...revisions, categories, projects),
    planning: () => ofItems(selectItemPlanningOfItems),
    stock: () => ofItems(selectStockOfItems, locations),
    links: async function* () {
      yield packLinks(links);
    },
    offers: () => ofItems(selectOffersOfItems),
    lines: () => withinMax(selectPlanLinesOfItems, locations, day),
    requirements: () => withinMax(selectPlanRequirementsOfItems, locations, day),
    forecasts: () => withinMax(selectPlanForecastsOfItems, day),
    idsOf: null,
  };
}

async function readCategories(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(selectItemCategories, [tx.workspaceId]);
  return rows.map(({ key }) => key);
}

/** Throws `tree_too_large` where the rows have very long values. */
async function copyRows(tx: Tx, sql: string, params: readonly unknown[]): Promise<BinaryRows> {
  try {
    return await tx.copy(sql, params);
  } catch (error) {
    if (!(error instanceof CopyTooLargeError)) throw error;
    const detail = `${error.message}: values are very long, such as lists of substitutes. Make them shorter, or let the operator raise DATABASE_COPY_BYTES_MAX.`;
    throw new AppError('tree_too_large', { detail, cause: error });
  }
}

async function* portionsOf(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  items: readonly string[],
): AsyncGenerator<BinaryRows> {
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE)
    yield await copyRows(tx, sql, [tx.workspaceId, ...params, items.slice(from, from + ITEMS_AT_ONCE)]);
}

async function* withinRows(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  { items, rowsMax }: { items: readonly string[]; rowsMax: number },
): AsyncGenerator<BinaryRows> {
  let left = rowsMax;
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const rows = await copyRows(tx, sql, [tx.workspaceId, ...params, some, left + 1]);
    yield rows;
    left -= rows.count;
    if (left < 0)
      throw new AppError('tree_too_large', {
        detail: `The item and those that it depends on have more than ${rowsMax} order lines, or requirements, which cannot be planned at once. A planning run plans them all.`,
        extensions: { limit: rowsMax },
      });
  }
}

/** A column of a key: an id, or a day as a text. */
type KeyPart = { readonly id: number } | { readonly day: number };

/** Reads rows in windows of their key, of which the last row of each begins the next. The reader goes through all of them. */
async function* windowsOf(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  key: readonly KeyPart[],
): AsyncGenerator<BinaryRows> {
  let behind: string[] = key.map((part) => ('id' in part ? LOWEST_ID : '0001-01-01'));
  for (;;) {
    const rows = await copyRows(tx, sql, [tx.workspaceId, ...params, ...behind, ROWS_AT_ONCE]);
    yield rows;
    if (rows.count < ROWS_AT_ONCE) return;
    behind = key.map((part) => ('id' in part ? rows.id(part.id) : rows.text(part.day)));
    giveBack(rows.bytes);
  }
}

async function* currentLinks(tx: Tx): AsyncGenerator<PackedLinks[]> {
  let behind: readonly [string, string] = [LOWEST_ID, LOWEST_ID];
  for (;;) {
    const rows = await copyRows(tx, selectLinks, [tx.workspaceId, ...behind, ROWS_AT_ONCE]);
    const links = readPackedLinks(rows, ROWS_AT_ONCE);
    yield links;
    const last = links.at(-1);
    if (last === undefined || links.reduce((sum, { count }) => sum + count, 0) < ROWS_AT_ONCE) return;
    behind = [last.parent_id, lastChildOf(last)];
    giveBack(rows.bytes);
  }
}
