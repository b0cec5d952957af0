/** The audit trail's statements. The table is append-only by privilege: neither role may update or delete. */
import { callersOf, isOfCaller } from './callers.sql.ts';

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

/** The index that entries are found along: that of all, of one thing, one actor, one kind of thing, one sort of change. */
export type AuditPath = 'all' | 'subjectKey' | 'actor' | 'subjectType' | 'action';

// "From the key to the key, in the order of key and id": the same rows in an order that only the one index has.
const along = (column: string, value: string) => ({
  range: `l.${column} >= ${value} and l.${column} <= ${value}`,
  order: `l.${column} desc, l.id desc`,
});
const ranges = (key: string): Record<AuditPath, { range: string; order: string }> => ({
  all: { range: `${key}::text is null`, order: 'l.id desc' },
  subjectKey: along('subject_key', key),
  actor: along('actor_id', key),
  subjectType: along('subject_type', key),
  action: along('action', key),
});

/**
 * $1 workspace, $2 and $3 ids that the entries lie between, $4 how many are looked at, $5 what the index is entered with
 * (null for that of all). Ids are UUIDv7, so newest first is the primary key backwards, and the other indexes end with it.
 */
const windowOf = (path: AuditPath) => {
  const of = (key: string, lowest = '$2::uuid') => `
    select * from audit_log l
    where l.workspace_id = $1 and l.id > ${lowest} and l.id < $3::uuid and ${ranges(key)[path].range}
    order by ${ranges(key)[path].order} limit $4`;
  if (path !== 'actor') return of('$5');
  // Keys of a member and automations that acted for the caller are actors of their own, each with a range of the index.
  return `
    select l.* from (${callersOf('$5::uuid')}) as who
    cross join lateral (${of('who.id', 'greatest($2::uuid, who.since)')}) as l
    order by l.id desc limit $4`;
};

/** Newest first; in the order of the one index, if the window is a piece of one. */
const orderOf = (path: AuditPath) => (path === 'actor' ? 'l.id desc' : ranges('$5')[path].order);

/** Kinds of things that only administrators read: their entries are shown to others without what changed. */
const ofAccess = "('apiKey', 'csvLink', 'member', 'invitation', 'signInLink')";

/**
 * The window's parameters, then $6 rows, $7 whether keys are shown, and filters, each null for any: $8 actor, also by its keys and automations for it, $9 kind of
 * thing, $10 thing, $11 action, $12 from and $13 before that time. A page is a piece of one index whatever the length of the
 * trail, and of a bounded length where the other filters pass over most of it.
 */
export const selectAuditPage = (path: AuditPath) => `
  select l.id, l.recorded_at, l.action, l.subject_type, l.subject_key,
         case when $7::boolean or l.subject_type not in ${ofAccess} then l.before end as before,
         case when $7 or l.subject_type not in ${ofAccess} then l.after end as after,
         not $7 and l.subject_type in ${ofAccess} as redacted,
         l.actor_id, coalesce(a.type, 'system') as actor_type, coalesce(a.name, '') as actor_name
  from (${windowOf(path)}) as l
  left join actor a on a.workspace_id = l.workspace_id and a.id = l.actor_id
  where ($8::uuid is null or ${isOfCaller({ id: 'l.id', actorId: 'l.actor_id' }, '$8::uuid')}) and ($9::text is null or l.subject_type = $9)
    and ($10::text is null or l.subject_key = $10) and ($11::text is null or l.action = $11)
    and ($12::timestamptz is null or l.recorded_at >= $12) and ($13::timestamptz is null or l.recorded_at < $13)
  order by ${orderOf(path)} limit $6`;

/** The window's parameters. The last entry that was looked at, where there may be more behind it. */
export const selectWindowEnd = (path: AuditPath) =>
  `select id from (${windowOf(path)}) as l order by ${orderOf(path)} offset $4 - 1`;
