/** The audit trail's statements. The table is append-only by privilege: neither role may update or delete. */

/**
 * $1 workspace, $2 id, $3 actor id, $4 actor type, $5 actor name, $6 action, $7 subject type, $8 subject
 * key, $9 before, $10 after. Data-modifying CTEs run whether read or not; an actor who is there already
 * keeps the name that history was written under.
 */
export const insertAuditEntry = `
  with known as (
    insert into actor (workspace_id, id, type, name) values ($1, $3, $4, $5)
    on conflict (workspace_id, id) do nothing
  )
  insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
  values ($1, $2, $3, $6, $7, $8, $9::jsonb, $10::jsonb)`;

/**
 * $1 workspace, $2 the id to go on below or null, $3 rows, $4 whether keys are shown. Ids are UUIDv7, so newest first is the primary
 * key backwards: a page is one index range whatever the length of the trail.
 */
export const selectAuditPage = `
  select l.id, l.recorded_at, l.action, l.subject_type, l.subject_key,
         case when $4::boolean or l.subject_type <> 'apiKey' then l.before end as before,
         case when $4 or l.subject_type <> 'apiKey' then l.after end as after,
         not $4 and l.subject_type = 'apiKey' as redacted,
         l.actor_id, coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name
  from audit_log l left join actor a on a.workspace_id = l.workspace_id and a.id = l.actor_id
  where l.workspace_id = $1 and ($2::uuid is null or l.id < $2)
  order by l.id desc limit $3`;
