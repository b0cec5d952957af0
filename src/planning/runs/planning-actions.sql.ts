/**
 * Actions of planning runs as they are stored: runs of a series share them. An action belongs to the runs of its generations, and keeps its number. All
 * statements of a workspace take it as $1, the series as $2 and the generation of a run in it as $3.
 */
import { laterInSeries, ownSeries } from './planning-runs.sql.ts';

/** An action is there in these generations. */
export const inGeneration = (generation = '$3', of = '') =>
  `${of}from_generation <= ${generation} and ${of}until_generation > ${generation}`;

/**
 * From generation $3 on; the actions side by side: $4 ordinals, $5 items, $6 actions, $7 exceptions joined by blanks, $8 lines, $9 needed on, $10 starts
 * on, $11 quantities, $12 days late, $13 supplier parts, $14 suppliers, $15 locations, $16 amounts, $17 currencies, $18 bases, $19 substitutes, $20
 * quantities of them, $21 days of parts, $22 projects joined by blanks, $23 digests.
 */
export const insertActions = `
  insert into planning_action (workspace_id, run_id, from_generation, ordinal, item_id, action, exceptions, line_id, needed_on, starts_on,
                               quantity, late_days, supplier_part_id, supplier_id, location_id, amount, currency, basis, substitute_id,
                               substitute_quantity, part_on, project_ids, digest)
  select $1, $2, $3::int, a.ordinal, a.item_id, a.action, string_to_array(a.exceptions, ' '), a.line_id, a.needed_on, a.starts_on, a.quantity,
         a.late_days, a.supplier_part_id, a.supplier_id, a.location_id, a.amount, a.currency, a.basis, a.substitute_id, a.substitute_quantity,
         a.part_on, string_to_array(a.projects, ' ')::uuid[], a.digest
  from unnest($4::int[], $5::uuid[], $6::text[], $7::text[], $8::uuid[], $9::date[], $10::date[], $11::numeric[], $12::int[],
              $13::uuid[], $14::uuid[], $15::uuid[], $16::numeric[], $17::text[], $18::text[], $19::uuid[], $20::numeric[], $21::date[],
              $22::text[], $23::uuid[])
    as a (ordinal, item_id, action, exceptions, line_id, needed_on, starts_on, quantity, late_days, supplier_part_id, supplier_id,
          location_id, amount, currency, basis, substitute_id, substitute_quantity, part_on, projects, digest)`;

/** Numbers and digests of actions, in the order of the numbers. $4 number to go on behind, $5 rows. */
export const selectDigests = `
  select ordinal, digest from planning_action
  where workspace_id = $1 and run_id = $2 and ordinal > $4 and ${inGeneration()} order by ordinal limit $5`;

/** Generation $3 is the first without these actions. $4 ordinals. */
export const endActions = `
  update planning_action set until_generation = $3
  where workspace_id = $1 and run_id = $2 and ordinal = any($4::int[])`;

/** Lets one transaction at a time change actions of the series $2 that are stored. */
export const lockSeries = `
  select pg_advisory_xact_lock(hashtextextended('planning actions of:' || $1::uuid::text || $2::uuid::text, 0))`;

/** Completed runs that are looked at for dismissals, where those before have a scope or projects of their own. */
const DISMISSED_IN_MAX = 20;

/**
 * An action that was dismissed in a completed run before stays dismissed while its need is the same. Runs with a scope lack actions of other items, and
 * runs with projects have other needs: they are looked at back to the last run without either, and the newest that has the action decides. What was due on the day of that run is due on the day of
 * this one. $2 run.
 */
export const keepDismissals = `
  with this as (select day, series_id, generation from planning_run where workspace_id = $1 and id = $2),
  recent as (
    select id, coalesce(series_id, stored_run_id, id) as series, generation, day,
      coalesce(json_typeof(options -> 'scope'), 'null') = 'null' and coalesce(json_array_length(options -> 'projects'), 0) = 0 as is_whole
    from planning_run
    where workspace_id = $1 and id < $2 and status = 'completed' and not is_what_if
    order by id desc limit ${DISMISSED_IN_MAX}),
  looked as (
    select * from recent
    where id >= coalesce((select id from recent where is_whole order by id desc limit 1), '00000000-0000-0000-0000-000000000000'::uuid)),
  items as (
    select d.item_id from (select series, generation from looked union select series_id, generation from this) l
    join planning_action d on d.workspace_id = $1 and d.run_id = l.series and d.status = 'dismissed' and ${inGeneration('l.generation', 'd.')}
    group by d.item_id),
  decided as (
    select this.series_id, a.ordinal, (
        select d.status from looked l
        cross join lateral (
          select status from planning_action d
          where d.workspace_id = $1 and d.run_id = l.series and d.item_id = a.item_id and d.action = a.action and ${inGeneration('l.generation', 'd.')}
            and d.line_id is not distinct from a.line_id and d.part_on is not distinct from a.part_on and d.substitute_id is not distinct from a.substitute_id and d.quantity = a.quantity
            and (d.needed_on is not distinct from a.needed_on or (a.needed_on = this.day and d.needed_on = l.day))
          limit 1) d
        order by l.id desc limit 1) as status
    from this cross join items i
    join planning_action a on a.workspace_id = $1 and a.run_id = this.series_id and a.item_id = i.item_id and ${inGeneration('this.generation', 'a.')})
  update planning_action a set status = n.status
  from decided n
  where a.workspace_id = $1 and a.run_id = n.series_id and a.ordinal = n.ordinal
    and n.status in ('open', 'dismissed') and a.status in ('open', 'dismissed') and a.status <> n.status`;

const actionColumns = `a.ordinal, a.item_id, i.number as item_number, i.name as item_name, a.action, a.exceptions, a.line_id,
  l.number as line_number, coalesce(a.part_on, (d.promises -> -1 ->> 'on')::date, d.required_by)::text as line_date, a.part_on::text, a.needed_on::text, a.starts_on::text, a.quantity, a.late_days,
  a.supplier_part_id, s.name as supplier, a.substitute_id, r.number as substitute_number, a.substitute_quantity,
  a.location_id, a.amount::text, a.currency, a.basis, a.status, a.order_id`;

/** Actions with the names of what they concern. */
export const withNames = (actions: string, more = '', order = 'a.starts_on, a.ordinal') => `
  select ${more}${actionColumns} from (${actions}) a
  left join lateral (select number, name from entity where workspace_id = $1 and id = a.item_id offset 0) i on true
  left join lateral (select number from entity where workspace_id = $1 and id = a.line_id offset 0) l on true
  left join lateral (select number from entity where workspace_id = $1 and id = a.substitute_id offset 0) r on true
  left join lateral (select required_by, promises from stock_line where workspace_id = $1 and id = a.line_id offset 0) d on true
  left join lateral (select name from supplier where workspace_id = $1 and id = a.supplier_id limit 1) s on true
  order by ${order}`;

/**
 * $4 date and $5 ordinal to go on behind, $6 action or null, $7 exception or null, $8 item or null, $9 status or null, $10 supplier or null, $11
 * `proposal`, `exception` or null, $12 project that they serve or null, $13 rows.
 */
export const selectActions = withNames(`
  select * from planning_action
  where workspace_id = $1 and run_id = $2 and ${inGeneration()} and (starts_on, ordinal) > ($4::date, $5::int)
    and ($6::text is null or action = $6)
    and ($7::text is null or exceptions @> array[$7::text]) and ($8::uuid is null or item_id = $8)
    and ($9::text is null or status = $9) and ($10::uuid is null or supplier_id = $10)
    and ($11::text is null or case $11 when 'proposal' then action <> 'none' else exceptions <> '{}' end)
    and ($12::uuid is null or project_ids @> array[$12::uuid])
  order by starts_on, ordinal limit $13`);

/** Whether it is known which projects the actions of a run serve: of all or of none. */
export const selectServedKnown = `
  select project_ids is not null as is_known from planning_action
  where workspace_id = $1 and run_id = $2 and ${inGeneration()} order by ordinal limit 1`;

/** A date and an ordinal before all actions. */
export const beforeActions = ['-infinity', 0] as const;

/** Uses of substitutes in place of these items, or of these items in place of others. $4 item[], $5 rows. */
export const selectSubstituteUses = `
  select item_id, substitute_id, needed_on::text, quantity, substitute_quantity from planning_action
  where workspace_id = $1 and run_id = $2 and ${inGeneration()} and action = 'useSubstitute'
    and (item_id = any($4::uuid[]) or substitute_id = any($4::uuid[]))
  order by starts_on, ordinal limit $5`;

/** The substitutes that are used in place of these items, with the facts on which that rests. $4 item[]. */
export const selectSubstituteBases = `
  select a.item_id, a.substitute_id, a.basis from unnest($4::uuid[]) as i (id)
  cross join lateral (
    select item_id, substitute_id, basis from planning_action
    where workspace_id = $1 and run_id = $2 and item_id = i.id and action = 'useSubstitute' and ${inGeneration()} offset 0) a`;

/** Actions to commit or to dismiss; their rows are locked. $4 ordinals or null, $5 actions, $6 rows. */
export const lockActions = withNames(`
  select * from planning_action
  where workspace_id = $1 and run_id = $2 and ${inGeneration()}
    and (($4::int[] is null and status = 'open' and action = any($5::text[])) or ordinal = any($4::int[]))
  order by starts_on, ordinal limit $6 for update`);

/** A later run writes what was carried out anew, if it is needed again. $4 ordinals, $5 status, $6 orders. */
export const updateActions = `
  update planning_action a set status = $5, order_id = g.order_id, digest = case when $5 = 'committed' then null else a.digest end
  from unnest($4::int[], $6::uuid[]) as g (ordinal, order_id)
  where a.workspace_id = $1 and a.run_id = $2 and ${inGeneration('$3', 'a.')} and a.ordinal = g.ordinal`;

/**
 * Further actions of items rest on what a commit has made; a later run writes them anew. Those that were stale before stay so: runs with other options
 * share some actions of an item. $4 items, $5 bases, $6 bases before.
 */
export const updateBases = `
  update planning_action a set basis = g.basis, digest = null
  from unnest($4::uuid[], $5::text[], $6::text[]) as g (item_id, basis, before)
  where a.workspace_id = $1 and a.run_id = $2 and a.item_id = g.item_id and ${inGeneration('$3', 'a.')} and a.action <> 'useSubstitute' and a.status = 'open'
    and a.basis = g.before`;

/** Likewise uses of these items as substitutes. $4 items, $5 bases, $6 bases before. */
export const updateSubstituteBases = `
  update planning_action a set basis = g.basis, digest = null
  from unnest($4::uuid[], $5::text[], $6::text[]) as g (item_id, basis, before)
  where a.workspace_id = $1 and a.run_id = $2 and a.substitute_id = g.item_id and ${inGeneration('$3', 'a.')} and a.status = 'open' and a.basis = g.before`;

/** Actions of the whole instance whose series ended with an old run. Runs of an earlier version have no series. $1 days, $2 rows. */
export const prunePlanningActions = `
  delete from planning_action d using (
    select a.workspace_id, a.run_id, a.ordinal from planning_run r
    cross join lateral (
      select workspace_id, run_id, ordinal from planning_action
      where workspace_id = r.workspace_id and run_id = ${ownSeries('r')} limit $2) as a
    where r.finished_at < now() - make_interval(days => $1)
      and not ${laterInSeries('r')}
      and not exists (
        select from planning_run where workspace_id = r.workspace_id and stored_run_id = r.id and series_id is null
          and finished_at >= now() - make_interval(days => $1))
    limit $2) as o
  where d.workspace_id = o.workspace_id and d.run_id = o.run_id and d.ordinal = o.ordinal
  returning 1`;
