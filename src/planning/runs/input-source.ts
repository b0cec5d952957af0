/** Reads the rows that a plan needs: of the whole workspace, or of chosen items. */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { LOWEST_ID } from '../../stock/entries/ledger-entry.ts';
import type { InputChoice } from './input-choice.ts';
import { type KeptRevision, mergeKeptLinks } from './merge-kept-links.ts';
import { countOf, lastChildOf, type PackedLinks, packLinks } from './packed-links.ts';
import { type ForecastRow, selectPlanForecasts, selectPlanForecastsOfItems } from './plan-forecasts.sql.ts';
import {
  type EntityRow,
  type LineRow,
  type LinkRow,
  type OfferRow,
  type RequirementRow,
  type StockRow,
  selectEntities,
  selectEntitiesOfItems,
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

const ROWS_AT_ONCE = 10_000;
const ITEMS_AT_ONCE = 200;

/** Rows in portions, entities by their ids and links by those of their parents. */
export interface InputSource {
  entities(): AsyncIterable<EntityRow[]>;
  stock(): AsyncIterable<StockRow[]>;
  /** `kept` names the items whose structure is that of an earlier revision, in the order of their ids. */
  links(kept: readonly KeptRevision[]): AsyncIterable<PackedLinks[]>;
  offers(): AsyncIterable<OfferRow[]>;
  lines(): AsyncIterable<LineRow[]>;
  requirements(): AsyncIterable<RequirementRow[]>;
  forecasts(): AsyncIterable<ForecastRow[]>;
}

/** `day` is that of the run. */
export function wholeWorkspace(tx: Tx, day: string, { revisions, locations }: InputChoice): InputSource {
  return {
    entities: () =>
      windowsOf<EntityRow>(
        tx,
        selectEntities,
        revisions,
        ({ id }) => [id],
        (some) => some.at(-1)?.place ?? 0,
      ),
    stock: async function* () {
      for (const sql of [selectStock, selectTransit])
        yield* windowsOf<StockRow>(tx, sql, [locations], ({ item_id: id }) => [id]);
    },
    links: (kept) => {
      const current = windowsOf<PackedLinks>(
        tx,
        selectLinks,
        [],
        (row) => [row.parent_id, lastChildOf(row)],
        (some) => some.reduce((sum, row) => sum + countOf(row), 0),
      );
      if (kept.length === 0) return current;
      return mergeKeptLinks(current, kept, async (some) => {
        const ids = some.map(({ id }) => id);
        const params = [tx.workspaceId, ids, some.map(({ revision }) => revision)];
        return packLinks(await tx.query<LinkRow>(selectKeptLinks, params));
      });
    },
    offers: () => windowsOf<OfferRow>(tx, selectOffers, [], ({ item_id: item, id }) => [item, id]),
    lines: () => windowsOf<LineRow>(tx, selectPlanLines, [locations, day], ({ id }) => [id]),
    requirements: () =>
      windowsOf<RequirementRow>(tx, selectPlanRequirements, [locations, day], ({ id }) => [id]),
    forecasts: () =>
      windowsOf<ForecastRow>(tx, selectPlanForecasts, [day], (row) => [row.item_id, row.from_day]),
  };
}

/**
 * Items in the order of their ids, and the links between them in that of their parents. `rowsMax` bounds their lines and their requirements,
 * because they are planned in a request, beside those of others. What is read throws `tree_too_large`.
 */
export function chosenItems(
  tx: Tx,
  day: string,
  { items, links, rowsMax }: { items: readonly string[]; links: readonly LinkRow[]; rowsMax: number },
  { revisions, locations }: InputChoice,
): InputSource {
  const ofItems = <R>(sql: string, ...params: unknown[]) => portionsOf<R>(tx, sql, params, items);
  return {
    entities: () => ofItems<EntityRow>(selectEntitiesOfItems, ...revisions),
    stock: () => ofItems<StockRow>(selectStockOfItems, locations),
    links: async function* () {
      yield packLinks(links);
    },
    offers: () => ofItems<OfferRow>(selectOffersOfItems),
    lines: () => withinRows<LineRow>(tx, selectPlanLinesOfItems, [locations, day], { items, rowsMax }),
    requirements: () =>
      withinRows<RequirementRow>(tx, selectPlanRequirementsOfItems, [locations, day], { items, rowsMax }),
    forecasts: () => withinRows<ForecastRow>(tx, selectPlanForecastsOfItems, [day], { items, rowsMax }),
  };
}

async function* portionsOf<R>(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  items: readonly string[],
): AsyncGenerator<R[]> {
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE)
    yield await tx.query<R>(sql, [tx.workspaceId, ...params, items.slice(from, from + ITEMS_AT_ONCE)]);
}

async function* withinRows<R>(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  { items, rowsMax }: { items: readonly string[]; rowsMax: number },
): AsyncGenerator<R[]> {
  let left = rowsMax;
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const rows = await tx.query<R>(sql, [tx.workspaceId, ...params, some, left + 1]);
    left -= rows.length;
    if (left < 0)
      throw new AppError('tree_too_large', {
        detail: `The item and those that it depends on have more than ${rowsMax} order lines, or requirements, which cannot be planned at once. A planning run plans them all.`,
        extensions: { limit: rowsMax },
      });
    yield rows;
  }
}

/** Keys of two parts behind which the first windows begin. */
const beginnings: ReadonlyMap<string, readonly string[]> = new Map([
  [selectLinks, [LOWEST_ID, LOWEST_ID]],
  [selectOffers, [LOWEST_ID, LOWEST_ID]],
  [selectPlanForecasts, [LOWEST_ID, '0001-01-01']],
]);

/** Reads rows in windows of their key, of which the last row of each begins the next. */
async function* windowsOf<R>(
  tx: Tx,
  sql: string,
  params: readonly unknown[],
  keyOf: (row: R) => readonly string[],
  lengthOf: (some: readonly R[]) => number = ({ length }) => length,
): AsyncGenerator<R[]> {
  let behind = beginnings.get(sql) ?? [LOWEST_ID];
  for (;;) {
    const some = await tx.query<R>(sql, [tx.workspaceId, ...params, ...behind, ROWS_AT_ONCE]);
    yield some;
    const last = some.at(-1);
    if (last === undefined || lengthOf(some) < ROWS_AT_ONCE) return;
    behind = keyOf(last);
  }
}
