/** SQL of the comparison of a chunk's parent links with the stored structure. */

/**
 * The links that differ from what is stored, and those whose parent is not stored (a link is one child, one
 * parent, one quantity summed over the payload). $1 workspace, $2 child guid[], $3 parent guid[], $4 quantity[].
 *
 * LEFT JOIN LATERAL with LIMIT 1 keeps each of the three look-ups an index probe: as plain joins the planner
 * turns them into hash joins over the whole tables once those are small or never analysed.
 */
export const compareWithStoredLinks = `
  select i.ord - 1 as ord, c.id as child_id, p.id as parent_id, p.state as parent_state,
         p.category as parent_category, coalesce(l.quantity, w.quantity) as stored_quantity
  from unnest($2::uuid[], $3::uuid[], $4::numeric[]) with ordinality as i (child, parent, quantity, ord)
  left join lateral (
    select id from entity where workspace_id = $1 and guid = i.child limit 1) c on true
  left join lateral (
    select id, state, category from entity where workspace_id = $1 and guid = i.parent limit 1) p on true
  left join lateral (
    select quantity from entity_link
    where workspace_id = $1 and parent_id = p.id and child_id = c.id limit 1) l on true
  left join lateral (
    select quantity from pending_link
    where p.id is null and workspace_id = $1 and parent_guid = i.parent and child_id = c.id limit 1) w on true
  where l.quantity is distinct from i.quantity
  order by i.ord`;

/** The stored structure above these entities: every link on a way up to a root. $1 workspace, $2 id[]. */
export const linksAbove = `
  with recursive above (id) as (
    select unnest($2::uuid[])
    union
    select l.parent_id from above a join entity_link l on l.workspace_id = $1 and l.child_id = a.id
  )
  select l.parent_id, l.child_id
  from above a join entity_link l on l.workspace_id = $1 and l.child_id = a.id`;

/** All links that wait for a parent. $1 workspace. */
export const waitingLinks = `select parent_guid, child_id from pending_link where workspace_id = $1`;
