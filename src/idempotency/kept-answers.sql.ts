/**
 * Kept answers, in partitions by the time that they were made (`keep_answer_partitions` of the migrations makes and drops
 * them). A key is unique within a partition. Over all of them it is by the advisory lock: whoever writes one holds it, and has
 * looked into every partition that is kept since. So it does not matter on which side of midnight either of two was.
 */

/** Tries to lock keys, in the order in which they are named. $1 names. */
export const tryLockKeys = `
  select pg_try_advisory_xact_lock(hashtextextended(name, 7278623)) as claimed
  from unnest($1::text[]) with ordinality as wanted (name, place) order by place`;

/**
 * Selects the newest kept answer of each key: a longer retention than before may bring back an older one. A probe
 * of the primary key in each partition, whose order leaves the planner no other way; older partitions are excluded
 * when the statement begins. Prepared, because planning costs several times its execution. $1 workspaces, $2
 * actors, $3 keys, $4 days.
 */
export const selectKept = `
  select k.workspace_id, k.actor_id, k.key, k.request_hash, k.status, k.headers, k.body
  from unnest($1::uuid[], $2::uuid[], $3::text[]) as wanted (workspace_id, actor_id, key)
  cross join lateral (
    select * from kept_answer i
    where i.workspace_id = wanted.workspace_id and i.actor_id = wanted.actor_id and i.key = wanted.key
      and i.created_at > now() - make_interval(days => $4)
    order by i.created_at desc limit 1) k`;

/** $1 workspaces, $2 actors, $3 keys, $4 hashes, $5 statuses, $6 headers, $7 bodies. */
export const insertKept = `
  insert into kept_answer (workspace_id, actor_id, key, request_hash, status, headers, body)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::smallint[], $6::jsonb[], $7::bytea[])`;

/** Makes partitions ahead and drops those past their time; the rows it had to delete. $1 days, $2 rows at most. */
export const keepPartitions = 'select keep_answer_partitions($1, $2) as removed';
