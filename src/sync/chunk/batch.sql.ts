/** SQL of a batch's life: taking turns, claiming chunks, moving on, finishing. */

/** $1 workspace, $2 batch. */
export const selectBatchState = `
  select status, phase, chunk_count, element_count, request_id, traceparent,
         exists (select from operator_pause where workspace_id = $1 and work = 'batch') as paused
  from sync_batch where workspace_id = $1 and id = $2`;

/**
 * Remembers how many edits of the structure there were: before anything is planned, so that whoever links knows
 * of any that came between. A batch that starts again has links of an earlier plan: -1 makes it look in any case.
 *
 * Starts a queued batch if it is the first in its workspace's line (an unfinished one before it has a lower
 * place). Not when the transaction began: that may be before the one ahead of it had ended. $1 workspace, $2 batch.
 */
export const startBatch = `
  update sync_batch b set status = 'processing', started_at = coalesce(started_at, clock_timestamp()),
      progressed_at = now(),
      structure_edits = case when structure_edits is null
        then coalesce((select edits from structure_edit s where s.workspace_id = $1), 0) else -1 end
  where workspace_id = $1 and id = $2 and status = 'queued'
    and not exists (
      select from sync_batch e
      where e.workspace_id = $1 and e.status in ('queued', 'processing') and e.accepted_order < b.accepted_order)
  returning id`;

/**
 * Above this a chunk is large: all elements of one GUID, for nothing else is not cut. The threads that all batches share do
 * not take it.
 */
export const LARGE_CHUNK_ELEMENTS = 20_000;

const chunksLock = `hashtextextended('chunks:' || $1::uuid::text || $2::uuid::text, 0)`;

/**
 * Makes the transaction that ends a batch wait for running chunks, while no further chunk is claimed. PostgreSQL
 * grants shared locks before exclusive ones, and claims nearly always overlap, so without this lock it would wait
 * until the end of the pass. No lock of the batch's row is needed before it. $1 workspace, $2 batch.
 */
export const waitForChunks = `select pg_advisory_xact_lock(${chunksLock})`;

/**
 * Whether somebody waits so, or is about to end the batch. Of the table of locks, which takes none: whoever asks has the batch's row,
 * and must not come to hold what the other waits for too. $1 workspace, $2 batch.
 */
export const isEndWanted = `
  select exists (
    select from pg_locks, (select ${chunksLock} as key) as k
    where locktype = 'advisory' and mode = 'ExclusiveLock' and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and classid = ((key >> 32) & 4294967295)::oid and objid = (key & 4294967295)::oid) as wanted`;

/**
 * Condition that nobody waits for the lock above. Evaluated once per statement and held until the end of the
 * transaction. $1 workspace, $2 batch.
 */
const nobodyWaits = `(select pg_try_advisory_xact_lock_shared(${chunksLock}))`;

/** Before a claim, with which it is sent: a claim that finds nothing does not say whether it made way. $1 workspace, $2 batch. */
export const shareChunks = `select ${nobodyWaits} as shared`;

/**
 * Claims a chunk of this phase that nobody else works on. SKIP LOCKED makes the row lock the claim: it ends with
 * the transaction, whatever ends it. The shared lock on the batch's row makes a cancel or failure wait for running
 * chunks. $1 workspace, $2 batch, $3 phase, $4 whether a large one, $5 ordinals to skip.
 */
export const claimChunk = `
  select c.ordinal, c.element_count, coalesce(c.bucket, c.ordinal) as bucket, c.slot_from, c.slot_to, c.plan, c.structure, c.leaves, b.submitted_by, b.dry_run, b.commit_of, b.structure_edits::text,
         b.structure_mode = 'exact' as exact, b.misspelled
  from sync_chunk c
  join sync_batch b on b.workspace_id = $1 and b.id = $2 and b.status = 'processing' and b.phase = $3
  where ${nobodyWaits} and c.workspace_id = $1 and c.batch_id = $2 and c.phase = $3
    and (c.element_count > ${LARGE_CHUNK_ELEMENTS}) = $4 and c.ordinal <> all ($5::integer[])
  order by c.ordinal limit 1
  for update of c skip locked for key share of b`;

/** Finds where the elements of a chunk are stored. $1 workspace, $2 batch, $3 chunk. */
export const selectPlace = `
  select element_count, coalesce(bucket, ordinal) as bucket, slot_from, slot_to from sync_chunk
  where workspace_id = $1 and batch_id = $2 and ordinal = $3`;

/** A few segments at a time: each unpacks to a megabyte. $1 workspace, $2 batch, $3 bucket, $4 behind this segment. */
export const selectPayload = `
  select segment, elements from sync_payload
  where workspace_id = $1 and batch_id = $2 and chunk = $3 and segment > $4 order by segment limit 4`;

/** Until the transaction ends. */
export const waitForNoDisk = `select set_config('synchronous_commit', 'off', true)`;

/** $1 workspace, $2 batch, $3 chunk, $4 phase, $5 created, $6 updated, $7 skipped, $8 error, $9 warnings. */
export const countChunk = `
  update sync_chunk set phase = $4, created = $5, updated = $6, skipped = $7, error = $8, warnings = $9
  where workspace_id = $1 and batch_id = $2 and ordinal = $3`;

/**
 * $1 workspace, $2 batch, $3 chunk, $4 plan, $5 basis, $6 whether the others have to know of its links, $7 structure, $8 whether
 * it creates entities that are outside of structures.
 */
export const saveChunk = `
  update sync_chunk set plan = $4, basis = $5, has_links = $6, structure = $7, creates_outside = $8
  where workspace_id = $1 and batch_id = $2 and ordinal = $3`;

/**
 * Whether a parent that is new in the batch is outside of structures, or may be because its chunk is not planned yet. Chunks whose
 * entities are nobody's parents do not count. $1 workspace, $2 batch.
 */
export const anyOutsideParent = `
  select coalesce(bool_or(creates_outside or phase = 'plan'), false) as any from sync_chunk
  where workspace_id = $1 and batch_id = $2 and not leaves`;

/** Keeps what other chunks have noted before. $1 workspace, $2 batch, $3 fields. */
export const noteMisspelled = `
  update sync_batch set misspelled = $3::jsonb || coalesce(misspelled, '{}') where workspace_id = $1 and id = $2
  returning misspelled`;

/** Reads the basis of a dry run's chunk. $1 workspace, $2 the dry run, $3 chunk. */
export const selectBasis = `
  select basis from sync_chunk where workspace_id = $1 and batch_id = $2 and ordinal = $3 and basis is not null`;

/** $1 workspace, $2 batch. */
export const enterWrite = `update sync_batch set phase = 'write' where workspace_id = $1 and id = $2`;

/**
 * Chunks that are to be linked, as `claimChunk` claims one. $1 workspace, $2 batch, $3 whether large ones, $4 ordinals,
 * or null for any, $5 how many.
 */
export const claimLinkChunks = `
  select c.ordinal, octet_length(c.plan) as plan_bytes, b.submitted_by, b.structure_edits::text
  from sync_chunk c
  join sync_batch b on b.workspace_id = $1 and b.id = $2 and b.status = 'processing' and b.phase = 'link'
  where ${nobodyWaits} and c.workspace_id = $1 and c.batch_id = $2 and c.phase = 'link'
    and (c.element_count > ${LARGE_CHUNK_ELEMENTS}) = $3
    and ($4::integer[] is null or c.ordinal = any($4))
  order by c.ordinal limit $5
  for update of c skip locked for key share of b`;

/** $1 workspace, $2 batch, $3 ordinals. */
export const selectLinkChunks = `
  select ordinal, plan, structure from sync_chunk
  where workspace_id = $1 and batch_id = $2 and ordinal = any($3::integer[])`;

/** $1 workspace, $2 batch, $3 ordinals. */
export const setChunksDone = `
  update sync_chunk set phase = 'done' where workspace_id = $1 and batch_id = $2 and ordinal = any($3::integer[])`;

/**
 * Claims the batch for the structure pass, which one thread makes alone: nothing where another makes it. Its row is waited for; whoever
 * notes that the batch moves has it for a moment, and who passed it over would leave the batch to nobody. $1 workspace, $2 batch.
 */
export const claimStructure = `
  select structure_mode = 'exact' as exact, structure_edits::text from sync_batch
  where workspace_id = $1 and id = $2 and status = 'processing' and phase = 'structure'
    and pg_try_advisory_xact_lock(hashtextextended('structure of:' || $1::uuid::text || $2::uuid::text, 0))
  for no key update`;

/**
 * Without those that were written where they were planned and of whose links the others need not know. With what is decided
 * already of the chunks that a retry found written. $1 workspace, $2 batch, $3 behind this chunk,
 * $4 whether those without are wanted too: for what they name.
 */
export const selectPlans = `
  select ordinal, plan, case phase when 'link' then structure end as decided, phase = 'link' or applied as written
  from sync_chunk
  where workspace_id = $1 and batch_id = $2 and ordinal > $3 and plan is not null
    and (phase <> 'link' or structure is not null or $4) and (phase <> 'link' or not leaves or has_links)
  order by ordinal limit 4`;

/** A chunk that the plan had finished comes back when the structure concerns it. $1 … $3, $4 structure. */
export const saveStructure = `
  update sync_chunk set structure = $4, phase = 'write' where workspace_id = $1 and batch_id = $2 and ordinal = $3`;

/** $1 workspace, $2 batch, $3 from, $4 to. Only while no chunk is due in the phase that is left. */
export const leavePhase = `
  update sync_batch set phase = $4, progressed_at = now()
  where workspace_id = $1 and id = $2 and status = 'processing' and phase = $3
    and not exists (
      select from sync_chunk where workspace_id = $1 and batch_id = $2 and phase = $3)
  returning phase`;

/** Whether any chunk is due in a phase, and any large one. $1 workspace, $2 batch, $3 phase. */
export const anyChunkIn = `
  select count(*) > 0 as any, coalesce(bool_or(element_count > ${LARGE_CHUNK_ELEMENTS}), false) as large
  from sync_chunk where workspace_id = $1 and batch_id = $2 and phase = $3`;

/** Whether any plan has links that the others have to know of. $1 workspace, $2 batch. */
export const anyLinksPlanned = `
  select exists (
    select from sync_chunk where workspace_id = $1 and batch_id = $2 and has_links and (phase <> 'link' or leaves)) as any`;

/**
 * Holds the batch: a cancel or failure waits, or has already happened, so chunks read afterwards agree with it. $1,
 * $2.
 */
export const holdBatch = `select from sync_batch where workspace_id = $1 and id = $2 for no key update`;

/**
 * Ends a batch whose chunks are all done, with its counts; one that is being cancelled when what it wrote is linked. A batch of one
 * chunk is done by the transaction that ends it, which began long before.
 * $1 workspace, $2 batch.
 */
export const completeBatch = `
  update sync_batch b
  set status = case when b.cancelling then 'cancelled' else 'completed' end, phase = 'done',
      finished_at = clock_timestamp(), progressed_at = now(), counts = c.counts
  from (
    select jsonb_build_object('total', coalesce(sum(element_count), 0), 'created', coalesce(sum(created), 0),
      'updated', coalesce(sum(updated), 0), 'skipped', coalesce(sum(skipped), 0), 'error', coalesce(sum(error), 0),
      'warnings', coalesce(sum(warnings), 0)) as counts,
      coalesce(bool_and(phase = 'done'), true) as done, coalesce(bool_and(phase <> 'link'), true) as linked
    from sync_chunk where workspace_id = $1 and batch_id = $2) c
  where b.workspace_id = $1 and b.id = $2 and b.status = 'processing'
    and case when b.cancelling then c.linked else c.done end
  returning b.status, b.dry_run, b.profile_name, b.counts`;

/**
 * Counts a failed attempt at a chunk whose batch has stood still for $4 seconds for each that was counted, because somebody else
 * holds what it changes; nothing before that. $1 workspace, $2 batch, $3 chunk.
 */
export const countHeldAttempt = `
  update sync_chunk c set attempts = c.attempts + 1 from sync_batch b
  where c.workspace_id = $1 and c.batch_id = $2 and c.ordinal = $3 and b.workspace_id = $1 and b.id = $2
    and b.progressed_at < now() - make_interval(secs => $4 * (c.attempts + 1))
  returning c.attempts`;

/** Counts a failed attempt at a pass over the whole batch, likewise. $1 workspace, $2 batch, $3 seconds. */
export const countHeldBatchAttempt = `
  update sync_batch set attempts = attempts + 1
  where workspace_id = $1 and id = $2 and status = 'processing'
    and progressed_at < now() - make_interval(secs => $3 * (attempts + 1))
  returning attempts`;

/** Counts a failed attempt. $1 workspace, $2 batch, $3 chunk. */
export const countAttempt = `
  update sync_chunk set attempts = attempts + 1
  where workspace_id = $1 and batch_id = $2 and ordinal = $3 returning attempts`;

/** Counts a failed attempt at a pass that is of no one chunk. $1 workspace, $2 batch. */
export const countBatchAttempt = `
  update sync_batch set attempts = attempts + 1
  where workspace_id = $1 and id = $2 and status = 'processing' returning attempts`;

/** Locks the batch after `waitForChunks`, to end it. $1 workspace, $2 batch. */
export const lockBatchExclusively = `select from sync_batch where workspace_id = $1 and id = $2 for update`;

/** Says that the batch moves; it need not survive a crash. $1 workspace, $2 batch. */
export const noteProgress = `
  update sync_batch set progressed_at = now() where workspace_id = $1 and id = $2 and status = 'processing'`;

/**
 * Not where what failed has been done meanwhile by another job: the chunk, or the pass that is of no one chunk.
 * $1 workspace, $2 batch, $3 failure, $4 phase in which it failed, $5 chunk or null.
 */
export const failBatch = `
  update sync_batch set status = 'failed', finished_at = now(), progressed_at = now(), failure = $3
  where workspace_id = $1 and id = $2 and status = 'processing'
    and case when $5::integer is null then phase = $4 else exists (
      select from sync_chunk where workspace_id = $1 and batch_id = $2 and ordinal = $5 and phase = $4) end
  returning id`;

/** The workspace's next batch in line. $1 workspace. */
export const nextInLine = `
  select id, accepted_order::text as place, status from sync_batch
  where workspace_id = $1 and status in ('queued', 'processing') order by accepted_order limit 1`;

/**
 * The first batch in line of every workspace that has one and that has not moved for $1 seconds, for announcing
 * again what Redis may have lost. One that moved at a time that is yet to come did so before the clock was set back.
 */
export const idleHeadsOfLine = `
  select workspace_id, id from (
    select distinct on (workspace_id) workspace_id, id, progressed_at
    from sync_batch b where status in ('queued', 'processing')
      and not exists (select from operator_pause p where p.workspace_id = b.workspace_id and p.work = 'batch')
    order by workspace_id, accepted_order) heads
  where progressed_at <= now() - make_interval(secs => $1) or progressed_at > now() + interval '1 minute'`;

/** The first in line of workspaces that have come into use again within $1 seconds: nobody here has heard of them. */
export const headsOfArrived = `
  select h.workspace_id, h.id, extract(epoch from w.active_since)::bigint::text as arrival
  from workspace w cross join lateral (
    select workspace_id, id from sync_batch
    where workspace_id = w.id and status in ('queued', 'processing') order by accepted_order limit 1) h
  where w.active_since > now() - make_interval(secs => $1)
    and not exists (select from operator_pause p where p.workspace_id = w.id and p.work = 'batch')`;

/** Bodies that stopped arriving: older than $1 seconds and still not accepted. One that somebody holds waits for the next sweep. */
export const sweepReceiving = `
  with gone as (
    delete from sync_batch where ctid = any (array(
      select ctid from sync_batch
      where status = 'receiving' and progressed_at < now() - make_interval(secs => $1)
      for update skip locked
    ))
    returning workspace_id, id
  )
  delete from sync_payload p using gone where p.workspace_id = gone.workspace_id and p.batch_id = gone.id`;
