/** Reads batches as envelopes. */

import type { Actor } from '../../actor.ts';
import type { Db } from '../../db/connect.ts';
import { type RowPage, readPage } from '../../db/read-page.ts';
import { rfc3339 } from '../../db/time.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { ResultCounts } from '../elements/sync-result.ts';
import type { FollowedBatch } from './follow-batches.ts';
import { selectBatch, selectBatches, selectFollowed } from './read-batches.sql.ts';
import type { SyncBatch } from './sync.schema.ts';

/** A batch as it is read. */
export interface BatchRow {
  id: string;
  status: SyncBatch['status'];
  profile_name: string;
  dry_run: boolean;
  submitted_at: string;
  started_at: string | null;
  finished_at: string | null;
  element_count: number;
  failure: { code: 'chunk_failed' | 'plan_stale'; message: string; guids?: string[] } | null;
  cancellation: {
    at: string;
    type: Actor['type'];
    name: string;
    reason: string | null;
  } | null;
  commit_of: string | null;
  resend_of: string | null;
  structure_mode: SyncBatch['structure'];
  results_kept: boolean;
  actor_type: Actor['type'];
  actor_id: string;
  actor_name: string;
  counts: ResultCounts;
}

/** Returns one envelope without results. Throws `batch_not_found`. */
export async function readBatch(tx: Tx, slug: string, batchId: string): Promise<SyncBatch> {
  const [row] = await tx.queryPrepared<BatchRow>(selectBatch, [tx.workspaceId, batchId]);
  if (row === undefined) {
    throw new AppError('batch_not_found', `There is no batch ${batchId} in this workspace.`);
  }
  return toEnvelope(slug, row);
}

/** Throws `results_gone` where the batch has outlived its results. */
export function requireResults({ batchId, resultsGone }: SyncBatch): void {
  if (resultsGone !== true) return;
  throw new AppError(
    'results_gone',
    `The results of batch ${batchId} are past their retention; its counts are in the envelope.`,
  );
}

/** Envelopes without results of batches of any workspaces, by their ids, in one statement. */
export async function readFollowed(
  db: Db,
  batches: readonly FollowedBatch[],
): Promise<ReadonlyMap<string, SyncBatch>> {
  const ids = [batches.map((batch) => batch.workspaceId), batches.map((batch) => batch.batchId)];
  const rows = await inTransaction(db, 'instance', (tx) => tx.query<BatchRow>(selectFollowed, ids), {
    readOnly: true,
  });
  const slugs = new Map(batches.map(({ batchId, slug }) => [batchId, slug]));
  return new Map(rows.map((row) => [row.id, toEnvelope(slugs.get(row.id) ?? '', row)]));
}

export interface BatchFilter {
  status: string | null;
  profile: string | null;
  dryRun: boolean | null;
  beforeId: string | null;
  limit: number;
}

/** Returns envelopes without results, newest first. */
export async function listBatches(tx: Tx, slug: string, filter: BatchFilter): Promise<RowPage<SyncBatch>> {
  const { status, profile, dryRun, beforeId, limit } = filter;
  const { rows, more } = await readPage<BatchRow>(
    tx,
    selectBatches,
    [tx.workspaceId, status, profile, beforeId, limit + 1, dryRun],
    { limit, long: ['profile_name', 'failure', 'cancellation', 'actor_name'] },
  );
  return { rows: rows.map((row) => toEnvelope(slug, row)), more };
}

export function toEnvelope(slug: string, row: BatchRow): SyncBatch {
  const { created, updated, skipped, error, warnings } = row.counts;
  const self = `/api/wid/${slug}/pdm/sync/batches/${row.id}`;
  return {
    batchId: row.id,
    profileName: row.profile_name,
    status: row.status,
    dryRun: row.dry_run,
    structure: row.structure_mode,
    submittedAt: rfc3339(row.submitted_at),
    startedAt: row.started_at === null ? null : rfc3339(row.started_at),
    finishedAt: row.finished_at === null ? null : rfc3339(row.finished_at),
    submittedBy: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    counts: {
      total: row.element_count,
      processed: created + updated + skipped + error,
      created,
      updated,
      skipped,
      error,
      warnings,
    },
    ...(row.commit_of === null ? {} : { commitOf: row.commit_of }),
    ...(row.resend_of === null ? {} : { resendOf: row.resend_of }),
    ...(row.results_kept ? {} : { resultsGone: true as const }),
    ...(row.cancellation === null ? {} : { cancellation: toCancellation(row.cancellation) }),
    ...(row.failure === null ? {} : { failure: toFailure(row.failure) }),
    links: { self, results: `${self}/results`, events: `${self}/events` },
  };
}

function toCancellation({ at, type, name, reason }: NonNullable<BatchRow['cancellation']>) {
  return { at: rfc3339(at), by: { type, name }, reason };
}

function toFailure({ code, message, guids }: NonNullable<BatchRow['failure']>) {
  return { code, message, ...(guids === undefined ? {} : { guids }) };
}
