/** Counts entities that meet conditions: by category and state, and by the values of properties. */
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { compileConditions, readIndexes } from '../conditions/compile-conditions.ts';
import type { EntityQuery } from '../entities.schema.ts';
import { entitiesNamed } from '../require-references.ts';
import { scopeOfSearch } from './scope-of-search.ts';
import { preferIndexOrder } from './search-entities.sql.ts';
import { withNumberSought } from './search-patterns.ts';
import { countValues } from './value-ranges.sql.ts';
import { beginSearch } from './value-search.ts';
import { countFitting } from './where-entities.sql.ts';
import { CANDIDATES_MAX, otherSources } from './where-entities.ts';

export interface CountedKind {
  category: string;
  state: string;
  count: number;
  isAtLeast: boolean;
}
interface CountedValue {
  value: string;
  count: number;
  isAtLeast: boolean;
}
export interface CountedValues {
  property: string;
  values: CountedValue[];
  /** Whether there are more values. */
  more: boolean;
}

type Filters = Pick<EntityQuery, 'category' | 'state' | 'role' | 'q' | 'archived' | 'where'> & {
  number?: string | undefined;
};

const VALUES_MAX = 200;
const COUNTED_MAX = 10_000;

interface Counted {
  property: string | null;
  category: string;
  state: string;
  value: string;
  count: number;
}

/** `isCut` says that not all candidates were checked. Throws `invalid_condition`, `unknown_property`. */
export async function countWhere(
  tx: Tx,
  given: Filters,
  keys: readonly string[],
): Promise<{ items: CountedKind[]; properties: CountedValues[]; isCut: boolean }> {
  const references = await referencesOf(tx, keys);
  const conditions = await compileConditions(tx, given.where ?? []);
  const filters = withNumberSought(given);
  const scope = filters === null ? null : await scopeOfSearch(tx, filters);
  if (filters === null || scope === null)
    return {
      items: [],
      properties: keys.map((property) => ({ property, values: [], more: false })),
      isCut: false,
    };
  await tx.query(preferIndexOrder);
  const isAll = conditions.path === null && conditions.has === null && filters.q === undefined;
  if (
    isAll &&
    keys.length > 0 &&
    filters.number === undefined &&
    filters.archived !== 'only' &&
    scope.categories === null &&
    scope.states === null
  ) {
    const whole = await countIndexed(tx, { keys, references, withArchived: filters.archived === 'true' });
    if (whole !== null) return { items: [], properties: whole, isCut: false };
  }
  const search = await beginSearch(tx, { query: filters, scope, conditions, sorting: null });
  const ranges = filters.number === undefined ? await search.smallest() : [];
  const sources = [
    ...(ranges.length > 0 ? [{ source: ranges, max: CANDIDATES_MAX }] : []),
    ...otherSources(filters, scope),
  ];
  let found = { walked: 0, counted: [] as Counted[] };
  let isCut = true;
  for (const { source, max } of sources) {
    found = await search.run(countFitting(source), [max + 1, null], null, [keys]);
    isCut = found.walked > max;
    if (!isCut) break;
  }
  const items = found.counted
    .filter(({ property }) => property === null)
    .map(({ category, state, count }) => ({ category, state, count, isAtLeast: isCut }))
    .toSorted((a, b) => compare(a.category, b.category) || compare(a.state, b.state));
  const properties: CountedValues[] = [];
  for (const property of keys) {
    const stored = found.counted
      .filter((one) => one.property === property)
      .map(({ value, count }) => ({ value, count, isAtLeast: isCut }));
    const values = await sorted(tx, stored, references.has(property));
    properties.push({
      property,
      values: values.slice(0, VALUES_MAX),
      more: isCut || values.length > VALUES_MAX,
    });
  }
  return { items, properties, isCut };
}

interface Indexed {
  keys: readonly string[];
  references: ReadonlySet<string>;
  withArchived: boolean;
}

/** Counts in the indexes alone; null where a property has none. */
async function countIndexed(
  tx: Tx,
  { keys, references, withArchived }: Indexed,
): Promise<CountedValues[] | null> {
  const indexes = await readIndexes(tx, keys);
  const counted: CountedValues[] = [];
  for (const property of keys) {
    const index = indexes.get(property);
    if (index === undefined) return null;
    const rows = await tx.query<{ value: string; count: number }>(countValues(index.kind), [
      tx.workspaceId,
      index.number,
      COUNTED_MAX,
      VALUES_MAX + 1,
      property,
      withArchived,
    ]);
    const more = rows.length > VALUES_MAX;
    const isReference = references.has(property);
    // Another name of the same entity may be among the values that were not read.
    const stored = rows.slice(0, VALUES_MAX).map(({ value, count }) => ({
      value,
      count: Math.min(count, COUNTED_MAX),
      isAtLeast: count > COUNTED_MAX || (more && isReference),
    }));
    const values = await sorted(
      tx,
      stored.filter(({ count }) => count > 0),
      isReference,
    );
    counted.push({ property, values, more });
  }
  return counted;
}

/** Returns the commonest values first. References by different names of one entity are one value, its id, as in conditions. */
async function sorted(
  tx: Tx,
  stored: readonly CountedValue[],
  isReference: boolean,
): Promise<CountedValue[]> {
  const known = isReference
    ? await entitiesNamed(
        tx,
        stored.map(({ value }) => value),
      )
    : null;
  const values = new Map<string, CountedValue>();
  for (const { value, count, isAtLeast } of stored) {
    const name = known?.get(value) ?? value;
    const other = values.get(name);
    values.set(name, {
      value: name,
      count: count + (other?.count ?? 0),
      isAtLeast: isAtLeast || other?.isAtLeast === true,
    });
  }
  return [...values.values()].toSorted((a, b) => b.count - a.count || compare(a.value, b.value));
}

/** Returns the keys of references. Throws `unknown_property`. */
async function referencesOf(tx: Tx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { properties } = await loadConfiguration(tx);
  const unknown = keys.find((key) => !properties.has(key));
  if (unknown !== undefined)
    throw new AppError('unknown_property', `The workspace defines no property ${JSON.stringify(unknown)}.`);
  return new Set(keys.filter((key) => properties.get(key)?.type === 'reference'));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
