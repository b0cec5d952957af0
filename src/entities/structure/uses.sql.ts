/**
 * Pages of links from either end, in the order of the other end's id: a range of the primary key, or of
 * entity_link_child. "From here to here, in the order of here and there" is an order that only the one index
 * has: with equality the planner may take the other index, in the order of its first column, and filter.
 * LATERAL with OFFSET 0 keeps the look-up of each entity a probe of the primary key; as a plain join it
 * becomes a hash join over the whole table while that is small or never analysed. Whether the structure goes
 * on there is one probe a row for the same reason: without OFFSET 0 a hash of all links may answer it.
 */
import { isListed } from '../is-listed.sql.ts';

const probe = (there: string, end: 'parent_id' | 'child_id') =>
  there === end
    ? 'true'
    : `exists (select from entity_link where workspace_id = $1 and ${end} = l.${there} offset 0)`;
const page = (links: string, here: string, there: string, { from = '$2', only = 'true' } = {}) => `
  select l.${there} as id, l.quantity, l.line, e.number, e.name, e.category, e.state, e.revision_number,
         e.archived_at is not null as is_archived, encode(e.picture, 'hex') as picture, ${probe(there, 'parent_id')} as has_children, ${probe(there, 'child_id')} as has_parents
  from (
    select ${there}, quantity, line from ${links}
      and (${here}, ${there}) > (${from}, coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
      and ${here} <= ${from} and ${only}
    order by ${here}, ${there} limit $4) as l
  cross join lateral (
    select number, name, category, state, revision_number, archived_at, picture from entity
    where workspace_id = $1 and id = l.${there} offset 0) as e
  order by l.${there}`;

/** Children. $1 workspace, $2 parent id, $3 child id to go on after or null, $4 rows. */
export const selectUses = page('entity_link where workspace_id = $1', 'parent_id', 'child_id');

/**
 * Parents. No parent is looked at while nothing is archived. $1 workspace, $2 child id, $3 parent id to go on after or null, $4 rows,
 * $5 `Archived`.
 */
export const selectWhereUsed = page('entity_link where workspace_id = $1', 'child_id', 'parent_id', {
  only: `($5::text = 'true'
        or ($5 = 'false' and not (select exists (
          select from entity where workspace_id = $1 and archived_at is not null)))
        or exists (
          select from entity where workspace_id = $1 and id = parent_id and ${isListed('$5')} offset 0))`,
});

/** Children that a superseded revision had. As selectUses, and $5 the revision number. */
export const selectRevisionUses = page(
  'entity_revision_link where workspace_id = $1 and entity_id = $2',
  'revision_number',
  'child_id',
  { from: '$5' },
);

/**
 * The links on which a designator stands, in the order of parent and child: a range of the key of link_designator.
 * $1 workspace, $2 designator in capitals, $3 and $4 parent and child to go on after, $5 rows, and within one parent $6 it.
 */
const findUses = (within: string) => `
  select l.parent_id, l.child_id, k.quantity, k.line, p.number as parent_number, p.name as parent_name,
         p.revision_number as parent_revision, c.number as child_number, c.name as child_name,
         c.revision_number as child_revision
  from (
    select parent_id, child_id from link_designator
    where workspace_id = $1 and designator = $2 and (parent_id, child_id) > ($3, $4) ${within}
    order by parent_id, child_id limit $5) as l
  cross join lateral (
    select quantity, line from entity_link
    where workspace_id = $1 and parent_id = l.parent_id and child_id = l.child_id offset 0) as k
  cross join lateral (
    select number, name, revision_number from entity where workspace_id = $1 and id = l.parent_id offset 0) as p
  cross join lateral (
    select number, name, revision_number from entity where workspace_id = $1 and id = l.child_id offset 0) as c
  order by l.parent_id, l.child_id`;
export const selectUsesOfDesignator = findUses('');
export const selectUsesOfDesignatorIn = findUses('and parent_id = $6');
