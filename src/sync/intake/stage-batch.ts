/**
 * The intake thread's work: reads a body piece by piece, cuts it, stages it and accepts the batch. When the
 * last transaction commits, the batch survives everything but the loss of PostgreSQL.
 */
import { createHash } from 'node:crypto';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import {
  claimIdempotencyKey,
  type IdempotentRequest,
  recordAnswer,
  withBody,
} from '../../http/idempotency.ts';
import { recordImportCompleted } from '../chunk/record-changes.ts';
import type { ArrivingBody } from './body-channel.ts';
import { GuidPartition, type Segment } from './guid-partition.ts';
import type { BodyAccount, HeldBudget } from './held-budget.ts';
import { EnvelopeError, type IntakeLimit, InvalidJsonError, LimitError } from './intake-errors.ts';
import { JsonSplitter } from './json/split-json.ts';
import { NdjsonSplitter } from './json/split-ndjson.ts';
import type { ChunkHead } from './spill-bucket.ts';
import {
  acceptBatch,
  acceptEmptyBatch,
  countUnfinished,
  dropReceiving,
  insertChunks,
  insertPayload,
  insertReceiving,
  keepReceiving,
  lockAcceptance,
} from './stage-batch.sql.ts';

export interface Intake {
  workspaceId: string;
  batchId: string;
  actorId: string;
  requestId: string;
  profileName: string;
  dryRun: boolean;
  format: 'json' | 'ndjson';
  elementsMax: number;
  elementBytesMax: number;
  chunkElements: number;
  queuedBatchesMax: number;
  idempotency: IdempotentRequest | null;
}

export interface Staged {
  /** The batch that was accepted, or the earlier one that the Idempotency-Key stands for. */
  batchId: string;
  replayed: boolean;
}

const HELD_ELEMENTS_MAX = 100_000;
const HELD_BYTES_MAX = 64 * 1024 * 1024;
const SPILL_BUCKETS_MAX = 256;
const INSERT_BYTES_MAX = 1024 * 1024;

/** What every body of a thread is staged with. */
export interface IntakeThread {
  db: Db;
  budget: HeldBudget;
}

/**
 * Stages a body and accepts it as a batch. Throws `AppError` for what is wrong with the request; nothing of
 * it is left then.
 */
export async function stageBatch(
  { db, budget }: IntakeThread,
  intake: Intake,
  body: ArrivingBody,
): Promise<Staged> {
  const account = budget.open(intake.workspaceId);
  const partition = partitionOf(intake, account);
  const scope = { workspaceId: intake.workspaceId };
  let spilled = false;
  try {
    const digest = createHash('sha256');
    const splitter = splitterOf(intake, partition);
    for await (const piece of body.pieces) {
      digest.update(piece);
      splitter.push(piece);
      const ready = partition.takeReady();
      if (ready.length > 0) {
        await inTransaction(db, scope, (tx) => storeReceived(tx, intake, ready, spilled));
        spilled = true;
        partition.forget(ready);
      }
      await account.untilRoom(body.cut);
    }
    splitter.end();
    const { chunks, segments } = partition.finish();
    const { elementCount } = partition;
    return await inTransaction(db, scope, (tx) =>
      accept(tx, intake, { chunks, segments, elementCount, spilled, digest: digest.copy().digest() }),
    );
  } catch (error) {
    if (spilled) {
      await inTransaction(db, scope, (tx) =>
        tx.query(dropReceiving, [intake.workspaceId, intake.batchId]),
      ).catch(() => {}); // What stays behind is swept up by healing.
    }
    throw asAppError(error);
  } finally {
    partition.close();
    account.close();
  }
}

interface Accepted {
  chunks: ChunkHead[];
  segments: Segment[];
  elementCount: number;
  /** Segments are stored already. */
  spilled: boolean;
  digest: Buffer;
}

async function accept(
  tx: Tx,
  intake: Intake,
  { chunks, segments, elementCount, spilled, digest }: Accepted,
): Promise<Staged> {
  const { workspaceId, batchId } = intake;
  const idempotency = intake.idempotency === null ? null : withBody(intake.idempotency, digest);
  if (idempotency !== null) {
    const kept = await claimIdempotencyKey(tx, idempotency);
    if (kept !== null) {
      await tx.query(dropReceiving, [workspaceId, batchId]);
      const first = JSON.parse(kept.bytes?.toString() ?? '{}') as { batchId: string };
      return { batchId: first.batchId, replayed: true };
    }
  }
  await tx.query(lockAcceptance, [workspaceId]);
  await refuseTooMany(tx, workspaceId, intake.queuedBatchesMax);
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
  ]);
  if (chunks.length === 0) {
    await tx.query(acceptEmptyBatch, [workspaceId, batchId]);
    const ended = { profile_name: intake.profileName, counts: { created: 0, updated: 0, error: 0 } };
    if (!intake.dryRun) await recordImportCompleted(tx, { workspaceId, batchId }, ended);
  } else {
    await tx.query(acceptBatch, [workspaceId, batchId, elementCount, chunks.length]);
  }
  if (idempotency !== null) await recordAnswer(tx, idempotency, { status: 202, body: { batchId } });
  return { batchId, replayed: false };
}

/** Back-pressure: throws when the workspace has as many unfinished batches as it may have. */
export async function refuseTooMany(tx: Tx, workspaceId: string, queuedBatchesMax: number): Promise<void> {
  const [row] = await tx.query<{ unfinished: number }>(countUnfinished, [workspaceId, queuedBatchesMax]);
  if (row === undefined || row.unfinished < queuedBatchesMax) return;
  throw new AppError('too_many_batches', {
    detail: `The workspace has ${queuedBatchesMax} unfinished batches, which is the limit. Send this one again when some are finished.`,
    extensions: { limit: queuedBatchesMax },
    headers: { 'Retry-After': '5' },
  });
}

/** Stores segments of a body that is not accepted yet. Throws `request_timeout` when it was swept meanwhile. */
async function storeReceived(
  tx: Tx,
  intake: Intake,
  segments: readonly Segment[],
  spilled: boolean,
): Promise<void> {
  const { workspaceId, batchId, profileName, dryRun, actorId, requestId } = intake;
  if (!spilled) {
    await tx.query(insertReceiving, [workspaceId, batchId, profileName, dryRun, actorId, requestId]);
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
      some.map((segment) => segment.bucket),
      some.map((segment) => segment.segment),
      some.map((segment) => segment.elements),
    ]);
    start = end;
  }
}

function partitionOf(intake: Intake, account: BodyAccount): GuidPartition {
  const { chunkElements, elementsMax } = intake;
  return new GuidPartition({
    chunkElements,
    heldElementsMax: HELD_ELEMENTS_MAX,
    heldBytesMax: HELD_BYTES_MAX,
    spillBuckets: Math.min(SPILL_BUCKETS_MAX, Math.ceil(elementsMax / chunkElements)),
    account,
  });
}

function splitterOf(
  intake: Intake,
  partition: GuidPartition,
): { push(piece: Uint8Array): void; end(): void } {
  const limits = { elementsMax: intake.elementsMax, elementBytesMax: intake.elementBytesMax };
  const onElement = partition.add.bind(partition);
  if (intake.format === 'json') return new JsonSplitter({ onElement, limits });
  return new NdjsonSplitter({ onElement, onRejected: partition.addRejected.bind(partition), limits });
}

function asAppError(error: unknown): unknown {
  if (error instanceof InvalidJsonError) {
    const { line, column, message } = error;
    return new AppError('invalid_json', {
      detail: `Line ${line}, column ${column}: ${message}`,
      extensions: { line, column },
    });
  }
  if (error instanceof EnvelopeError) {
    const { pointer, message } = error;
    return new AppError('validation_failed', {
      detail: message,
      errors: [{ pointer, code: 'invalid_type', message }],
    });
  }
  if (error instanceof LimitError) {
    const { code, wayRound } = limitAnswers[error.limit];
    const sentence = `${error.message}${/[.!]$/.test(error.message) ? '' : '.'}`;
    return new AppError(code, { detail: `${sentence}${wayRound}` });
  }
  return error;
}

const sumUp =
  ' Give the quantity of each parent link in one element ("quantity"), or send them in several batches.';
const noWayRound = { code: 'payload_too_large', wayRound: '' } as const;

const limitAnswers: Record<
  IntakeLimit,
  { code: 'too_many_entities' | 'payload_too_large'; wayRound: string }
> = {
  elementsMax: {
    code: 'too_many_entities',
    wayRound: ' Send them as NDJSON (application/x-ndjson), or in several batches.',
  },
  guidElementsMax: { code: 'too_many_entities', wayRound: sumUp },
  guidBytesMax: { code: 'payload_too_large', wayRound: sumUp },
  elementBytesMax: noWayRound,
  memberBytesMax: noWayRound,
  nestingMax: noWayRound,
};
