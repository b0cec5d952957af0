/**
 * The statements of searches by properties, in the manner of `sort-entities.sql.ts`: few candidates are gathered from one index, sorted and
 * paged by the key; of many a window is walked in the order of an index.
 *
 * Parameters of all: $1 to $11 as there ($1 workspace, $2 rows that are looked at, $3 entities wanted, $4 categories, $5 states, $6 text, $7
 * number, $8 whether the page goes on after a key, $9 that key, $10 its id, $11 `Archived`), $12 jsonpath, $13 keys and $14 patterns of `meetsConditions`,
 * $15 key of the property to sort by, $16 number of its index, $17 number of the index that gives the candidates, $18 and $19 the ends of
 * its ranges.
 */
import { meetsConditions } from '../conditions/conditions.sql.ts';
import { fits as fitsOthers, type Order, type Source, sources } from './sort-entities.sql.ts';

/** The sort order of entities; a property is sorted by its number or its text. */
export type OrderKey = 'created' | 'number' | 'name' | 'updatedAt' | 'propertyNumber' | 'propertyText';
/** The source of candidates: a source of sorted searches, or an index of values. */
export type CandidateSource = Source | 'numbers' | 'words';

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

const rangeOf = (table: 'property_number' | 'property_text', type: string) => `
  select v.entity_id as id from unnest($18::text[], $19::text[]) as r (low, high)
  cross join lateral (
    select entity_id from ${table}
    where workspace_id = $1 and value_index = $17::int
      and value >= ${type === 'float8' ? 'r.low::float8' : 'left(r.low, 200)'}
      and value <= ${type === 'float8' ? 'r.high::float8' : 'left(r.high, 200)'}
    order by value, entity_id limit $2) as v limit $2`;

/** Entities whose values are not indexed yet are looked at one by one, as many as these; more are found when they are indexed. */
const PENDING_MAX = 2000;
const pending = `
  pending as materialized (
    select p.id from value_pending v cross join lateral unnest(v.ids) as p (id)
    where v.workspace_id = $1 limit ${PENDING_MAX})`;
/** Candidates, and where an index of values gives them, those that it lacks. */
const withPending = (source: CandidateSource) =>
  source === 'numbers' || source === 'words'
    ? '(select id from candidates union select id from pending)'
    : 'candidates';

const candidates: Record<CandidateSource, string> = {
  ...sources,
  numbers: rangeOf('property_number', 'float8'),
  words: rangeOf('property_text', 'text'),
};

/** Gives every parameter its type: not every statement has a use for all. */
const parameters = `parameters as (select $9::text, $11::text, $12::jsonpath, $13::text[], $14::text[], $15::text, $16::int, $17::int,
                                          $18::text[], $19::text[])`;

/** The columns that decide whether an entity fits, and its key. */
const columns = 'id, number, name, category, state, updated_at, properties, archived_at';

/** Rows behind the key of the page before. */
const behind = ({ type, collation }: KeyForm, beyond: '>' | '<') => `
  (not $8::boolean or (key is null and $9::text is not null)
    or (key is not null and $9::text is not null and (key${collation}, id) ${beyond} ($9::${type}${collation}, $10::uuid))
    or (key is null and $9::text is null and id ${beyond} $10::uuid))`;

const answer = (walked: string, more: string) => `
  select (select count(*)::int from ${walked}) as walked, ${more}
         coalesce((select jsonb_agg(jsonb_build_array(id, key::text) order by place) from page), '[]') as page`;

/** A page of few entities; none, where there are $2 candidates or more. */
export function sortCandidates(source: CandidateSource, by: OrderKey, order: Order): string {
  const key = keys[by];
  return `
    with ${parameters},
    ${pending},
    candidates as materialized (${candidates[source]}),
    sorted as materialized (
      select e.id, ${key.sql} as key from ${withPending(source)} c
      cross join lateral (select ${columns} from entity where workspace_id = $1 and id = c.id offset 0) as e
      where (select count(*) from candidates) < $2 and ${fits}
    ),
    page as (
      select id, key,
             row_number() over (order by key is null, key${key.collation} ${order}, id ${order}) as place
      from sorted where ${behind(key, order === 'asc' ? '>' : '<')}
      order by place limit $3
    )
    ${answer('candidates', '')}`;
}

/** Rows of an index in the order of the page: with a key, and behind them those without one. */
const walks = (by: OrderKey, order: Order): { keyed: string; rest: string | null } | null => {
  const beyond = order === 'asc' ? '>' : '<';
  const rest = (condition: string) => `
    select id from entity
    where workspace_id = $1 and ${condition} and (not $8::boolean or $9::text is not null or id ${beyond} $10::uuid)
      and (select count(*) from keyed) < $2
    order by id ${order} limit $2`;
  const ofIndex = (table: string, type: string) => `
    select id, key from (
      (select entity_id as id, value as key from ${table}
       where workspace_id = $1 and value_index = $16::int
         and (not $8::boolean or ($9::text is not null and (value, entity_id) ${beyond} ($9::${type}, $10::uuid)))
       order by value ${order}, entity_id ${order} limit $2)
      union
      (select p.id, p.key from pending as w cross join lateral (
         select id, ${keys[by].sql} as key from entity where workspace_id = $1 and id = w.id offset 0) as p
       where p.key is not null
         and (not $8::boolean or ($9::text is not null and (p.key, p.id) ${beyond} ($9::${type}, $10::uuid))))) as known
    order by key${keys[by].collation} ${order}, id ${order} limit $2`;
  switch (by) {
    case 'created':
      return {
        keyed: `
          select id, ''::text as key from entity
          where workspace_id = $1 and (not $8::boolean or id ${beyond} $10::uuid) order by id ${order} limit $2`,
        rest: null,
      };
    case 'number':
      return {
        keyed: `
          select id, number as key from entity
          where workspace_id = $1 and number is not null
            and (not $8::boolean or ($9::text is not null and (number, id) ${beyond} ($9, $10::uuid)))
          order by number ${order}, id ${order} limit $2`,
        rest: rest('number is null'),
      };
    case 'propertyNumber':
      return { keyed: ofIndex('property_number', 'float8'), rest: rest('true') };
    case 'propertyText':
      return { keyed: ofIndex('property_text', 'text collate "C"'), rest: rest('true') };
    default:
      return null;
  }
};

/** A window in the order of an index; null where none has the order. */
export function walkInOrder(by: OrderKey, order: Order): string | null {
  const found = walks(by, order);
  if (found === null) return null;
  const key = keys[by];
  const none = `select null::uuid as id where false`;
  return `
    with ${parameters},
    ${pending},
    keyed as materialized (${found.keyed}),
    rest as materialized (${found.rest ?? none}),
    walked as materialized (
      select id, key, row_number() over (order by key is null, key${key.collation} ${order}, id ${order}) as place
      from (select id, key from keyed union all select id, null::${key.type} from rest) as both_of order by place limit $2),
    page as (
      select w.id, w.key, w.place from walked w
      cross join lateral (select ${columns} from entity where workspace_id = $1 and id = w.id offset 0) as e
      where (w.key is not null or ${key.sql} is null) and ${fits}
      order by w.place limit $3)
    ${answer('walked', `(select jsonb_build_array(id, key::text) from walked order by place desc limit 1) as last,`)}`;
}

/**
 * Counts the candidates that fit: of each category and state, and of each value of some properties ($20). The answer has one row with the
 * number of candidates.
 */
export const countFitting = (source: CandidateSource) => `
  with ${parameters},
  ${pending},
  candidates as materialized (${candidates[source]}),
  hits as materialized (
    select e.category, e.state, e.properties from ${withPending(source)} c
    cross join lateral (select ${columns} from entity where workspace_id = $1 and id = c.id offset 0) as e
    where ($3::int is null or $8::boolean or $9::text is null or $10::uuid is null) and ${fits}
  ),
  counted as (
    select null as property, category, state, null as value, count(*)::int as count from hits group by category, state
    union all
    select k.key, null, null, h.properties ->> k.key, count(*)::int
    from hits h cross join unnest($20::text[]) as k (key)
    where h.properties ? k.key group by k.key, h.properties ->> k.key
  )
  select (select count(*)::int from candidates) as walked, coalesce((select jsonb_agg(to_jsonb(counted)) from counted), '[]') as counted`;

/** The entities that fit, of those that are given: $2 id[], $4 to $7 and $11 to $14 as above. */
export const selectFitting = `
  select e.id from unnest($2::uuid[]) as i (id)
  cross join lateral (select ${columns} from entity where workspace_id = $1 and id = i.id offset 0) as e
  where ($3::int is null or $8::boolean or $9::text is null or $10::uuid is null) and ${fits}`;

/**
 * All values of an index in their order, each counted up to a bound: one probe finds the next value. The archived entities that have it are
 * subtracted, unless they count too. $1 workspace, $2 index, $3 counted at most, $4 values at most, $5 key of the property, $6 whether
 * archived entities count.
 */
export const countValues = (kind: 'number' | 'text') => {
  const table = kind === 'number' ? 'property_number' : 'property_text';
  const next = (condition: string) => `
    (select value from ${table} where workspace_id = $1 and value_index = $2 ${condition} order by value limit 1)`;
  return `
    with recursive found as (
      select ${next('')} as value, 1 as place
      union all
      select ${next('and value > found.value')}, place + 1 from found where found.value is not null and place < $4::int
    ), archived as materialized (
      select value, count(*) as count from (
        select ${kind === 'number' ? 'indexed_number' : 'indexed_word'}(properties -> $5::text) as value from entity
        where workspace_id = $1 and archived_at is not null and not $6::boolean) as a
      where value is not null group by value)
    select f.value::text as value, n.count::int as count from found f
    left join archived a on a.value = f.value
    cross join lateral (
      select count(*) - coalesce(a.count, 0) as count from (
        select from ${table} where workspace_id = $1 and value_index = $2 and value >= f.value and value <= f.value
        limit $3::int + 1 + coalesce(a.count, 0)) as counted) as n
    where f.value is not null order by f.value`;
};
