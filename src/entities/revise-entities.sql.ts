/** SQL that closes a revision and opens the next: the old values and structure are copied aside, whole. */

/** $1 workspace, $2 id[]. */
export const archiveEntities = `
  insert into entity_revision (workspace_id, entity_id, revision_number, version_id, guid, number, name, category,
                               state, properties, picture, created_at, created_by)
  select workspace_id, id, revision_number, version_id, guid, number, name, category, state, properties,
         picture, revised_at, revised_by
  from entity where workspace_id = $1 and id = any($2::uuid[])`;

/** $1 workspace, $2 id[]. */
export const archiveLinks = `
  insert into entity_revision_link (workspace_id, entity_id, revision_number, child_id, quantity, line, base_quantity, base_line)
  select l.workspace_id, l.parent_id, e.revision_number, l.child_id, l.quantity, l.line, l.base_quantity, l.base_line
  from entity e
  join entity_link l on l.workspace_id = $1 and l.parent_id = e.id
  where e.workspace_id = $1 and e.id = any($2::uuid[])`;

/**
 * Is always true, but the planner takes it for so rare that it expects one row. Without it, the planner may begin with the rows of the
 * workspace, of which it expects one if it has no statistics, and compare each with all named rows (`g`): 100 of 5000 took a second.
 */
export const expectedOnce = 'coalesce(g.id, $1) = g.id and coalesce(g.id, $1, $1) = g.id';

/**
 * The caller has locked the rows, so that their places in the table stay. With a join by id, each row was searched among all rows of the
 * workspace if the planner had no statistics. $1 workspace, $2 id[], $3 version[], $4 state[], $5 actor.
 */
export const openRevisions = `
  update entity e
  set version_id = i.version_id, revision_number = e.revision_number + 1, state = i.state, revised_at = now(),
      revised_by = $5, updated_at = now(), version = e.version + 1
  from (
    select r.ctid as place, g.version_id, g.state
    from unnest($2::uuid[], $3::uuid[], $4::text[]) as g (id, version_id, state)
    cross join lateral (select ctid from entity where workspace_id = $1 and id = g.id limit 1) as r
    where ${expectedOnce}
    offset 0) as i
  where e.workspace_id = $1 and e.ctid = i.place`;
