/**
 * The statements of searches by properties. Few candidates, which the ranges of the indexes have in common, are gathered, sorted and paged by
 * the key; of many, an index is walked in the order of the page, and ranges that are known as a whole tell which rows are worth a look at
 * their entity: that look costs as much as some thirty rows of an index.
 *
 * Parameters of all: $1 to $11 as in `sort-entities.sql.ts` ($1 workspace, $2 rows that are looked at, $3 entities wanted, $4 categories, $5
 * states, $6 text, $7 number, $8 whether the page goes on after a key, $9 that key, $10 its id, $11 `Archived`), $12 jsonpath, $13 keys and $14
 * patterns of `meetsConditions`, $15 key of the property to sort by, $16 number of its index, $17 entities that no index of values has yet,
 * $18 to $21 the ranges (value-ranges.sql.ts), $22 and $23 the ends of the walk.
 */
import { meetsConditions } from '../conditions/conditions.sql.ts';
import { fits as fitsOthers, type Order, type Source, sources } from './sort-entities.sql.ts';
import { mayBeInAll, type RangeOfIndex, rangeOf } from './value-ranges.sql.ts';

/** The sort order of entities; a property is sorted by its number or its text. */
export type OrderKey = 'created' | 'number' | 'name' | 'updatedAt' | 'propertyNumber' | 'propertyText';
/** The source of candidates: a source of sorted searches, or what some ranges have in common, of which the first is the smallest. */
export type CandidateSource = Source | readonly RangeOfIndex[];

const fits = `${fitsOthers('e', '$11')} and ${meetsConditions('$12', '$13', '$14')}`;

interface KeyForm {
  /** An expression on a row of entity. */
  sql: string;
  type: 'text' | 'float8';
  collation: string;
}

const text = (sql: string, collation = ''): KeyForm => ({ sql, type: 'text', collation });
const keys: Record<OrderKey, KeyForm> = {
  created: text(`''`),
  number: text('number'),
  name: text('name'),
  updatedAt: text(`to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`),
  propertyNumber: { sql: 'indexed_number(properties -> $15::text)', type: 'float8', collation: '' },
  propertyText: text('indexed_word(properties -> $15::text)', ' collate "C"'),
};

const isOfRanges = (source: CandidateSource): source is readonly RangeOfIndex[] => typeof source !== 'string';

/** The candidates, $2 at most. */
function candidatesOf(source: CandidateSource): string {
  if (!isOfRanges(source)) return `candidates as materialized (${sources[source]})`;
  const [first, ...sets] = source;
  if (first === undefined) throw new Error('Candidates need a range');
  return `
    candidates as materialized (
      select c.id from (${rangeOf(first)}) as c where ${mayBeInAll('c.id', sets)} limit $2)`;
}

/** Gives every parameter its type: not every statement has a use for all. */
const parameters = `
    parameters as (select $4::text[], $5::text[], $6::text, $7::text, $8::boolean, $9::text, $10::uuid, $11::text, $12::jsonpath, $13::text[],
                          $14::text[], $15::text, $16::int, $17::uuid[], $18::int[], $19::int[], $20::text[], $21::text[], $22::text, $23::text)`;

/** The columns that decide whether an entity fits, and its key. */
const columns = 'id, number, name, category, state, updated_at, properties, archived_at';
const entityOf = (id: string, more = '') => `
      cross join lateral (select ${columns}${more} from entity where workspace_id = $1 and id = ${id} offset 0) as e`;

/**
 * SQL: the rows of the candidates, and where indexes of values give them, of the entities that these lack. All in one scan, which for each takes
 * half of what a probe by itself would.
 */
const rowsOf = (source: CandidateSource) => `(
        select ${columns} from entity
        where workspace_id = $1 and id = any(array(select id from candidates)${isOfRanges(source) ? ' || $17::uuid[]' : ''}) offset 0) as e`;

/** Rows behind the key of the page before. */
const behind = ({ type, collation }: KeyForm, beyond: '>' | '<') => `
  (not $8::boolean or (key is null and $9::text is not null)
    or (key is not null and $9::text is not null and (key${collation}, id) ${beyond} ($9::${type}${collation}, $10::uuid))
    or (key is null and $9::text is null and id ${beyond} $10::uuid))`;

const pageOf = `coalesce((select jsonb_agg(jsonb_build_array(id, key::text) order by place) from page), '[]') as page`;

/** A page of few entities; none, where there are $2 candidates or more. */
export function sortCandidates(source: CandidateSource, by: OrderKey, order: Order): string {
  const key = keys[by];
  return `
    with ${parameters},
    ${candidatesOf(source)},
    sorted as materialized (
      select e.id, ${key.sql} as key from ${rowsOf(source)}
      where (select count(*) from candidates) < $2 and ${fits}
    ),
    page as (
      select id, key,
             row_number() over (order by key is null, key${key.collation} ${order}, id ${order}) as place
      from sorted where ${behind(key, order === 'asc' ? '>' : '<')}
      order by place limit $3
    )
    select (select count(*)::int from candidates) as walked, ${pageOf}`;
}

interface Walk {
  /** Rows of an index in the order of the page, with the key. */
  keyed: string;
  /** The entities behind them among which are those that have no key, and their order; null where there are none. */
  unkeyed: { condition: string; by: string } | null;
  /** The index is one of values. */
  isOfValues: boolean;
}

/** Returns null if no index has the order. */
function walkOf(by: OrderKey, order: Order): Walk | null {
  const beyond = order === 'asc' ? '>' : '<';
  const ofValues = (table: string, type: string, end: (parameter: string) => string): Walk => ({
    keyed: `
        select entity_id as id, value as key from ${table}
        where workspace_id = $1 and value_index = $16::int and value >= ${end('$22')} and value <= ${end('$23')}
          and (not $8::boolean or ($9::text is not null and (value, entity_id) ${beyond} ($9::${type}, $10::uuid)))
        order by value ${order}, entity_id ${order} limit $2`,
    unkeyed: { condition: 'true', by: `id ${order}` },
    isOfValues: true,
  });
  switch (by) {
    case 'created':
      return {
        keyed: `
        select id, ''::text as key from entity
        where workspace_id = $1 and (not $8::boolean or id ${beyond} $10::uuid) order by id ${order} limit $2`,
        unkeyed: null,
        isOfValues: false,
      };
    case 'number':
      return {
        keyed: `
        select id, number as key from entity
        where workspace_id = $1 and number is not null
          and (not $8::boolean or ($9::text is not null and (number, id) ${beyond} ($9, $10::uuid)))
        order by number ${order}, id ${order} limit $2`,
        unkeyed: { condition: 'number is null', by: `number ${order}, id ${order}` },
        isOfValues: false,
      };
    case 'propertyNumber':
      return ofValues('property_number', 'float8', (end) => `${end}::float8`);
    case 'propertyText':
      return ofValues('property_text', 'text collate "C"', (end) => `left(${end}, 200)`);
    default:
      return null;
  }
}

/**
 * A page in the order of an index, of $2 rows at most, and of as many of those without a key behind them; null where no index has the order. As
 * soon as the page is full, no further row is read. Only entities that are in all `sets` are looked at. The answer has `ended` unless there may
 * be more rows, and the `last` that was read, neither of them where the page is full.
 */
export function walkInOrder(
  by: OrderKey,
  order: Order,
  { sets, isBounded }: { sets: readonly RangeOfIndex[]; isBounded: boolean },
): string | null {
  const walk = walkOf(by, order);
  if (walk === null) return null;
  const { type, collation, sql: key } = keys[by];
  const beyond = order === 'asc' ? '>' : '<';
  // An entity without a value is in no range of the property.
  const unkeyed = isBounded ? null : walk.unkeyed;
  const isFull = '(select count(*) from found) >= $3';
  const keyedEnded = '(select count(*) from keyed) < $2';
  const back = order === 'asc' ? 'desc' : 'asc';
  const lastKeyed = `from keyed order by key ${back}, id ${back} limit 1`;
  const waiting = `
    select e.id, e.key from unnest($17::uuid[]) as w (waiting) ${entityOf('w.waiting', `, ${key} as key`)}
    where e.key is not null and ${behind({ sql: key, type, collation }, beyond)} and ${fits}
      and case when ${isFull} then true when ${keyedEnded} then true
            else (e.key${collation}, e.id) ${beyond === '>' ? '<=' : '>='} (
              select key, id ${lastKeyed}) end`;
  return `
    with ${parameters},
    keyed as materialized (${walk.keyed}),
    found as materialized (
      select k.id, k.key from keyed k ${entityOf('k.id')}
      where ${mayBeInAll('k.id', sets)} and ${fits} order by k.key ${order}, k.id ${order} limit $3),
    waiting as materialized (${walk.isOfValues ? waiting : 'select id, key from found where false'}),
    unkeyed as materialized (
      ${
        unkeyed === null
          ? 'select null::uuid as id where false'
          : `
      select id from entity
      where workspace_id = $1 and ${unkeyed.condition} and (not $8::boolean or $9::text is not null or id ${beyond} $10::uuid)
        and case when ${isFull} then false else ${keyedEnded} end
      order by ${unkeyed.by} limit $2`
      }),
    found_unkeyed as materialized (
      select u.id from unkeyed u ${entityOf('u.id')}
      where ${key} is null and ${mayBeInAll('u.id', sets)} and ${fits} order by u.id ${order} limit $3),
    page as (
      select id, key, row_number() over (order by key is null, key${collation} ${order}, id ${order}) as place
      from (select id, key from found union select id, key from waiting
            union all select id, null::${type} from found_unkeyed) as all_found
      order by place limit $3)
    select case when not ${isFull} then ${keyedEnded} and (select count(*) from unkeyed) < $2 end as ended,
           case when not ${isFull} then coalesce(
             (select jsonb_build_array(id, null) from unkeyed order by id ${back} limit 1),
             (select jsonb_build_array(id, key::text) ${lastKeyed})) end as last,
           ${pageOf}`;
}

/** Counts each range, up to $2 rows. */
export const countRanges = (ranges: readonly RangeOfIndex[]) => `
  with ${parameters}
  ${ranges
    .map(
      (range) =>
        `select ${range.place} as place, count(*)::int from (${rangeOf(range)} limit $2::int) as r where $3::int is not distinct from $3`,
    )
    .join(' union all ')}`;

/**
 * Counts the candidates that fit: of each category and state, and of each value of some properties ($24). The answer has one row with the
 * number of candidates.
 */
export const countFitting = (source: CandidateSource) => `
  with ${parameters},
  ${candidatesOf(source)},
  hits as materialized (
    select e.category, e.state, e.properties from ${rowsOf(source)}
    where $3::int is not distinct from $3 and ${fits}
  ),
  counted as (
    select null as property, category, state, null as value, count(*)::int as count from hits group by category, state
    union all
    select k.key, null, null, h.properties ->> k.key, count(*)::int
    from hits h cross join unnest($24::text[]) as k (key)
    where h.properties ? k.key group by k.key, h.properties ->> k.key
  )
  select (select count(*)::int from candidates) as walked, coalesce((select jsonb_agg(to_jsonb(counted)) from counted), '[]') as counted`;

/** The entities that fit, of those that are given: $2 id[], $4 to $7 and $11 to $14 as above. */
export const selectFitting = `
  select e.id from unnest($2::uuid[]) as i (id)
  ${entityOf('i.id')}
  where ($3::int is null or $8::boolean or $9::text is null or $10::uuid is null) and ${fits}`;
