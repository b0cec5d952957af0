/**
 * Compiles conditions for PostgreSQL: one predicate on the JSON of the properties, which decides, and ranges of the indexes of values,
 * which narrow the search down.
 */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { PropertyValue } from '../../configuration/properties/property-value.ts';
import type { Tx } from '../../db/transaction.ts';
import { ownKey, selectIndexes, selectPatterns } from './conditions.sql.ts';
import { followMerges } from './follow-merges.ts';
import { type Condition, readConditions } from './read-condition.ts';

/** An index of the values of a property that is filled. */
export interface ValueIndex {
  number: number;
  kind: 'number' | 'text';
}

/** Ranges of an index, both ends included, that have all entities which meet a condition, and perhaps others. */
export interface IndexRanges {
  index: ValueIndex;
  lows: readonly string[];
  highs: readonly string[];
}

export interface Predicate {
  /** A jsonpath predicate; null for none. */
  path: string | null;
  /** Keys of properties and the patterns that each of their texts must match. */
  has: { keys: readonly string[]; patterns: readonly string[] } | null;
}

export interface CompiledConditions extends Predicate {
  ranges: readonly IndexRanges[];
}

/** Throws `invalid_condition`. */
export async function compileConditions(tx: Tx, texts: readonly string[]): Promise<CompiledConditions> {
  if (texts.length === 0) return { path: null, has: null, ranges: [] };
  const conditions = await followMerges(tx, readConditions(texts, await loadConfiguration(tx), new Date()));
  const indexes = await readIndexes(
    tx,
    conditions.filter(({ property }) => property.isOwn !== true).map(({ property }) => property.key),
  );
  return {
    path: pathOf(conditions),
    has: await patternsOf(tx, conditions),
    ranges: rangesOf(conditions, indexes),
  };
}

/** Compiles conditions that have been read, for entities that are known (meeting.ts). */
export async function predicateOf(tx: Tx, written: readonly Condition[]): Promise<Predicate> {
  const conditions = await followMerges(tx, written);
  return { path: pathOf(conditions), has: await patternsOf(tx, conditions) };
}

/** Returns the filled indexes of these properties. */
export async function readIndexes(tx: Tx, keys: readonly string[]): Promise<Map<string, ValueIndex>> {
  const rows = await tx.query<ValueIndex & { key: string }>(selectIndexes, [tx.workspaceId, keys]);
  return new Map(rows.map(({ key, number, kind }) => [key, { number, kind }]));
}

/** Returns the key of the value in the document that conditions are compared with. */
function keyOf({ property: { key, isOwn } }: Condition): string {
  return isOwn === true ? ownKey(key) : key;
}

const comparisons = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', in: '==', ne: '==' } as const;

/**
 * Each condition asks whether there `exists` a value of the kind, so that a missing one, or one of another type from before, is
 * false and not unknown.
 */
function pathOf(conditions: readonly Condition[]): string | null {
  const parts = conditions.flatMap((condition) => {
    const { operator, values } = condition;
    const at = `$.${JSON.stringify(keyOf(condition))}`;
    // Words are compared by patterns beside this; a text without a word asks for any value.
    if (operator === 'has' || operator === 'none') {
      // A text without a character is no value.
      const exists = `exists(${at} ? (@.type() != "string" || @ != ""))`;
      return [operator === 'has' ? exists : `!(${exists})`];
    }
    const one = values
      .map((value) =>
        operator === 'containing'
          ? `@ like_regex ${JSON.stringify(value)} flag "q"`
          : `@ ${comparisons[operator]} ${JSON.stringify(value)}`,
      )
      .join(' || ');
    const exists = `exists(${at} ? (${one}))`;
    return [operator === 'ne' ? `!(${exists})` : exists];
  });
  return parts.length === 0 ? null : parts.map((part) => `(${part})`).join(' && ');
}

async function patternsOf(tx: Tx, conditions: readonly Condition[]): Promise<CompiledConditions['has']> {
  const words = conditions.filter(({ operator, values }) => operator === 'has' && values.length > 0);
  if (words.length === 0) return null;
  const rows = await tx.query<{ key: string; pattern: string }>(selectPatterns, [
    words.map(keyOf),
    words.map(({ values }) => String(values[0])),
  ]);
  return { keys: rows.map(({ key }) => key), patterns: rows.map(({ pattern }) => pattern) };
}

/** A text that sorts behind every other one. */
const LAST_TEXT = '\u{10ffff}';
const ends = { number: ['-Infinity', 'Infinity'], text: ['', LAST_TEXT] } as const;

/** Conditions on one property are joined where they leave one range. */
function rangesOf(
  conditions: readonly Condition[],
  indexes: ReadonlyMap<string, ValueIndex>,
): readonly IndexRanges[] {
  const bounds = new Map<ValueIndex, { low: PropertyValue; high: PropertyValue }>();
  const listed: IndexRanges[] = [];
  for (const { property, operator, values } of conditions) {
    const index = property.isOwn === true ? undefined : indexes.get(property.key);
    if (index === undefined || ['ne', 'none', 'containing'].includes(operator)) continue;
    if (operator === 'in') {
      listed.push({ index, lows: values.map(String), highs: values.map(String) });
      continue;
    }
    const [first, last] = ends[index.kind];
    const known = bounds.get(index) ?? { low: typed(index, first), high: typed(index, last) };
    const [value] = operator === 'has' ? [] : values;
    if (value !== undefined) {
      const bound = typed(index, String(value));
      if (operator !== 'lt' && operator !== 'le' && isBelow(known.low, bound)) known.low = bound;
      if (operator !== 'gt' && operator !== 'ge' && isBelow(bound, known.high)) known.high = bound;
    }
    bounds.set(index, known);
  }
  for (const [index, { low, high }] of bounds)
    listed.push({ index, lows: [String(low)], highs: [String(high)] });
  return listed;
}

/**
 * Returns the ends between which all values of an index lie that meet the conditions; `isNarrow` says that an entity without a value meets
 * them not.
 */
export function endsOf(
  { ranges }: Pick<CompiledConditions, 'ranges'>,
  index: ValueIndex,
): { low: string; high: string; isNarrow: boolean } {
  const [first, last] = ends[index.kind];
  let [low, high] = [typed(index, first), typed(index, last)];
  const own = ranges.filter((range) => range.index.number === index.number);
  for (const { lows, highs } of own) {
    const [lowest, highest] = [
      lowestOf(lows.map((one) => typed(index, one))),
      highestOf(highs.map((one) => typed(index, one))),
    ];
    if (isBelow(low, lowest)) low = lowest;
    if (isBelow(highest, high)) high = highest;
  }
  return { low: String(low), high: String(high), isNarrow: own.length > 0 };
}

const lowestOf = (values: readonly PropertyValue[]) => values.reduce((a, b) => (isBelow(b, a) ? b : a));
const highestOf = (values: readonly PropertyValue[]) => values.reduce((a, b) => (isBelow(a, b) ? b : a));

function typed({ kind }: ValueIndex, text: string): PropertyValue {
  return kind === 'number' ? Number(text) : text;
}

/** Texts are compared by code points, as in the index. */
function isBelow(a: PropertyValue, b: PropertyValue): boolean {
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) < 0 : a < b;
}
