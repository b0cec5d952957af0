/** Statements around automations that are not MikroORM's. */

/** Keeps the actor of a script under its present name. $1 workspace, $2 automation, $3 name. */
export const saveActor = `
  insert into actor (workspace_id, id, type, name) values ($1, $2, 'automation', $3)
  on conflict (workspace_id, id) do update set name = excluded.name where actor.name <> excluded.name`;

/** $1 workspace, $2 automation, $3 version, $4 script, $5 actor. */
export const insertScriptVersion = `
  insert into automation_script (workspace_id, automation_id, version, script, created_by)
  values ($1, $2, $3, $4, $5)`;

/** $1 workspace, $2 automation, $3 version to go on below or null, $4 rows. */
export const selectScriptVersions = `
  select s.version, s.script, s.created_at, s.created_by as actor_id,
         coalesce(a.type, 'apiKey') as actor_type, coalesce(a.name, '') as actor_name
  from automation_script s left join actor a on a.workspace_id = s.workspace_id and a.id = s.created_by
  where s.workspace_id = $1 and s.automation_id = $2 and ($3::int is null or s.version < $3)
  order by s.version desc limit $4`;

/** Selects automations in order of their ids. $1 workspace, $2 id to go on behind or null, $3 context type or null, $4 rows. */
export const selectAutomations = `
  select id, script, description, actions, button, filter from automation
  where workspace_id = $1 and ($2::uuid is null or id > $2) and ($3::int is null or context_type = $3)
  order by id limit $4`;

/** The last runs of each, newest first, along automation_run_history. $1 workspace, $2 automation[], $3 runs of each. */
export const selectRecentRuns = `
  select a.id as automation_id, r.id, r.status, r.finished_at from unnest($2::uuid[]) as a (id)
  cross join lateral (
    select id, status, finished_at from automation_run where workspace_id = $1 and automation_id = a.id
    order by automation_id desc, id desc limit $3) r
  order by a.id, r.id desc`;

/**
 * Enabled automations with a button, for any entity or for one of that category and state, in order of their ids.
 * $1 workspace, $2 id to go on behind or null, $3 category or null, $4 state, $5 rows.
 */
export const selectActions = `
  select id, description, button from automation
  where workspace_id = $1 and enabled and button is not null and ($2::uuid is null or id > $2)
    and ($3::text is null or (
      (json_array_length(button -> 'categories') = 0 or (button -> 'categories')::jsonb ? $3)
      and (json_array_length(button -> 'states') = 0 or (button -> 'states')::jsonb ? $4)))
  order by id limit $5`;
