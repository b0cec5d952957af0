/** The parameters that all statements of a search by values share, the entities without indexed values, and the ranges of its conditions. */
import type { Tx } from '../../db/transaction.ts';
import { type CompiledConditions, endsOf, type ValueIndex } from '../conditions/compile-conditions.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { type SearchScope, searchParameters } from './scope-of-search.ts';
import type { SortKey } from './sort-entities.ts';
import { type RangeOfIndex, selectWaiting } from './value-ranges.sql.ts';
import { countRanges, type OrderKey } from './where-entities.sql.ts';

/** Maximum number of entities whose values are not indexed yet and which are therefore checked one by one. */
const WAITING_MAX = 2000;
/** Maximum number of rows of ranges that are counted to find the smallest range: of each range, and of all ranges. */
const RANGE_MAX = 60_000;
const RANGES_MAX = 120_000;
/** Ranges that are compared with the smallest one. */
const SETS_MAX = 3;
/** A look at an entity costs as much as so many rows of a range. */
const ROWS_PER_LOOK = 15;

/** A range, with the number of entities in it. */
export interface KnownRange extends RangeOfIndex {
  count: number;
}

export interface Sorting {
  by: OrderKey;
  key: string | null;
  /** The index of the property; null if it has none that is filled. */
  index: ValueIndex | null;
}

export interface ValueSearch {
  /** Runs a statement of where-entities.sql.ts, whose answer is one row. */
  run<Answer>(
    sql: string,
    [rows, wanted]: [number, number | null],
    after: SortKey | null,
    more?: unknown[],
  ): Promise<Answer>;
  /** Whether it uses an index that more entities wait for than can be checked one by one, so that entities may be missing from the result. */
  lacksWaiting: boolean;
  /** Whether a condition bounds the walk, so that no entity without a key fits. */
  isBounded: boolean;
  /** The ranges that are known as a whole: the smallest, and behind it those that are worth a comparison. */
  smallest(): Promise<KnownRange[]>;
}

interface Asked {
  query: Pick<EntityQuery, 'q' | 'archived'> & { number?: string | undefined };
  scope: SearchScope;
  conditions: CompiledConditions;
  sorting: Sorting | null;
}

export async function beginSearch(
  tx: Tx,
  { query, scope, conditions, sorting }: Asked,
): Promise<ValueSearch> {
  const waiting = await tx.query<{ id: string }>(selectWaiting, [tx.workspaceId, WAITING_MAX + 1]);
  const ranges = conditions.ranges.map(({ index, lows, highs }, at) => ({
    place: at + 1,
    index,
    lows,
    highs,
  }));
  const rows = ranges.flatMap(({ place, index, lows, highs }) =>
    lows.map((low, at) => ({ place, number: index.number, low, high: highs[at] as string })),
  );
  const bounds = sorting?.index ? endsOf(conditions, sorting.index) : null;
  const parameters = (sizes: [number, number | null], after: SortKey | null) => [
    tx.workspaceId,
    ...sizes,
    ...searchParameters(scope, query, after),
    conditions.path,
    conditions.has?.keys ?? null,
    conditions.has?.patterns ?? null,
    sorting?.key ?? null,
    sorting?.index?.number ?? null,
    waiting.length > WAITING_MAX ? [] : waiting.map(({ id }) => id),
    rows.map(({ place }) => place),
    rows.map(({ number }) => number),
    rows.map(({ low }) => low),
    rows.map(({ high }) => high),
    bounds?.low ?? null,
    bounds?.high ?? null,
  ];
  return {
    run: async <Answer>(
      sql: string,
      sizes: [number, number | null],
      after: SortKey | null,
      more: unknown[] = [],
    ) => {
      const [answer] = await tx.query<Answer>(sql, [...parameters(sizes, after), ...more]);
      return answer as Answer;
    },
    lacksWaiting: waiting.length > WAITING_MAX && (ranges.length > 0 || (sorting?.index ?? null) !== null),
    isBounded: bounds?.isNarrow === true,
    smallest: async () => {
      if (ranges.length === 0) return [];
      const max = Math.min(RANGE_MAX, Math.floor(RANGES_MAX / ranges.length));
      const kinds = ranges.map(({ place, index }) => ({ place, kind: index.kind }));
      const counted = await tx.query<{ place: number; count: number }>(
        countRanges(kinds),
        parameters([max + 1, null], null),
      );
      const counts = new Map(counted.map(({ place, count }) => [place, count]));
      const [first, ...others] = kinds
        .map((range) => ({ ...range, count: counts.get(range.place) ?? 0 }))
        .filter(({ count }) => count <= max)
        .toSorted((a, b) => a.count - b.count);
      if (first === undefined) return [];
      return [first, ...others.filter(({ count }) => count < first.count * ROWS_PER_LOOK).slice(0, SETS_MAX)];
    },
  };
}
