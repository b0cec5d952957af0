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
import { recordImportCompleted } from '../record-changes.ts';
import { type ChunkHead, GuidPartition, type Segment } from './guid-partition.ts';
import { EnvelopeError, InvalidJsonError, LimitError } from './intake-errors.ts';
import { JsonSplitter } from './split-json.ts';
import { NdjsonSplitter } from './split-ndjson.ts';
import {
  acceptBatch,
  acceptEmptyBatch,
  countUnfinished,
  dropReceiving,
  insertChunks,
  insertPayload,
  insertReceiving,
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
const INSERT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Stages a body and accepts it as a batch. Throws `AppError` for what is wrong with the request; nothing of
 * it is left then.
 */
export async function stageBatch(db: Db, intake: Intake, pieces: AsyncIterable<Uint8Array>): Promise<Staged> {
  const partition = new GuidPartition({
    chunkElements: intake.chunkElements,
    heldElementsMax: HELD_ELEMENTS_MAX,
    heldBytesMax: HELD_BYTES_MAX,
  });
  const scope = { workspaceId: intake.workspaceId };
  let spilled = false;
  try {
    const digest = createHash('sha256');
    const splitter = splitterOf(intake, partition);
    for await (const piece of pieces) {
      digest.update(piece);
      splitter.push(piece);
      const ready = partition.takeReady();
      if (ready.length === 0) continue;
      await inTransaction(db, scope, async (tx) => {
        if (!spilled) await insertBatch(tx, intake);
        await storeSegments(tx, intake, ready);
      });
      spilled = true;
    }
    splitter.end();
    const { chunks, segments } = partition.finish();
    return await inTransaction(db, scope, (tx) =>
      accept(tx, intake, { chunks, segments, partition, digest: digest.copy().digest() }),
    );
  } catch (error) {
    if (spilled) {
      await inTransaction(db, scope, (tx) =>
        tx.query(dropReceiving, [intake.workspaceId, intake.batchId]),
      ).catch(() => {}); // What stays behind is swept up by healing.
    }
    throw asAppError(error);
  }
}

interface Accepted {
  chunks: ChunkHead[];
  segments: Segment[];
  partition: GuidPartition;
  digest: Buffer;
}

async function accept(
  tx: Tx,
  intake: Intake,
  { chunks, segments, partition, digest }: Accepted,
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
  await insertBatch(tx, intake);
  await storeSegments(tx, intake, segments);
  await tx.query(insertChunks, [
    workspaceId,
    batchId,
    chunks.map((chunk) => chunk.ordinal),
    chunks.map((chunk) => chunk.elementCount),
    chunks.map((chunk) => chunk.firstIndex),
    chunks.map((chunk) => chunk.lastIndex),
  ]);
  if (chunks.length === 0) {
    await tx.query(acceptEmptyBatch, [workspaceId, batchId]);
    const ended = { profile_name: intake.profileName, counts: { created: 0, updated: 0, error: 0 } };
    if (!intake.dryRun) await recordImportCompleted(tx, { workspaceId, batchId }, ended);
  } else {
    await tx.query(acceptBatch, [
      workspaceId,
      batchId,
      partition.elementCount,
      chunks.length,
      partition.linkedCount,
    ]);
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

async function insertBatch(tx: Tx, intake: Intake): Promise<void> {
  await tx.query(insertReceiving, [
    intake.workspaceId,
    intake.batchId,
    intake.profileName,
    intake.dryRun,
    intake.actorId,
    intake.requestId,
  ]);
}

/** In statements of a few megabytes, so that neither side holds a large body twice. */
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
      some.map((segment) => segment.chunk),
      some.map((segment) => segment.segment),
      some.map((segment) => segment.elements),
    ]);
    start = end;
  }
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
    const tooMany = error.limit === 'elementsMax';
    const wayRound = tooMany ? ' Send them as NDJSON (application/x-ndjson), or in several batches.' : '';
    return new AppError(tooMany ? 'too_many_entities' : 'payload_too_large', {
      detail: `${error.message}${/[.!]$/.test(error.message) ? '' : '.'}${wayRound}`,
    });
  }
  return error;
}
