/** Webhooks and their deliveries. */

const columns = `
  id, url, description, events, enabled, enabled_at, disabled_reason, failing_since, previous_expires_at, version,
  created_at, updated_at`;

/**
 * A function whose answer may change from row to row is no condition for an index, and all that waits would be gone through; asked for so,
 * it is called once.
 */
const moment = '(select clock_timestamp())';

/** $1 workspace, $2 id to go on after or null, $3 rows. */
export const selectWebhooks = `
  select ${columns} from webhook where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`;

/** $1 workspace, $2 id. */
export const selectWebhook = `select ${columns} from webhook where workspace_id = $1 and id = $2`;
export const lockWebhook = `${selectWebhook} for update`;

/** $1 workspace. */
export const countWebhooks = 'select count(*)::int as count from webhook where workspace_id = $1';

/** $1 workspace, $2 id, $3 url, $4 description, $5 events, $6 enabled, $7 secret. */
export const insertWebhook = `
  insert into webhook (workspace_id, id, url, description, events, enabled, enabled_at, secret)
  values ($1, $2, $3, $4, $5::jsonb, $6, case when $6 then now() end, $7)
  returning ${columns}`;

/**
 * $1 to $6 as above, $7 the reason for being disabled or null. To be enabled anew begins with a clean slate; and whoever disables one by
 * hand knows of it, so that it does not count as failing any more.
 */
export const updateWebhook = `
  update webhook set url = $3, description = $4, events = $5::jsonb, enabled = $6,
    enabled_at = case when not $6 then null when enabled then enabled_at else now() end,
    failing_since = case when case when $6 then not enabled or url <> $3 else enabled and $7::text is null end
      then null else failing_since end,
    announced_at = case when enabled then announced_at end, disabled_reason = $7, version = version + 1, updated_at = now()
  where workspace_id = $1 and id = $2
  returning ${columns}`;

/** $1 workspace, $2 id, $3 the new secret, $4 hours that the old one goes on. */
export const rotateSecret = `
  update webhook set previous_secret = secret, previous_expires_at = now() + make_interval(hours => $4),
    secret = $3, version = version + 1, updated_at = now()
  where workspace_id = $1 and id = $2
  returning ${columns}`;

/** Its deliveries go with it. $1 workspace, $2 id. */
export const deleteWebhook = `
  with gone as (delete from webhook_delivery where workspace_id = $1 and webhook_id = $2)
  delete from webhook where workspace_id = $1 and id = $2`;

/** Lists the enabled webhooks, oldest first. $1 workspace. */
export const selectListening = `
  select id, events, enabled_at from webhook where workspace_id = $1 and enabled order by id`;

/** $1 workspace, $2 deliveries as a JSON array. */
export const insertDeliveries = `
  insert into webhook_delivery (workspace_id, webhook_id, id, type, payload, status, next_attempt_at, traceparent)
  select $1, webhook_id, id, type, payload, 'pending', now(), traceparent
  from jsonb_to_recordset($2::jsonb) as d (webhook_id uuid, id uuid, type text, payload text, traceparent text)`;

/**
 * Webhooks with something to deliver whose turn is announced nowhere, or so long ago that it may be lost; those that
 * have waited longest first. Of one workspace $2 at a time: what its receivers hold is its own share, and the queue
 * never holds more of it than that. Half of the share at most is for receivers that fail, so that they do not keep
 * those waiting that answer. Two that claim at once pass over what the other has locked. $1 seconds, $2 share,
 * in the scope of a workspace $3 workspace.
 */
export const claimWebhooks = (scope: 'workspace' | 'instance') => {
  const here = scope === 'workspace' ? 'and w.workspace_id = $3' : '';
  // What was announced at a time that is yet to come was so before the clock was set back.
  const lost = `(w.announced_at < clock_timestamp() - make_interval(secs => $1)
      or w.announced_at > clock_timestamp() + interval '1 minute')`;
  return `
  with busy as (
    select w.workspace_id, count(*) as turns, count(*) filter (where w.failing_since is not null) as failing
    from webhook w where not ${lost} ${here}
    group by w.workspace_id
  ), due as (
    select w.workspace_id, w.id, d.since, w.failing_since is not null as fails,
      row_number() over (
        partition by w.workspace_id, w.failing_since is not null order by d.since, w.id) as place_of_kind
    from webhook w cross join lateral (
      select next_attempt_at as since from webhook_delivery
      where workspace_id = w.workspace_id and webhook_id = w.id and status = 'pending'
      order by next_attempt_at limit 1) as d
    where w.enabled and (w.announced_at is null or ${lost}) ${here} and d.since <= clock_timestamp()
      and not exists (
        select from operator_pause p where p.workspace_id = w.workspace_id and p.work = 'webhook')
  ), admitted as (
    select due.workspace_id, due.id, coalesce(busy.turns, 0) as turns,
      row_number() over (partition by due.workspace_id order by due.since, due.id) as place
    from due left join busy on busy.workspace_id = due.workspace_id
    where not due.fails or due.place_of_kind <= ($2::int + 1) / 2 - coalesce(busy.failing, 0)
  ), free as (
    select w.workspace_id, w.id
    from admitted a join webhook w on w.workspace_id = a.workspace_id and w.id = a.id
    where a.place <= $2::int - a.turns and w.enabled and (w.announced_at is null or ${lost})
    for update of w skip locked limit 1000
  )
  update webhook w set announced_at = clock_timestamp()
  from free where w.workspace_id = free.workspace_id and w.id = free.id
  returning w.workspace_id, w.id, w.turn`;
};

/** Begins a turn; nothing where another job has had it. $1 workspace, $2 id, $3 turn. */
export const beginTurn = `
  update webhook set turn = turn + 1, announced_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and turn = $3 and enabled
  returning turn, url, secret, failing_since,
    case when previous_expires_at > clock_timestamp() then previous_secret end as previous_secret`;

/**
 * Takes deliveries that are due for as long as sending them may take: whoever dies over it leaves them due
 * again. As an array the choice is made once; as a table to be joined it was made for every delivery of the webhook.
 * $1 workspace, $2 webhook, $3 how many, $4 seconds.
 */
export const leaseDeliveries = `
  update webhook_delivery d set next_attempt_at = clock_timestamp() + make_interval(secs => $4)
  where d.workspace_id = $1 and d.webhook_id = $2 and d.id = any (array(
    select id from webhook_delivery
    where workspace_id = $1 and webhook_id = $2 and status = 'pending' and next_attempt_at <= ${moment}
    order by next_attempt_at limit $3 for update skip locked))
  returning d.id, d.type, d.payload, d.attempts, d.traceparent`;

/**
 * $1 workspace, $2 webhook, $3 delivery, $4 status, $5 milliseconds until the next attempt or null, $6 HTTP
 * status, $7 error, $8 milliseconds it took, $9 the entry of the history, of which the last 20 stay.
 */
export const recordAttempt = `
  update webhook_delivery set status = $4, attempts = attempts + 1,
    next_attempt_at = case when $5::float8 is not null
      then clock_timestamp() + make_interval(secs => $5::float8 / 1000) end,
    last_attempt_at = clock_timestamp(), last_status = $6, last_error = $7, last_duration_ms = $8,
    history = case when jsonb_array_length(history) >= 20 then history - 0 else history end || $9::jsonb
  where workspace_id = $1 and webhook_id = $2 and id = $3 and coalesce(status = 'pending', false)`;

/** Since when it had failed; nothing where it had not. $1 workspace, $2 webhook. */
export const noteSuccess = `
  update webhook set failing_since = null
  where workspace_id = $1 and id = $2 and failing_since is not null
  returning old.failing_since`;

/**
 * How many messages that wait were refused since. What was tried waits longest, so that the look does not go through all that
 * waits. $1 workspace, $2 webhook, $3 since, $4 looked at.
 */
export const countRefused = `
  select count(*)::int as refused from (
    select last_attempt_at from webhook_delivery
    where workspace_id = $1 and webhook_id = $2 and status = 'pending' order by next_attempt_at desc limit $4) waiting
  where last_attempt_at >= $3`;

/** Makes deliveries due that wait for longer than $3 seconds, $4 at most. $1 workspace, $2 webhook. */
export const bringForward = `
  update webhook_delivery set next_attempt_at = clock_timestamp()
  where workspace_id = $1 and webhook_id = $2 and id = any (array(
    select id from webhook_delivery
    where workspace_id = $1 and webhook_id = $2 and status = 'pending'
      and next_attempt_at > ${moment} + make_interval(secs => $3)
    order by next_attempt_at limit $4 for update skip locked))
    and coalesce(status = 'pending', false)`;

/**
 * For how many minutes it has been failing: since the attempt that is noted, or an earlier one. Of several that are noted at the same time the first to
 * have the row need not be the first that failed. Nothing of one that is disabled by now. $1 workspace, $2 webhook, $3 delivery.
 */
export const noteFailure = `
  update webhook set failing_since = coalesce(
    least(failing_since, (
      select last_attempt_at from webhook_delivery where workspace_id = $1 and webhook_id = $2 and id = $3)),
    clock_timestamp())
  where workspace_id = $1 and id = $2 and enabled
  returning extract(epoch from clock_timestamp() - failing_since)::float8 / 60 as minutes`;

/** Leased deliveries that were not sent after all are due again. $1 workspace, $2 webhook, $3 deliveries. */
export const returnDeliveries = `
  update webhook_delivery set next_attempt_at = clock_timestamp()
  where workspace_id = $1 and webhook_id = $2 and id = any ($3::uuid[])
    and coalesce(status = 'pending', false)`;

/** Ends a turn: whoever claims next says whose turn it is. $1 workspace, $2 webhook. */
export const endTurn = 'update webhook set announced_at = null where workspace_id = $1 and id = $2';

/**
 * Puts a turn off for a second: its announcement counts as lost then. $1 workspace, $2 webhook, $3 the seconds after
 * which one does.
 */
export const putTurnOff = `
  update webhook set announced_at = clock_timestamp() - make_interval(secs => $3 - 1)
  where workspace_id = $1 and id = $2`;

const deliveryColumns = `
  id, type, status, attempts, next_attempt_at, last_attempt_at, last_status, last_error, last_duration_ms, created_at`;

/**
 * Newest first. $1 workspace, $2 webhook, $3 id to go on below or null, $4 status or null, $5 rows. Those of a status are a
 * range of webhook_delivery_status, said as a range so that no other index has their order: by the primary key one that failed
 * among a million would be looked for in all of them.
 */
export const selectDeliveries = (of: 'all' | 'status') => `
  select ${deliveryColumns} from webhook_delivery
  where workspace_id = $1 and webhook_id = $2 and ($3::uuid is null or id < $3)
    and ${of === 'status' ? 'status >= $4 and status <= $4' : '$4::text is null'}
  order by ${of === 'status' ? 'status desc, ' : ''}id desc limit $5`;

/** $1 workspace, $2 webhook, $3 id. */
export const selectDelivery = `
  select ${deliveryColumns}, payload, history from webhook_delivery
  where workspace_id = $1 and webhook_id = $2 and id = $3`;

/** $1 workspace, $2 webhook, $3 id. */
export const lockDelivery = `
  select status from webhook_delivery where workspace_id = $1 and webhook_id = $2 and id = $3 for no key update`;

/** $1 workspace, $2 webhook, $3 id. */
export const resendDelivery = `
  update webhook_delivery set status = 'pending', attempts = 0, next_attempt_at = clock_timestamp()
  where workspace_id = $1 and webhook_id = $2 and id = $3`;

/** Tests of a webhook that still wait, by an index of their own, which the type names. $1 workspace, $2 webhook, $3 counted at most. */
export const countWaitingTests = `
  select count(*)::int as count from (
    select from webhook_delivery where workspace_id = $1 and webhook_id = $2 and status = 'pending' and type = 'webhook.test'
    limit $3) n`;

/** $1 days, $2 rows at most. */
export const pruneDeliveries = `
  delete from webhook_delivery where ctid = any (array(
    select ctid from webhook_delivery where created_at < now() - make_interval(days => $1) limit $2
    for update skip locked
  )) returning 1`;
