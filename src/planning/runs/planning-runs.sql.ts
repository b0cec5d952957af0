/** Planning runs and their actions as they are stored. All statements of a workspace take it as $1. */

const shown = `id, status, options, is_what_if, day::text, items, links, counts, is_truncated, failure, stored_run_id, series_id, generation,
  actor_type, actor_id, actor_name, created_at::text, started_at::text, finished_at::text, depth, cause_run_id, cause_root_id`;

/** Options have up to hundreds of days and demands. */
export const longColumns = ['weight'] as const;

/** The newest first. $2 id to go on below or null, $3 rows. */
export const selectRuns = `
  select ${shown}, options::text as weight from planning_run
  where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`;

/** $2 id. */
export const selectRun = `select ${shown} from planning_run where workspace_id = $1 and id = $2`;
export const lockRun = `${selectRun} for update`;

/** Lets one caller at a time accept runs, so that their number stays within its limit. The count is a statement behind it. */
export const lockUnfinishedRuns = `
  select pg_advisory_xact_lock(hashtextextended('unfinished planning runs of:' || $1::uuid::text, 0))`;

export const countUnfinishedRuns = `
  select count(*)::int as count from planning_run where workspace_id = $1 and finished_at is null`;

/**
 * The first queued run with these options; none if a worker is about to begin it. `for share` makes `beginRun` leave it until the transaction
 * has ended. $2 options.
 */
export const shareQueuedRun = `
  select ${shown} from planning_run
  where workspace_id = $1 and finished_at is null and status = 'queued' and not is_what_if and options::jsonb = $2::jsonb
  order by id limit 1 for share skip locked`;

/** $2 id, $3 options, $4 whether it is a what-if run, $5 to $7 the actor, $8 to $10 its cause. */
export const insertRun = `
  insert into planning_run (workspace_id, id, options, is_what_if, actor_type, actor_id, actor_name, depth, cause_run_id, cause_root_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${shown}`;

/** $2 id, $3 status, $4 failure or null. */
export const endRun = `
  update planning_run set status = $3, failure = $4, finished_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and finished_at is null returning ${shown}`;

/** $2 id[]. */
export const selectKnownProjects = `
  select e.id, e.archived_at is not null as is_archived from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, category, archived_at from entity where workspace_id = $1 and id = i.id offset 0) e
  join category c on c.workspace_id = $1 and c.key = e.category
  where c.role = 'project'`;

/** The places of those that exist, from 1. $2 entity[] and $3 revision[], side by side. */
export const selectKnownRevisions = `
  select i.place::int as place from unnest($2::uuid[], $3::int[]) with ordinality as i (id, revision, place)
  where exists (
      select from entity where workspace_id = $1 and id = i.id and revision_number = i.revision offset 0)
    or exists (
      select from entity_revision where workspace_id = $1 and entity_id = i.id and revision_number = i.revision offset 0)`;

/** Order lines and requirements. $2 id[]. */
export const selectDatedRecords = `
  select id from stock_line where workspace_id = $1 and id = any($2::uuid[])
  union all
  select id from material_requirement where workspace_id = $1 and id = any($2::uuid[])`;

/** The first in line of each workspace that does not rest; of the whole instance. $1 rows. */
export const selectFirstRuns = `
  select distinct on (workspace_id) workspace_id, id from planning_run r
  where finished_at is null and exists (select from workspace w where w.id = r.workspace_id and w.state = 'active')
  order by workspace_id, id limit $1`;

/**
 * Lets one run of a workspace at a time be computed. The lock is that of the transaction that reads: it ends with its process, and the next
 * worker takes the run. No other lock is taken beside it.
 */
export const tryLockPlanning = `
  select pg_try_advisory_xact_lock(hashtextextended('planning run in:' || $1::uuid::text, 0)) as is_locked`;

/** Leaves a run that another transaction holds: it waits for nobody, and the next look finds the run again. $2 id. */
export const beginRun = `
  update planning_run set status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
  where workspace_id = $1 and id = (
    select id from planning_run where workspace_id = $1 and id = $2 and finished_at is null for update skip locked)
  returning attempts`;

/** Completed runs that are looked at for one with the same options, and for one that plans everything. */
const NEWEST_RUNS = 20;

/** Completed runs that plan things as they are, the newest first. */
export const selectNewestPlans = `
  select ${shown} from planning_run
  where workspace_id = $1 and status = 'completed' and not is_what_if order by id desc limit ${NEWEST_RUNS}`;

/**
 * The newest run of the series that a run goes on with, and the highest number of its actions: the series of the last run with the same options, or of
 * the last run at all. None if it ended more than half of the days ago for which runs are kept: nothing of it is deleted meanwhile. $2 run, $3 days.
 */
export const selectBaseline = `
  with this as (select options::jsonb as options from planning_run where workspace_id = $1 and id = $2),
  recent as (
    select id, series_id, options::jsonb as options from planning_run
    where workspace_id = $1 and id <> $2 and status = 'completed' and not is_what_if
    order by id desc limit ${NEWEST_RUNS}),
  chosen as (
    select r.series_id from recent r cross join this where r.series_id is not null
    order by r.options = this.options desc, r.id desc limit 1)
  select h.series_id, h.generation, h.id, h.counts, h.is_truncated,
         coalesce((
           select ordinal from planning_action where workspace_id = $1 and run_id = h.series_id order by ordinal desc limit 1), 0) as last_number
  from chosen c
  cross join lateral (
    select series_id, generation, coalesce(stored_run_id, id) as id, counts, is_truncated, finished_at from planning_run
    where workspace_id = $1 and series_id = c.series_id order by generation desc, id desc limit 1) h
  where h.finished_at > now() - make_interval(hours => 12 * $3::int)`;

/** The generation of the last run of a series. $2 series. */
export const selectLastGeneration = `
  select generation from planning_run where workspace_id = $1 and series_id = $2
  order by generation desc limit 1`;

/**
 * $2 id, $3 day, $4 items, $5 links, $6 counts, $7 whether actions were left out, $8 series, $9 generation, $10 the run that found the same or
 * null.
 */
export const completeRun = `
  update planning_run
  set status = 'completed', day = $3, items = $4, links = $5, counts = $6, is_truncated = $7, series_id = $8, generation = $9,
      stored_run_id = $10, finished_at = clock_timestamp()
  where workspace_id = $1 and id = $2 and finished_at is null returning ${shown}`;

/** The series of run `r`: it is looked for in an index, which an expression that is not leakproof would not use. */
export const ownSeries = (r: string) =>
  `case when ${r}.series_id is null then ${r}.id else ${r}.series_id end`;

/** Another run of its series is later than run `r`. */
export const laterInSeries = (r: string) => `exists (
  select from planning_run where workspace_id = ${r}.workspace_id and series_id = ${r}.series_id
    and (generation, id) > (${r}.generation, ${r}.id))`;

/**
 * Deletes old runs of the whole instance which no other run names as the same. The last of a series stays until its actions are deleted. $1 days, $2
 * rows.
 */
export const prunePlanningRuns = `
  delete from planning_run d using (
    select workspace_id, id from planning_run r
    where finished_at < now() - make_interval(days => $1)
      and not exists (select from planning_run where workspace_id = r.workspace_id and stored_run_id = r.id)
      and (${laterInSeries('r')} or not exists (
        select from planning_action where workspace_id = r.workspace_id and run_id = ${ownSeries('r')}))
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.id = o.id
  returning 1`;
