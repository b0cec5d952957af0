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

/** The index that entries are found along: that of all, of one thing, of one actor, of one kind of thing. */
export type AuditPath = 'all' | 'subjectKey' | 'actor' | 'subjectType';

// "From the key to the key, in the order of key and id": the same rows in an order that only the one index has.
const ranges: Record<AuditPath, { range: string; order: string }> = {
  all: { range: '', order: 'l.id desc' },
  subjectKey: {
    range: 'and l.subject_key >= $8 and l.subject_key <= $8',
    order: 'l.subject_key desc, l.id desc',
  },
  actor: {
    range: 'and l.actor_id >= $6::uuid and l.actor_id <= $6::uuid',
    order: 'l.actor_id desc, l.id desc',
  },
  subjectType: {
    range: 'and l.subject_type >= $7 and l.subject_type <= $7',
    order: 'l.subject_type desc, l.id desc',
  },
};

/**
 * $1 workspace, $2 and $3 ids that the page lies between, $4 rows, $5 whether keys are shown, then filters, each null
 * for any: $6 actor, $7 kind of thing, $8 thing, $9 action, $10 from and $11 before that time. Ids are UUIDv7, so newest
 * first is the primary key backwards, and the other indexes end with it: a page is one index range whatever the length of the trail.
 */
export const selectAuditPage = (path: AuditPath) => `
  select l.id, l.recorded_at, l.action, l.subject_type, l.subject_key,
         case when $5::boolean or l.subject_type <> 'apiKey' then l.before end as before,
         case when $5 or l.subject_type <> 'apiKey' then l.after end as after,
         not $5 and l.subject_type = 'apiKey' as redacted,
         l.actor_id, coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name
  from audit_log l left join actor a on a.workspace_id = l.workspace_id and a.id = l.actor_id
  where l.workspace_id = $1 and l.id > $2::uuid and l.id < $3::uuid ${ranges[path].range}
    and ($6::uuid is null or l.actor_id = $6) and ($7::text is null or l.subject_type = $7)
    and ($8::text is null or l.subject_key = $8) and ($9::text is null or l.action = $9)
    and ($10::timestamptz is null or l.recorded_at >= $10) and ($11::timestamptz is null or l.recorded_at < $11)
  order by ${ranges[path].order} limit $4`;
