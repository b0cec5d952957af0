/** SQL of the tree of locations. OFFSET 0 keeps each step of a walk a probe of an index, also where tables were never analysed. */
import { isListed } from './is-listed.sql.ts';

/**
 * The recursive query `below (id)`: a location and all that lie in it, at any level. Each is visited once, because a
 * location has one parent. $1 workspace; `root` is an expression of type uuid, `all` says whether those in it are wanted.
 */
export const below = (root: string, all = 'true') => `
  below (id) as (
    select ${root}
    union all
    select c.id from below b cross join lateral (
      select id from entity where workspace_id = $1 and parent_location_id = b.id and ${all} offset 0) c
  )`;

/** The parent of each of these locations, and of all around them. Each is visited once. $1 workspace, $2 id[]. */
export const parentsAround = `
  with recursive around (id, parent) as (
    select i.id, p.parent from unnest($2::uuid[]) as i (id) cross join lateral (
      select parent_location_id as parent from entity
      where workspace_id = $1 and id = i.id and parent_location_id is not null offset 0) p
    union
    select a.parent, p.parent from around a cross join lateral (
      select parent_location_id as parent from entity
      where workspace_id = $1 and id = a.parent and parent_location_id is not null offset 0) p
  )
  select id, parent from around`;

/** Levels from each of these locations down, itself included; only those that others lie in. $1 workspace, $2 id[]. */
export const heightsOf = `
  with recursive under (root, id, level) as (
    select i.id, c.id, 2 from unnest($2::uuid[]) as i (id) cross join lateral (
      select id from entity where workspace_id = $1 and parent_location_id = i.id offset 0) c
    union all
    select u.root, c.id, u.level + 1 from under u cross join lateral (
      select id from entity where workspace_id = $1 and parent_location_id = u.id offset 0) c
  )
  select root as id, max(level) as height from under group by root`;

/** $1 workspace, $2 id. */
export const selectRole = `
  select e.id, e.number, e.name, e.category, c.role, e.archived_at is not null as is_archived
  from entity e join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2`;

/** The path of a row of `entity`, by its alias; only rows that have a parent cost a walk. */
export const pathOf = (row: string) =>
  `case when ${row}.parent_location_id is null then '{}' else location_path($1, ${row}.id) end`;

const listed = isListed('$6');

/** Statements that select the locations of a list. $1 workspace, $2 the location or the ids that the list is about. */
const sources = {
  /** Selects all locations, by the ranges of their categories. */
  all: `
    select e.id, e.number from category c cross join lateral (
      select id, number from entity where workspace_id = $1 and category = c.key and ${listed} offset 0) e
    where c.workspace_id = $1 and c.role in ('location', 'itemAndLocation')`,
  /** Selects the locations that lie in no other. */
  top: `
    select e.id, e.number from category c cross join lateral (
      select id, number from entity
      where workspace_id = $1 and category = c.key and parent_location_id is null and ${listed} offset 0) e
    where c.workspace_id = $1 and c.role in ('location', 'itemAndLocation')`,
  /** Selects the locations that lie directly in one. */
  parent: `
    select id, number from entity
    where workspace_id = $1 and parent_location_id = ($2::uuid[])[1] and ${listed}`,
  /** Selects one location and those that lie in it, at any level. */
  below: `
    select e.id, e.number from below b cross join lateral (
      select id, number from entity where workspace_id = $1 and id = b.id and ${listed} offset 0) e`,
  /** Selects the named locations. */
  ids: `
    select e.id, e.number from unnest($2::uuid[]) as i (id) cross join lateral (
      select id, number from entity where workspace_id = $1 and id = i.id offset 0) e`,
} as const;
export type LocationSource = keyof typeof sources;

/**
 * A page of locations, by number and id; those without a number come first. The page is cut before more than the number is read.
 * $1 workspace, $2 as above, $3 and $4 number and id to continue after, $5 rows, $6 `Archived`; named locations are listed in any case.
 */
export const selectLocations = (source: LocationSource) => `
  with recursive ${below('($2::uuid[])[1]')}, page as materialized (
    select id, number from (${sources[source]}) as s
    where (coalesce(number, ''), id) > ($3::text, $4::uuid)
    order by coalesce(number, ''), id limit $5)
  select e.id, e.number, e.name, e.category, e.state, e.parent_location_id, e.archived_at, ${pathOf('e')} as path,
         exists (
           select from entity where workspace_id = $1 and parent_location_id = e.id and ${listed} offset 0) as has_children
  from page cross join lateral (select * from entity where workspace_id = $1 and id = page.id offset 0) e
  order by coalesce(page.number, ''), page.id`;
