/** SQL that finds what an exact batch takes out of the structure. Parents are given as GUIDs, 16 bytes each, in one value. */

const parents = `
  (select encode(substr($2::bytea, 16 * place + 1, 16), 'hex')::uuid as guid
   from generate_series(0, length($2::bytea) / 16 - 1) as place) as g
  left join lateral (
    select id from entity where workspace_id = $1 and guid = g.guid limit 1) as p on true`;

/**
 * How many links each of these parents has, those that wait for it among them; none where it has none. Ranges of the
 * primary keys: of a batch in which nothing is to be taken out this is all that is read. $1 workspace, $2 the GUIDs.
 */
export const countChildren = `
  select g.guid as parent, n.stored
  from ${parents}
  cross join lateral (
    select ((select count(*) from entity_link where workspace_id = $1 and parent_id = p.id)
          + (select count(*) from pending_link where workspace_id = $1 and parent_guid = g.guid))::integer as stored) as n
  where n.stored > 0`;

/** Their links, ends by GUID or, where an entity has none, by id. Parameters as above. */
export const selectChildrenOf = `
  select g.guid as parent, l.child_id, c.guid as child_guid, l.quantity
  from ${parents}
  cross join lateral (
    select child_id, quantity from entity_link where workspace_id = $1 and parent_id = p.id
    union all
    select child_id, quantity from pending_link where workspace_id = $1 and parent_guid = g.guid
    offset 0) as l
  cross join lateral (
    select guid from entity where workspace_id = $1 and id = l.child_id offset 0) as c`;

/**
 * Takes links out and gives their parents. By their places in the table, so that no statistics make a join over all links
 * of it; nobody else writes links meanwhile. $1 workspace, $2 parent id[], $3 child id[].
 */
export const deleteLinks = `
  delete from entity_link
  where workspace_id = $1 and ctid = any (array(
    select l.ctid from unnest($2::uuid[], $3::uuid[]) as i (parent, child)
    cross join lateral (
      select ctid from entity_link where workspace_id = $1 and parent_id = i.parent and child_id = i.child limit 1) as l))
  returning parent_id`;

/** Deletes pending links likewise. $1 workspace, $2 parent guid[], $3 child id[]. */
export const deletePendingLinks = `
  delete from pending_link
  where workspace_id = $1 and ctid = any (array(
    select l.ctid from unnest($2::uuid[], $3::uuid[]) as i (parent, child)
    cross join lateral (
      select ctid from pending_link
      where workspace_id = $1 and parent_guid = i.parent and child_id = i.child limit 1) as l))`;
