/** How lines that are out of date leave the blocks of entity_text; only this changes blocks, so that no writer waits for one. */

/** Workspaces with at least $1 marked entities. */
export const selectRenaming = `
  select workspace_id from entity_text where is_newer group by workspace_id having count(*) >= $1::int`;

/** $1 workspace, $2 at most. */
export const selectNewer = `
  select id from entity_text where workspace_id = $1 and is_newer order by id limit $2`;

/**
 * Takes the lines of entities with a row of their own out of the next blocks, and blocks away that have none left. Answers with one row:
 * the last id that was reached, null behind the end. $1 workspace, $2 id to go on behind, $3 rows.
 */
export const dropStaleLines = `
  with piece as materialized (
    select id, ids, lines from entity_text where workspace_id = $1 and id > $2 order by id limit $3
  ), looked as materialized (
    select p.id, array_agg(f.id order by f.n) filter (where own.id is null) as ids,
           string_agg(f.line, E'\\n' order by f.n) filter (where own.id is null) as lines
    from piece p
    cross join lateral unnest(p.ids, string_to_array(btrim(p.lines, E'\\n'), E'\\n')) with ordinality as f (id, line, n)
    left join lateral (
      select o.id from entity_text o where o.workspace_id = $1 and o.id = f.id limit 1) as own on true
    where p.id <> all (p.ids)
    group by p.id having count(own.id) > 0
  ), gone as (
    delete from entity_text t using looked l where t.workspace_id = $1 and t.id = l.id and l.ids is null
  ), less as (
    update entity_text t set ids = l.ids, lines = E'\\n' || l.lines || E'\\n'
    from looked l where t.workspace_id = $1 and t.id = l.id and l.ids is not null
  )
  select (select id from piece order by id desc limit 1) as last`;

/** Removes the marks of entities, except those that are being renamed again: nobody waits. $1 workspace, $2 id[]. */
export const forgetNewer = `
  update entity_text set is_newer = false
  where workspace_id = $1 and id = any (array(
    select id from entity_text where workspace_id = $1 and id = any ($2::uuid[]) and is_newer for update skip locked))`;
