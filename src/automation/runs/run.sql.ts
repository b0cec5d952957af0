/** Runs of automations: statements that plan, save and read them. */

import { isActiveCaller } from '../../access/caller-rights.sql.ts';
import { callersOf, isOfCaller } from '../../audit/callers.sql.ts';

/** Enabled automations in the order in which they run. $1 workspace. */
export const selectEnabled = `
  select id, name, context_type, script, script_version, filter, threshold, enabled_at from automation
  where workspace_id = $1 and enabled order by id`;

/**
 * Runs that wait for their turn, with the script that they name. A probe for each: as a join it began with the automations where
 * the table was counted when it had few runs, and read all that each of them ever had. $1 workspace, $2 ids.
 */
export const selectQueued = `
  select r.id, r.automation_id, r.script_version, r.event_id, r.event_index, r.attempt, r.event_at, r.triggered_by, s.script, a.name
  from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select * from automation_run where workspace_id = $1 and id = i.id and status = 'queued' offset 0) as r
  cross join lateral (select name from automation where workspace_id = $1 and id = r.automation_id offset 0) as a
  cross join lateral (
    select script from automation_script
    where workspace_id = $1 and automation_id = r.automation_id and version = r.script_version offset 0) as s`;

/**
 * Automations that have had an event already: a turn may end between two of them. "One of these, of which there is one, in the order
 * of events" is an order that only automation_run_once has; where runs are believed to be few, equality goes along any index of the
 * workspace. $1 workspace, $2 event, $3 index.
 */
export const selectRunAlready = `
  select automation_id from automation_run
  where workspace_id = $1 and event_id = any (array[$2::uuid]) and event_index = $3 order by event_id`;

/**
 * Entities by their ids or by ids of their versions, of which the first is the entity's own. $1 workspace, $2 id[].
 */
export const selectSubjects = `
  select i.id as ref, e.id, e.category, e.state from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select id, category, state from entity where workspace_id = $1 and id = coalesce(
      (select v.id from entity v where v.workspace_id = $1 and v.id = i.id offset 0),
      (select v.id from entity v where v.workspace_id = $1 and v.version_id = i.id and v.version_id <> v.id offset 0),
      (select v.entity_id from entity_revision v where v.workspace_id = $1 and v.version_id = i.id offset 0))
    offset 0) e`;

const columns = `
  workspace_id uuid, id uuid, automation_id uuid, script_version integer, event_id uuid, event_index integer,
  attempt smallint, context_type smallint, context jsonb, event_at timestamptz, status text, depth smallint,
  cause_run_id uuid, retry_of uuid, triggered_by uuid, result jsonb, error jsonb, logs jsonb, api_calls jsonb, changes jsonb,
  times jsonb, duration_ms real, cpu_ms real, started_at timestamptz, finished_at timestamptz`;
const names = [...columns.matchAll(/(\w+) \w+(?:,|$)/g)].map(([, name]) => name).join(', ');

/**
 * $1 runs as a JSON array. A run of the same event by the same automation that is there already is refused by
 * the unique index, and the whole turn with it.
 */
export const insertRuns = `
  insert into automation_run (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r (${columns})`;

/** Inserts runs and leaves a run that is there already as it is. */
export const insertRunsIfNew = `${insertRuns} on conflict do nothing`;

/** Finds queued runs by a probe for each: for a join of many the planner reads all runs of the workspace. $1 workspace. */
const queuedPlace = (id: string) => `
  select ctid as place from automation_run where workspace_id = $1 and id = ${id} and status = 'queued' offset 0`;

/** Queued runs that have been made. $1 workspace, $2 as above. */
export const finishQueued = `
  update automation_run q
  set status = r.status, result = r.result, error = r.error, logs = r.logs, api_calls = r.api_calls,
      changes = r.changes, times = r.times, duration_ms = r.duration_ms, cpu_ms = r.cpu_ms, started_at = r.started_at,
      finished_at = r.finished_at
  from jsonb_to_recordset($2::jsonb) as r (${columns}) cross join lateral (${queuedPlace('r.id')}) as found
  where q.ctid = found.place`;

/** Queued runs whose automation or script is gone. $1 workspace, $2 ids, $3 error. */
export const dropQueued = `
  update automation_run set status = 'suppressed', error = $3::jsonb, finished_at = clock_timestamp()
  where ctid = any (array(
    select found.place from unnest($2::uuid[]) as i (id) cross join lateral (${queuedPlace('i.id')}) as found))`;

const summary = `
  id, automation_id, script_version, event_id, event_index, attempt, context_type, event_at, status, depth,
  cause_run_id, retry_of, error, duration_ms, cpu_ms, started_at, finished_at,
  (select json_build_object('type', c.type, 'id', c.id, 'name', c.name) from actor c
   where c.workspace_id = $1 and c.id = automation_run.triggered_by) as triggered_by,
  coalesce(jsonb_array_length(logs), 0) as log_count, coalesce(jsonb_array_length(changes), 0) as change_count`;

/** Newest first. $1 workspace, $2 automation, $3 id to go on below or null, $4 status or null, $5 rows, $6 caller or null, a member with its keys. */
export const selectRuns = `
  select ${summary} from automation_run
  where workspace_id = $1 and automation_id = $2 and ($3::uuid is null or id < $3)
    and ($4::text is null or status = $4) and ($6::uuid is null or ${isOfCaller({ id: 'automation_run.id', actorId: 'triggered_by' }, '$6::uuid')})
  order by id desc limit $5`;

/**
 * Runs of all automations that a caller, or a key of the member, has triggered: a range for each.
 * $1 workspace, $2 id to go on below or null, $3 rows, $4 caller, $5 status or null.
 */
export const selectRunsOfCaller = `
  select ${summary} from (
    select run.* from (${callersOf('$4::uuid')}) as who
    cross join lateral (
      select * from automation_run
      where workspace_id = $1 and triggered_by >= who.id and triggered_by <= who.id and ($2::uuid is null or id < $2)
        and (id, id) >= (who.since, who.since) and ($5::text is null or status = $5)
      order by automation_run.triggered_by desc, id desc limit $3) as run
    order by run.id desc limit $3) as automation_run
  order by id desc`;

/**
 * Selects runs of all automations, newest first. $1 workspace, $2 id to go on below or null, $3 rows; with a status, $4 is the status,
 * along automation_run_status: "from the status to the status, in the order of status and id" is an order that only it has.
 */
export const selectAllRuns = `
  select ${summary} from automation_run
  where workspace_id = $1 and ($2::uuid is null or id < $2)
  order by id desc limit $3`;
export const selectAllRunsOfStatus = `
  select ${summary} from automation_run
  where workspace_id = $1 and status >= $4 and status <= $4 and ($2::uuid is null or id < $2)
  order by status desc, id desc limit $3`;

/** $1 workspace, $2 id. */
export const selectRun = `
  select ${summary}, context, result, logs, api_calls, changes, times
  from automation_run where workspace_id = $1 and id = $2`;

/** Finds those of these runs that have ended. $1 workspace[], $2 run[] beside it. */
export const selectEndedRuns = `
  select r.id from unnest($1::uuid[], $2::uuid[]) as w (workspace_id, id)
  join automation_run r using (workspace_id, id)
  where r.status <> 'queued'`;

/** The runs before it that led to it, nearest first. $1 workspace, $2 the run's cause. Chains are short by rule. */
export const selectChain = `
  with recursive chain as (
    select id, automation_id, status, cause_run_id, depth, event_at from automation_run where workspace_id = $1 and id = $2
    union all
    select r.id, r.automation_id, r.status, r.cause_run_id, r.depth, r.event_at
    from chain c join automation_run r on r.workspace_id = $1 and r.id = c.cause_run_id
  )
  select id, automation_id, status, depth, event_at from chain order by depth desc limit 1000`;

/** The runs that its writes have set off. $1 workspace, $2 id, $3 rows. */
export const selectEffects = `
  select id, automation_id, status, depth, event_at from automation_run
  where workspace_id = $1 and cause_run_id = $2 order by id limit $3`;

/** The last attempt at an event. $1 workspace, $2 event, $3 index, $4 automation. */
export const selectLastAttempt = `
  select max(attempt) as attempt from automation_run
  where workspace_id = $1 and event_id = $2 and event_index = $3 and automation_id = $4`;

/**
 * Failed runs that nobody has retried: of the newest $4 failed ones between two ids, $2 and $3, along automation_run_status
 * as above. $1 workspace, $5 automation or null, $6 how many ids, the oldest first. Those of automations that are disabled or
 * deleted, and of callers that have ended, are counted apart. A later attempt is looked for in the order of automation_run_once, which only that has, for each by
 * itself: of "not exists" PostgreSQL makes a join, and compared each of thousands with all others.
 */
export const selectUnretried = `
  with failed as materialized (
    select id, event_id, event_index, automation_id, attempt, triggered_by from automation_run
    where workspace_id = $1 and status >= 'failed' and status <= 'failed' and id >= $2::uuid and id < $3::uuid
    order by status desc, id desc limit $4
  ), unretried as materialized (
    select f.id, coalesce(a.enabled, false) and (f.triggered_by is null or ${isActiveCaller('f.triggered_by')}) as enabled
    from failed f
    left join lateral (
      select enabled from automation where workspace_id = $1 and id = f.automation_id offset 0) a on true
    where ($5::uuid is null or f.automation_id = $5) and (
      select true from automation_run l
      where l.workspace_id = $1
        and (l.event_id, l.event_index, l.automation_id, l.attempt) > (f.event_id, f.event_index, f.automation_id, f.attempt)
        and (l.event_id, l.event_index, l.automation_id) <= (f.event_id, f.event_index, f.automation_id)
      order by l.event_id, l.event_index, l.automation_id, l.attempt limit 1) is null
  )
  select (select count(*)::int from unretried where enabled) as matching, (select count(*)::int from failed) as looked,
         (select count(*)::int from unretried where not enabled) as disabled,
         array(select id::text from unretried where enabled order by unretried.id limit $6) as ids`;

/** Runs that ended $1 days ago, $2 at most. */
export const pruneRuns = `
  delete from automation_run where ctid = any (array(
    select ctid from automation_run where finished_at < now() - make_interval(days => $1) limit $2 for update skip locked
  )) returning 1`;
