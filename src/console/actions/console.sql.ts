/**
 * Statements of the console, all in the scope of the instance. A look-up over all workspaces makes one index probe per workspace, because
 * indexes begin with the workspace.
 */

/** $1 slug. */
export const selectWorkspace = 'select id, slug, name, state from workspace where slug = $1';

/** $1 a GUID, or a batch's or run's id. */
export const findById = `
  select * from (
    select 'batch' as kind, w.id as workspace_id, w.slug, b.id::text, b.profile_name as title, b.status, b.submitted_at as at
    from workspace w cross join lateral (
      select * from sync_batch where workspace_id = w.id and id = $1::uuid) b
    union all
    select 'entity', w.id, w.slug, e.id::text, concat_ws(' ', e.number, e.name), e.state, e.updated_at
    from workspace w cross join lateral (
      select * from entity where workspace_id = w.id and (guid = $1::uuid or id = $1::uuid)) e
    union all
    select 'run', w.id, w.slug, r.id::text, r.error ->> 'message', r.status, r.finished_at
    from workspace w cross join lateral (
      select * from automation_run where workspace_id = w.id and id = $1::uuid) r
  ) found order by at desc nulls last limit 50`;

/** Selects workspaces that are held or moving: a forgotten one answers 503 to all its callers. */
export const selectMoving = `
  select slug, name from workspace where state <> 'active' and state = 'moving' order by slug limit 50`;

/** Selects workspaces by their slug, or a part of their name. $1 text, $2 the same as a pattern. */
export const findWorkspaces = `
  select 'workspace' as kind, id as workspace_id, slug, id::text, name as title, state as status, created_at as at
  from workspace where slug = lower($1) or name ilike $2 order by slug = lower($1) desc, slug limit 20`;

/** Selects entities by their number, five per workspace. $1 number. */
export const findByNumber = `
  select 'entity' as kind, w.id as workspace_id, w.slug, e.id::text, concat_ws(' ', e.number, e.name) as title,
         e.state as status, e.updated_at as at
  from workspace w cross join lateral (
    select * from entity where workspace_id = w.id and number = $1 limit 5) e
  order by e.updated_at desc limit 50`;

/**
 * Selects webhooks that fail now, or were disabled for it, with the error of the last attempt; a delivery is retried for days before it
 * counts as failed. Disabled ones come first, because they need an administrator. The delivery that was tried last has the latest next
 * attempt, and the newest failed one the largest id, so neither subquery reads all deliveries. $1 rows, $2 rows per workspace, $3 one
 * workspace, or null, $4 deliveries counted at most.
 */
export const failingWebhooks = `
  select w.slug, h.url, h.enabled, h.failing_since, h.disabled_reason, last.text, last.at, next.next_attempt_at as next,
    (select count(*)::int from (
       select from webhook_delivery where workspace_id = h.workspace_id and webhook_id = h.id and status = 'pending'
       limit $4) n) as waiting
  from (
    select * from (
      select webhook.*, row_number() over (
        partition by workspace_id order by enabled, failing_since desc nulls last, id) as place
      from webhook where (failing_since is not null or disabled_reason is not null)
        and ($3::uuid is null or workspace_id = $3)) one
    where place <= $2 order by enabled, failing_since desc nulls last, workspace_id, id limit $1) h
  join workspace w on w.id = h.workspace_id
  left join lateral (
    select last_error as text, last_attempt_at as at from (
      (select last_error, last_attempt_at from webhook_delivery
       where workspace_id = h.workspace_id and webhook_id = h.id and status = 'pending'
       order by next_attempt_at desc limit 20)
      union all
      (select last_error, last_attempt_at from webhook_delivery
       where workspace_id = h.workspace_id and webhook_id = h.id and status = 'failed' order by id desc limit 20)) tried
    where last_error is not null order by last_attempt_at desc limit 1) last on true
  left join lateral (
    select next_attempt_at from webhook_delivery
    where workspace_id = h.workspace_id and webhook_id = h.id and status = 'pending' order by next_attempt_at limit 1) next on true
  order by h.enabled, h.failing_since desc nulls last, w.slug, h.id`;

/**
 * Counts waiting deliveries of enabled webhooks, with the time of the oldest, and the next attempt of those that are not paused. Each
 * webhook is read for its first delivery in both orders, and counting ends at $1. Pending deliveries are written as a range of
 * webhook_delivery_status, because no other index has them in the order of their ids. $2 one workspace, or null.
 */
export const selectWaitingDeliveries = `
  with waiting as (
    select h.workspace_id, h.id, next.next_attempt_at as next, oldest.created_at as since,
      exists (select from operator_pause p where p.workspace_id = h.workspace_id and p.work = 'webhook') as paused
    from webhook h cross join lateral (
      select next_attempt_at from webhook_delivery
      where workspace_id = h.workspace_id and webhook_id = h.id and status = 'pending' order by next_attempt_at limit 1) next
    cross join lateral (
      select created_at from webhook_delivery
      where workspace_id = h.workspace_id and webhook_id = h.id and status >= 'pending' and status <= 'pending'
      order by status, id limit 1) oldest
    where h.enabled and ($2::uuid is null or h.workspace_id = $2)
  ), counted as (
    select count(*)::int as count from (
      select from waiting w cross join lateral (
        select from webhook_delivery where workspace_id = w.workspace_id and webhook_id = w.id and status = 'pending'
        limit $1) one
      limit $1) n
  )
  select counted.count, min(since) as since, min(next) filter (where not paused) as next,
    coalesce(min(next) filter (where not paused) <= clock_timestamp(), false) as is_due, coalesce(bool_and(paused), false) as paused
  from counted left join waiting on true group by counted.count`;

/**
 * Selects the present lines of batches, each with its first batch, the one without progress for the longest time first.
 * $1 lines, $2 one workspace, or null.
 */
export const selectLines = `
  select w.slug, l.workspace_id, l.count, b.id, b.status, b.profile_name, b.submitted_at, b.progressed_at,
         extract(epoch from clock_timestamp() - b.progressed_at)::float8 as idle_seconds,
         exists (select from operator_pause p where p.workspace_id = l.workspace_id and p.work = 'batch') as paused
  from (
    select workspace_id, count(*)::int as count, min(accepted_order) as first from sync_batch
    where status in ('queued', 'processing') and ($2::uuid is null or workspace_id = $2) group by workspace_id) l
  join workspace w on w.id = l.workspace_id
  join sync_batch b on b.workspace_id = l.workspace_id and b.accepted_order = l.first
    and b.status in ('queued', 'processing')
  order by paused, b.progressed_at limit $1`;

/** Selects the progress of a batch: chunks, elements, and attempts of unfinished chunks. $1 workspace, $2 batch. */
export const selectProgress = `
  select count(*) filter (where phase = 'done')::int as done,
         coalesce(sum(created + updated + skipped + error), 0)::float8 as elements,
         coalesce(max(attempts) filter (where phase <> 'done'), 0)::int as attempts
  from sync_chunk where workspace_id = $1 and batch_id = $2`;

/** Selects batches that failed or have rejected elements, newest first; $1 at most. */
export const suspectBatches = `
  select w.id as workspace_id, w.slug, b.id, b.profile_name as title, b.status, b.submitted_at as at
  from workspace w cross join lateral (
    (select * from sync_batch where workspace_id = w.id and status = 'failed' and payload_kept
     order by id desc limit $1)
    union all
    (select * from (
       select * from sync_batch where workspace_id = w.id and status = 'completed' and payload_kept
       order by id desc limit $1) newest
     where (counts ->> 'error')::int > 0)) b
  order by b.status = 'failed' desc, b.submitted_at desc limit $1`;

/** Selects compressed elements, a few segments at a time. $1 workspace, $2 batch, $3 chunk and $4 segment to go on behind. */
export const selectSegments = `
  select chunk, segment, elements from sync_payload
  where workspace_id = $1 and batch_id = $2 and (chunk, segment) > ($3, $4) order by chunk, segment limit 4`;

/** $1 workspace, $2 batch. */
export const selectBatch = `
  select w.slug, b.id, b.status, b.phase, b.profile_name, b.dry_run, b.submitted_at, b.started_at, b.finished_at,
         b.progressed_at, b.attempts, b.request_id, b.element_count, b.chunk_count, b.counts, b.failure, b.payload_kept, b.traceparent,
         b.cancelling, b.cancellation
  from sync_batch b join workspace w on w.id = b.workspace_id where b.workspace_id = $1 and b.id = $2`;

/** $1 workspace. */
export const selectPauses = 'select work, reason, paused_at from operator_pause where workspace_id = $1';
export const selectAllPauses = `
  select w.slug, p.work, p.reason, p.paused_at
  from operator_pause p join workspace w on w.id = p.workspace_id order by p.paused_at desc limit 200`;

/** $1 workspace, $2 work, $3 reason. */
export const insertPause = `
  insert into operator_pause (workspace_id, work, reason) values ($1, $2, $3)
  on conflict (workspace_id, work) do update set reason = excluded.reason`;

/** $1 workspace, $2 work. */
export const deletePause = 'delete from operator_pause where workspace_id = $1 and work = $2 returning work';

/** Makes the relay announce the waiting events again. $1 workspace, $2 reader. */
export const forgetAnnouncement = `
  update event_lane set announced_at = null where workspace_id = $1 and reader = $2`;

/** $1 id, $2 action, $3 work, $4 workspace or null, $5 subject, $6 reason or null, $7 items, $8 person or null, $9 its name. */
export const insertAction = `
  insert into operator_action (id, action, work, workspace, subject, reason, items, person_id, person_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** $1 action, $2 ordinal, $3 workspace, $4 item, $5 refusal or null. */
export const insertOutcome = `
  insert into operator_outcome (action_id, ordinal, workspace, item, refusal) values ($1, $2, $3, $4, $5)`;

/** Selects workspaces in order of their slugs, each with its line of imports and pauses. $1 slug to go on behind or null, $2 rows. */
export const selectWorkspaces = `
  select w.slug, w.name, w.state, w.created_at,
         (select count(*)::int from sync_batch b
          where b.workspace_id = w.id and b.status in ('queued', 'processing')) as line,
         (select coalesce(json_agg(p.work order by p.work), '[]') from operator_pause p where p.workspace_id = w.id) as paused,
         (select submitted_at from sync_batch b where b.workspace_id = w.id order by id desc limit 1) as last_import_at
  from (select * from workspace where $1::text is null or slug > $1 order by slug limit $2) w
  order by w.slug`;

/** $1 workspace, $2 run. */
export const selectRun = `
  select w.slug, r.id, a.name, r.status, r.script_version, r.attempt, r.event_at, r.started_at, r.finished_at, r.duration_ms,
         r.automation_id, r.error, exists (
           select from automation_run later
           where later.workspace_id = w.id and later.event_id = r.event_id and later.event_index = r.event_index
             and later.automation_id = r.automation_id and later.attempt > r.attempt) as is_retried
  from workspace w join automation_run r on r.workspace_id = w.id
  left join automation a on a.workspace_id = w.id and a.id = r.automation_id
  where w.id = $1 and r.id = $2`;

/** $1 id to go on below or null, $2 rows. */
export const selectActions = `
  select a.id, a.at, a.action, a.work, a.workspace, a.subject, a.reason, a.items, a.person_name,
         (select count(*)::int from operator_outcome o where o.action_id = a.id and o.refusal is null) as accepted,
         (select count(*)::int from operator_outcome o where o.action_id = a.id and o.refusal is not null) as refused
  from operator_action a where $1::uuid is null or a.id < $1 order by a.id desc limit $2`;

/** $1 id. */
export const selectAction = `
  select id, at, action, work, workspace, subject, reason, items, person_name from operator_action where id = $1`;

/** Selects the items of an action with their names and present states. $1 action. */
export const selectOutcomes = `
  select o.ordinal, o.workspace, o.item, o.refusal, w.id as workspace_id,
         coalesce(b.status, d.status, (
           select status from automation_run again where again.workspace_id = w.id and again.retry_of = o.item
           order by again.id desc limit 1)) as status,
         coalesce(b.profile_name, d.url, (
           select a.name from automation_run r join automation a on a.workspace_id = w.id and a.id = r.automation_id
           where r.workspace_id = w.id and r.id = o.item)) as name
  from operator_outcome o
  left join workspace w on w.slug = o.workspace
  left join sync_batch b on b.workspace_id = w.id and b.id = o.item
  left join lateral (
    select d.status, h.url from webhook h join webhook_delivery d
      on d.workspace_id = w.id and d.webhook_id = h.id and d.id = o.item
    where h.workspace_id = w.id limit 1) d on true
  where o.action_id = $1 order by o.ordinal`;

/**
 * Records the figures of one period, of the busiest workspaces and of all together (the empty name). If another process has recorded the
 * period, it changes nothing. $1 from, $2 to, $3 workspaces.
 */
export const recordSeries = `
  with done as (
    select 'batch' as work, workspace_id, status = 'failed' as failed,
           extract(epoch from finished_at - submitted_at) * 1000 as ms
    from sync_batch where finished_at >= $1 and finished_at < $2 and payload_kept and status in ('completed', 'failed')
    union all
    select 'automation', workspace_id, status = 'failed', duration_ms
    from automation_run where finished_at >= $1 and finished_at < $2 and status in ('succeeded', 'failed')
    union all
    select 'webhook', workspace_id, status = 'failed', extract(epoch from last_attempt_at - created_at) * 1000
    from webhook_delivery where created_at >= $1 and created_at < $2 and status <> 'pending'
  ), waiting as (
    select 'batch' as work, workspace_id, extract(epoch from now() - min(submitted_at)) as seconds
    from sync_batch where status in ('queued', 'processing') group by workspace_id
    union all
    select 'automation', l.workspace_id, extract(epoch from now() - o.recorded_at)
    from event_lane l cross join lateral (
      select recorded_at from outbox where workspace_id = l.workspace_id and not automation_done order by id limit 1) o
    where l.reader = 'automation'
    union all
    select 'webhook', h.workspace_id, extract(epoch from now() - min(d.next_attempt_at))
    from webhook h cross join lateral (
      select next_attempt_at from webhook_delivery
      where workspace_id = h.workspace_id and webhook_id = h.id and status = 'pending'
      order by next_attempt_at limit 1) d
    where h.enabled and d.next_attempt_at <= now() group by h.workspace_id
  ), figures as (
    select work, workspace_id, count(*) as done, count(*) filter (where failed) as failed,
           percentile_cont(0.95) within group (order by ms) as p95
    from done group by grouping sets ((work, workspace_id), (work))
  ), ages as (
    select work, workspace_id, max(seconds) as seconds from waiting group by grouping sets ((work, workspace_id), (work))
  ), together as (
    select work, workspace_id, coalesce(f.done, 0) as done, coalesce(f.failed, 0) as failed, f.p95,
           coalesce(a.seconds, 0) as seconds,
           row_number() over (partition by work, workspace_id is null order by f.failed desc nulls last,
                              f.done desc nulls last, a.seconds desc nulls last) as place
    from (select * from figures) f full join (select * from ages) a using (work, workspace_id)
  ), joined as (
    select b.work, coalesce(w.slug, '') as workspace, max(b.done) as done, max(b.failed) as failed, max(b.p95) as p95,
           max(b.seconds) as seconds
    from together b left join workspace w on w.id = b.workspace_id where b.place <= $3 group by 1, 2
  )
  insert into work_series (at, work, workspace, done, failed, p95_ms, oldest_seconds)
  select $1, work, workspace, done, failed, p95, seconds from joined
  on conflict do nothing`;

/** $1 days, $2 rows. */
export const pruneSeries = `
  delete from work_series where ctid = any (array(
    select ctid from work_series where at < now() - make_interval(days => $1) limit $2)) returning 1`;

/** $1 workspace or '', $2 hours. */
export const selectSeries = `
  select work, at, done, failed, p95_ms as p95, oldest_seconds as oldest from work_series
  where workspace = $1 and at > now() - make_interval(hours => $2) order by at`;

/** Selects the workspaces with the most work in $1 hours. */
export const selectBusiest = `
  select workspace, work, sum(done)::int as done, sum(failed)::int as failed, max(p95_ms) as p95,
         max(oldest_seconds) as oldest
  from work_series where workspace <> '' and at > now() - make_interval(hours => $1)
  group by 1, 2 order by sum(failed) desc, sum(done) desc limit 60`;
