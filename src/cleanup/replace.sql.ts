/**
 * SQL of replacing a part in assemblies. The structure lock is held. LATERAL with OFFSET 0 keeps each look-up a probe of a key (see
 * uses.sql.ts in src/entities/structure).
 */

const row = (links: string) => `
  select l.parent_id as id, l.quantity, l.line, k.quantity as other_quantity, k.line as other_line, p.guid, p.number, p.name,
         p.category, p.state, p.revision_number
  from (${links}) as l
  cross join lateral (
    select guid, number, name, category, state, revision_number, archived_at from entity
    where workspace_id = $1 and id = l.parent_id offset 0) as p
  left join lateral (
    select quantity, line from entity_link
    where workspace_id = $1 and parent_id = l.parent_id and child_id = $3 offset 0) as k on true`;

/** The assemblies that use the part and are not archived. $1 workspace, $2 the part, $3 the part instead, $4 rows. */
export const selectAllParents = `${row(`
  select parent_id, quantity, line from entity_link
  where workspace_id = $1 and child_id >= $2 and child_id <= $2 order by child_id, parent_id`)}
  where p.archived_at is null
  order by l.parent_id limit $4`;

/** Selects the named assemblies. $1 to $3 as above, $4 parents. */
export const selectSomeParents = `${row(`
  select l.parent_id, l.quantity, l.line from unnest($4::uuid[]) as i (id)
  cross join lateral (
    select parent_id, quantity, line from entity_link
    where workspace_id = $1 and parent_id = i.id and child_id = $2 offset 0) as l`)}
  order by l.parent_id`;

/** Locks entities in the order in which a sync locks them. $1 workspace, $2 id[] in that order. */
export const lockInOrder = `
  select from unnest($2::uuid[]) as i (id)
  cross join lateral (select from entity where workspace_id = $1 and id = i.id for no key update) as e`;

/**
 * Finds the assemblies that the part is built of: as its parents they would close a cycle. Walks down from the part; each entity is
 * visited once. $1 workspace, $2 the part instead, $3 assemblies.
 */
export const selectBelow = `
  with recursive below (id) as (
    select $2::uuid
    union
    select c.id from below b cross join lateral (
      select child_id as id from entity_link where workspace_id = $1 and parent_id = b.id
      union all
      select w.child_id from entity e
      cross join lateral (
        select child_id from pending_link where workspace_id = $1 and parent_guid = e.guid offset 0) w
      where e.workspace_id = $1 and e.id = b.id
      offset 0) as c
  )
  select id from below where id = any ($3::uuid[])`;

/** $1 workspace, $2 assemblies, $3 the part, $4 the part instead, $5 quantities and $6 lines beside the assemblies. */
export const replaceLinks = `
  with gone as (
    delete from entity_link l using unnest($2::uuid[]) as i (id)
    where l.workspace_id = $1 and l.parent_id = i.id and l.child_id = $3)
  insert into entity_link (workspace_id, parent_id, child_id, quantity, line)
  select $1, i.id, $4, i.quantity, i.line::jsonb
  from unnest($2::uuid[], $5::numeric[], $6::text[]) as i (id, quantity, line)
  on conflict (workspace_id, parent_id, child_id) do update set quantity = excluded.quantity, line = excluded.line`;

/** Links of the part or the part instead that wait for one of the assemblies: what was said by hand holds. $1 to $4 as above. */
export const dropPendingLinks = `
  delete from pending_link w using unnest($2::uuid[]) as i (id), entity e
  where e.workspace_id = $1 and e.id = i.id and e.guid is not null
    and w.workspace_id = $1 and w.parent_guid = e.guid and w.child_id in ($3, $4)`;

/** $1 workspace, $2 id[]. */
export const touchEntities = `
  update entity set version = version + 1, updated_at = now(), sync_hash = null
  where workspace_id = $1 and id = any ($2::uuid[])`;
