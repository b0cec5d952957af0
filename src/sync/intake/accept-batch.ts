/** Stores the parts of an arriving body, and accepts it as a batch. */

import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { Db } from '../../db/connect.ts';
import type { Tx } from '../../db/transaction.ts';
import { byteaArray, int4Array } from '../../db/wire/array-parameter.ts';
import { AppError } from '../../errors.ts';
import { recordImportEnded } from '../../events/record-import-ended.ts';
import { type IdempotentRequest, withBody } from '../../idempotency/idempotency-key.ts';
import type { ElementLimits } from '../elements/read-element.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { claimBatch, type Staged } from './claim-batch.ts';
import type { Segment } from './guid-partition.ts';
import type { HeldBudget } from './held-budget.ts';
import type { ChunkHead } from './spill-bucket.ts';
import {
  acceptBatch as acceptBatchSql,
  acceptEmptyBatch,
  countUnfinished,
  dropReceiving,
  insertChunks,
  insertPayload,
  insertReceiving,
  keepReceiving,
  lockAcceptance,
  takePlace,
} from './stage-batch.sql.ts';

/** The shared means by which every body of a thread is staged. */
export interface IntakeThread {
  db: Db;
  budget: HeldBudget;
  limits: ElementLimits;
  /** Elements of a batch that may be applied where it is accepted; 0 for none. */
  inlineElementsMax: number;
  /** Makes the hash by which a body is cut; each body has a secret of its own. */
  hashOfBody(): GuidHash;
}

export interface Intake {
  workspaceId: string;
  batchId: string;
  actorId: string;
  requestId: string;
  /** The trace that the batch's work belongs to; null where there is none. */
  traceparent: string | null;
  profileName: string;
  dryRun: boolean;
  /** It says the structure of what it sends exactly. */
  exact: boolean;
  /** The batch whose elements are sent again; null for a body of its own. */
  resendOf: string | null;
  /** `lines`: NDJSON made of a table, with lines that say what cannot be read. */
  format: 'json' | 'ndjson' | 'lines';
  elementsMax: number;
  elementBytesMax: number;
  chunkElements: number;
  queuedBatchesMax: number;
  idempotency: IdempotentRequest | null;
  /** Its sender waits for the end: it may be applied where it is accepted. */
  isAwaited: boolean;
}

const INSERT_BYTES_MAX = 1024 * 1024;

/** A body that has arrived whole, cut into chunks. */
export interface Arrived {
  chunks: ChunkHead[];
  segments: Segment[];
  elementCount: number;
  /** Segments are stored already. */
  spilled: boolean;
  digest: Buffer;
  /** The aliases by which the body was cut, of a body that may be several chunks. */
  aliasCount: number;
}

/**
 * Puts the batch in line, unless its Idempotency-Key stands for an earlier one. Last of all: when it commits, the
 * promise of the 202 holds.
 */
export async function acceptBatch(tx: Tx, intake: Intake, { digest, ...arrived }: Arrived): Promise<Staged> {
  const idempotency = intake.idempotency === null ? null : withBody(intake.idempotency, digest);
  const staged = await claimBatch(tx, idempotency, () => putInLine(tx, intake, arrived));
  if (staged.replayed) await tx.query(dropReceiving, [intake.workspaceId, intake.batchId]);
  return { ...staged, isEmpty: !staged.replayed && arrived.chunks.length === 0 };
}

async function putInLine(
  tx: Tx,
  intake: Intake,
  { chunks, segments, elementCount, spilled, aliasCount }: Omit<Arrived, 'digest'>,
): Promise<string> {
  const { workspaceId, batchId } = intake;
  // In one round trip: one after the other all the same.
  const [, place] = await Promise.all([
    tx.query(lockAcceptance, [workspaceId]),
    takePlaceInLine(tx),
    refuseTooMany(tx, intake.queuedBatchesMax),
  ]);
  // A merge takes the acceptance lock, too: until this batch has ended, no entity of several of its chunks becomes one.
  if (chunks.length > 1 && (await loadConfiguration(tx)).aliases.size !== aliasCount) throw mergedMeanwhile();
  await storeReceived(tx, intake, segments, spilled);
  await tx.query(insertChunks, [
    workspaceId,
    batchId,
    chunks.map((chunk) => chunk.ordinal),
    chunks.map((chunk) => chunk.elementCount),
    chunks.map((chunk) => chunk.firstIndex),
    chunks.map((chunk) => chunk.lastIndex),
    chunks.map((chunk) => chunk.bucket),
    chunks.map((chunk) => chunk.slots.from),
    chunks.map((chunk) => chunk.slots.to),
    chunks.map((chunk) => chunk.leaves),
  ]);
  if (chunks.length === 0) {
    await tx.query(acceptEmptyBatch, [workspaceId, batchId, place]);
    const { profileName, dryRun } = intake;
    const counts = { created: 0, updated: 0, error: 0 };
    if (!dryRun) await recordImportEnded(tx, { batchId, profileName, counts });
  } else {
    await tx.query(acceptBatchSql, [workspaceId, batchId, place, elementCount, chunks.length]);
  }
  return batchId;
}

/** An element of a body that is cut by other aliases could lie in another chunk than its entity. */
export function mergedMeanwhile(): AppError {
  return new AppError(
    'merged_meanwhile',
    'Entities were merged since the import was sent, so that its parts no longer fit together. Nothing was applied: send it again.',
  );
}

/**
 * Takes the last place in line. The caller holds the acceptance lock. A place that is not used leaves a gap that
 * does not matter.
 */
export async function takePlaceInLine(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ place: string }>(takePlace);
  if (row === undefined) throw new Error('A sequence without a next number');
  return row.place;
}

/** Back-pressure: throws when the workspace has as many unfinished batches as it may have. */
export async function refuseTooMany(tx: Tx, queuedBatchesMax: number): Promise<void> {
  const [row] = await tx.query<{ unfinished: number }>(countUnfinished, [tx.workspaceId, queuedBatchesMax]);
  if (row === undefined || row.unfinished < queuedBatchesMax) return;
  throw new AppError('too_many_batches', {
    detail: `The workspace has ${queuedBatchesMax} unfinished batches, which is the limit. Send this one again when some are finished.`,
    extensions: { limit: queuedBatchesMax },
    headers: { 'Retry-After': '5' },
  });
}

/** Stores segments of a body that is not accepted yet. Throws `request_timeout` when it was swept meanwhile. */
export async function storeReceived(
  tx: Tx,
  intake: Intake,
  segments: readonly Segment[],
  spilled: boolean,
): Promise<void> {
  const { workspaceId, batchId, profileName, dryRun, exact, actorId, requestId, resendOf, traceparent } =
    intake;
  if (!spilled) {
    await tx.query(insertReceiving, [
      workspaceId,
      batchId,
      profileName,
      dryRun,
      actorId,
      requestId,
      resendOf,
      traceparent,
      exact ? 'exact' : 'additive',
    ]);
  } else if ((await tx.query(keepReceiving, [workspaceId, batchId])).length === 0) {
    throw new AppError(
      'request_timeout',
      'The body took too long to arrive, and what was stored of it has been dropped. Nothing was accepted: send it again.',
    );
  }
  await storeSegments(tx, intake, segments);
}

/** In statements of a megabyte (as much again, twice, is its text), so that neither side holds a large body twice. */
async function storeSegments(tx: Tx, intake: Intake, segments: readonly Segment[]): Promise<void> {
  for (let start = 0; start < segments.length; ) {
    let end = start;
    for (let bytes = 0; end < segments.length && (end === start || bytes < INSERT_BYTES_MAX); end++) {
      bytes += (segments[end] as Segment).elements.length;
    }
    const some = segments.slice(start, end);
    await tx.query(insertPayload, [
      intake.workspaceId,
      intake.batchId,
      int4Array(some.map((segment) => segment.bucket)),
      int4Array(some.map((segment) => segment.segment)),
      byteaArray(some.map((segment) => segment.elements)),
    ]);
    start = end;
  }
}
