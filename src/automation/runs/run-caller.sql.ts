/** The actors under which automations act for callers. */

/**
 * Says whether there was none, and how many others there are for the caller, counted up to $6. $1 workspace, $2 id, $3 name, $4 automation,
 * $5 caller.
 */
export const insertActing = `
  with made as (
    insert into actor (workspace_id, id, type, name, automation_id, acts_for) values ($1, $2, 'automation', $3, $4, $5)
    on conflict (workspace_id, id) do nothing returning id
  )
  select exists (select from made) as is_new, (
    select count(*)::int from (select from actor where workspace_id = $1 and acts_for = $5 limit $6) as present) as present`;
