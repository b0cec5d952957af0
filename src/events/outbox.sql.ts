/** SQL of the outbox, its listeners, and the lanes of its readers (read-lane.ts explains them). */
import { waitingWorkspaces } from '../db/turns/waiting-workspaces.sql.ts';

export type Reader = 'automation' | 'webhook' | 'inbox';

/** The listener that stands for all members of a workspace who follow something. */
export const INBOX_LISTENER = '00000000-0000-0000-0000-0000000000ff';

/** $1 workspace. */
export const selectListened = 'select distinct context_type from event_listener where workspace_id = $1';

/** Which of these somebody listens to, each with the slug of the workspace; one probe each. $1 workspace, $2 context type[]. */
export const selectListenedHere = `
  select wanted.context_type, w.slug from unnest($2::smallint[]) as wanted (context_type)
  cross join lateral (select slug from workspace where id = $1 offset 0) w
  where exists (
    select from event_listener where workspace_id = $1 and context_type = wanted.context_type offset 0)`;

/** $1 workspace, $2 listener, $3 context types. Both statements run on one snapshot: they touch different rows. */
export const replaceListening = `
  with gone as (
    delete from event_listener
    where workspace_id = $1 and listener_id = $2 and context_type <> all ($3::smallint[])
  )
  insert into event_listener (workspace_id, context_type, listener_id)
  select $1, context_type, $2 from unnest($3::smallint[]) as context_type
  on conflict do nothing`;

/**
 * $1 workspace, $2 id, $3 context type, $4 events, $5 their number, $6 depth, $7 the run that caused them, $8 the
 * row that its chain began with, $9 the run that waits for them, $10 whether webhooks pass them over, $11 whether automations do, $12 traceparent or null,
 * $13 whether the inbox passes them over, as it does where no member follows anything that such events tell of, $14 the actor or null.
 */
export const insertOutboxRow = `
  insert into outbox (workspace_id, id, context_type, events, event_count, depth, cause_run_id, root_id, target_run_id, webhook_done,
                      automation_done, traceparent, inbox_done, actor_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
          $13 or not exists (
            select from event_listener where workspace_id = $1 and context_type = $3 and listener_id = '${INBOX_LISTENER}'),
          $14)`;

/** Rows that a reader is not through with, oldest first. $1 workspace, $2 rows. */
export const selectUnread = (reader: Reader) => `
  select id, context_type, events, event_count, depth, cause_run_id, coalesce(root_id, id) as root_id, target_run_id,
         recorded_at, traceparent, actor_id,
         ${reader}_next as next${reader === 'inbox' ? ', inbox_after as after' : ''}
  from outbox where workspace_id = $1 and not ${reader}_done order by id limit $2`;

/** $1 workspace, $2 ids that the reader is through with. */
export const markRead = (reader: Reader) => `
  update outbox set ${reader}_done = true where workspace_id = $1 and id = any ($2::uuid[])`;

/** $1 workspace, $2 id, $3 the event to go on with. */
export const markPart = (reader: Reader) => `
  update outbox set ${reader}_next = $3 where workspace_id = $1 and id = $2`;

/** $1 workspace, $2 id, $3 the event to go on with, $4 the member of it to go on behind or null. */
export const markMember = `
  update outbox set inbox_next = $3, inbox_after = $4 where workspace_id = $1 and id = $2`;

/** $1 workspace. */
export const anyUnread = (reader: Reader) => `
  select exists (select from outbox where workspace_id = $1 and not ${reader}_done) as any`;

export interface Lane {
  /** Whether its runs take long; null before its first turn. */
  slow: boolean | null;
  failures: number;
  careful: number;
}

/**
 * Takes the lane for the transaction, if the turn is the one that is due, nobody has it and the operator does not hold it. $1 workspace,
 * $2 reader, $3 turn.
 */
export const takeLane = `
  select slow, failures, careful from event_lane
  where workspace_id = $1 and reader = $2 and turn = $3
    and not exists (select from operator_pause p where p.workspace_id = $1 and p.work = $2)
  for update skip locked`;

/** The next turn. $1 workspace, $2 reader, $3 whether it is announced now, $4 slow, $5 failures, $6 careful. */
export const passLane = `
  update event_lane
  set turn = turn + 1, announced_at = case when $3 then clock_timestamp() end, slow = $4, failures = $5, careful = $6
  where workspace_id = $1 and reader = $2
  returning turn`;

/** After a failed turn: to be announced again. $1 workspace, $2 reader, $3 turn, $4 failures, $5 careful. */
export const failLane = `
  update event_lane set announced_at = null, failures = $4, careful = $5
  where workspace_id = $1 and reader = $2 and turn = $3`;

/** The query `waiting` finds the workspaces that have something unread. */
const unreadWorkspaces = (reader: Reader) => waitingWorkspaces('outbox', `not ${reader}_done`);

/**
 * Which readers have anything to read in any workspace: a probe each of an index that holds nothing else. There is no order, so that no other
 * index is a way to it, and the plan that a connection has made of an empty table stays right.
 */
export const unreadAnywhere = `
  select exists (select from outbox where not automation_done) as automation,
         exists (select from outbox where not webhook_done) as webhook,
         exists (select from outbox where not inbox_done) as inbox`;

/** "Do nothing" waits for no lock. */
export const openLanes = (reader: Reader) => `
  with recursive ${unreadWorkspaces(reader)}
  insert into event_lane (workspace_id, reader)
  select workspace_id, '${reader}' from waiting where workspace_id is not null
  on conflict do nothing`;

/**
 * Lanes with something to read whose turn is announced nowhere, or so long ago that the announcement may be
 * lost. The turn stays the same: of two announcements of one turn the first to be handled counts. Those that are being
 * read are locked, and passed over. One that was announced at a time that is yet to come was so before the clock was set
 * back. $1 seconds.
 */
export const claimLanes = (reader: Reader) => `
  with recursive ${unreadWorkspaces(reader)}, free as (
    select l.workspace_id from waiting w join event_lane l on l.workspace_id = w.workspace_id
    where l.reader = '${reader}'
      and not exists (
        select from operator_pause p where p.workspace_id = l.workspace_id and p.work = '${reader}')
      and (l.announced_at is null or l.announced_at < clock_timestamp() - make_interval(secs => $1)
        or l.announced_at > clock_timestamp() + interval '1 minute')
    for update of l skip locked
  )
  update event_lane l set announced_at = clock_timestamp()
  from free where l.workspace_id = free.workspace_id and l.reader = '${reader}'
  returning l.workspace_id, l.turn, l.slow`;

/** Rows that all readers have been through with for $1 days, $2 at most. */
export const pruneOutbox = `
  delete from outbox where ctid = any (array(
    select ctid from outbox
    where automation_done and webhook_done and inbox_done and recorded_at < now() - make_interval(days => $1) limit $2
    for update skip locked
  )) returning 1`;

/** $1 workspace, $2 roots. */
export const selectChainRuns = `
  select root_id, runs from event_chain where workspace_id = $1 and root_id = any ($2::uuid[])`;

/** Adds runs to their chains. $1 workspace, $2 roots, $3 how many of each. */
export const countChainRuns = `
  insert into event_chain (workspace_id, root_id, runs)
  select $1, root_id, runs from unnest($2::uuid[], $3::int[]) as made (root_id, runs) order by root_id
  on conflict (workspace_id, root_id) do update
  set runs = event_chain.runs + excluded.runs, updated_at = now()`;

/** Chains that nothing has been added to for $1 days, $2 at most. */
export const pruneChains = `
  delete from event_chain where ctid = any (array(
    select ctid from event_chain where updated_at < now() - make_interval(days => $1) limit $2 for update skip locked
  )) returning 1`;
