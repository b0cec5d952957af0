/** Count tasks as they are stored. $1 is the workspace. A writer locks the task that it changes and nothing else. */

/** Rows of tasks `t` as `CountTaskRow`, in the order of their ids. */
const shown = (tasks: string, order = '') => `
  select t.id, t.location_id, l.number as location_number, l.name as location_name, t.below, t.assigned_to,
         m.name as assigned_name, t.due_on::text, t.note, t.status, t.created_by, c.type as creator_type, c.name as creator_name,
         t.created_at::text, t.ended_by, e.type as ender_type, e.name as ender_name, t.ended_at::text
  from (${tasks}) t
  left join lateral (select number, name from entity where workspace_id = $1 and id = t.location_id offset 0) l on true
  left join lateral (select name from member where workspace_id = $1 and id = t.assigned_to offset 0) m on true
  left join lateral (select type, name from actor where workspace_id = $1 and id = t.created_by offset 0) c on true
  left join lateral (select type, name from actor where workspace_id = $1 and id = t.ended_by offset 0) e on true
  ${order}`;

/** A page in the order of creation. $2 id to go on behind or null, $3 rows. */
export const selectAllTasks = shown(
  'select * from count_task where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit $3',
  'order by t.id',
);
export const selectOpenTasks = shown(
  `select * from count_task where workspace_id = $1 and status = 'open' and ($2::uuid is null or id > $2) order by id limit $3`,
  'order by t.id',
);

/** Open tasks of a member. $2 id to go on behind or null, $3 rows, $4 member. */
export const selectAssignedTasks = shown(
  `select * from count_task
   where workspace_id = $1 and status = 'open' and assigned_to = $4 and ($2::uuid is null or id > $2) order by id limit $3`,
  'order by t.id',
);

/** $2 id. */
export const selectTask = shown('select * from count_task where workspace_id = $1 and id = $2');
export const lockTask = 'select id from count_task where workspace_id = $1 and id = $2 for update';

/** $2 id[]. */
export const selectTasks = shown(
  'select * from count_task where workspace_id = $1 and id = any ($2::uuid[])',
);

/** Open tasks, counted up to $2. */
export const countOpenTasks = `
  select count(*)::int as present from (
    select from count_task where workspace_id = $1 and status = 'open' limit $2) as counted`;

/** Names the actor first, whose first entry it may be. $2 actor, $3 its type, $4 its name. */
export const nameActor = `
  insert into actor (workspace_id, id, type, name) values ($1, $2, $3, $4) on conflict (workspace_id, id) do nothing`;

/** $2 id, $3 location, $4 below, $5 member or null, $6 day or null, $7 note or null, $8 actor. */
export const insertTask = `
  insert into count_task (workspace_id, id, location_id, below, assigned_to, due_on, note, created_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** $2 id, $3 below, $4 member or null, $5 day or null, $6 note or null, $7 status, $8 actor, who ends it if it was open. */
export const updateTask = `
  update count_task
  set below = $3, assigned_to = $4, due_on = $5, note = $6, status = $7,
      ended_by = case when $7 = 'open' then null when status = $7 then ended_by else $8::uuid end,
      ended_at = case when $7 = 'open' then null when status = $7 then ended_at else now() end
  where workspace_id = $1 and id = $2`;

/** An active member with its areas. $2 member. */
export const selectCounter =
  'select name, areas from member where workspace_id = $1 and id = $2 and ended_at is null';

/** Tasks that ended $1 days ago, $2 at most. */
export const pruneCountTasks = `
  delete from count_task where ctid = any (array(
    select ctid from count_task where status <> 'open' and ended_at < now() - make_interval(days => $1)
    limit $2 for update skip locked
  )) returning 1`;
