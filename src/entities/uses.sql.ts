/**
 * Pages of links from either end, in the order of the other end's id: a range of the primary key, or of
 * entity_link_child. LATERAL with OFFSET 0 keeps the look-up of each entity a probe of the primary key; as a
 * plain join it becomes a hash join over the whole table while that is small or never analysed.
 */
const page = (links: string, there: string) => `
  select l.${there} as id, l.quantity, e.number, e.name, e.category, e.state, e.revision_number
  from (
    select ${there}, quantity from ${links}
      and ($3::uuid is null or ${there} > $3)
    order by ${there} limit $4) as l
  cross join lateral (
    select number, name, category, state, revision_number from entity
    where workspace_id = $1 and id = l.${there} offset 0) as e
  order by l.${there}`;

/** Children. $1 workspace, $2 parent id, $3 child id to go on after or null, $4 rows. */
export const selectUses = page('entity_link where workspace_id = $1 and parent_id = $2', 'child_id');

/** Parents. $1 workspace, $2 child id, $3 parent id to go on after or null, $4 rows. */
export const selectWhereUsed = page('entity_link where workspace_id = $1 and child_id = $2', 'parent_id');

/** Children that a superseded revision had. As selectUses, and $5 the revision number. */
export const selectRevisionUses = page(
  'entity_revision_link where workspace_id = $1 and entity_id = $2 and revision_number = $5',
  'child_id',
);
