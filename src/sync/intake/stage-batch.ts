/**
 * The intake thread's work: reads a body piece by piece, cuts it, stages it and accepts the batch. When the
 * last transaction commits, the batch survives everything but the loss of PostgreSQL.
 */
import { createHash } from 'node:crypto';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { noBody } from '../../idempotency/idempotency-key.ts';
import { invalidJson } from '../../json/locate-json-fault.ts';
import type { GuidHash } from '../graph/guid-hash.ts';
import { acceptBatch, type Intake, type IntakeThread, storeReceived } from './accept-batch.ts';
import { applyInline } from './apply-inline.ts';
import type { ArrivingBody } from './body-channel.ts';
import type { Staged } from './claim-batch.ts';
import { GuidPartition } from './guid-partition.ts';
import type { BodyAccount } from './held-budget.ts';
import { EnvelopeError, type IntakeLimit, InvalidJsonError, LimitError } from './json/intake-errors.ts';
import { JsonSplitter } from './json/split-json.ts';
import { NdjsonSplitter } from './json/split-ndjson.ts';
import { dropReceiving } from './stage-batch.sql.ts';

const HELD_ELEMENTS_MAX = 100_000;
const HELD_BYTES_MAX = 64 * 1024 * 1024;
const SPILL_BUCKETS_MAX = 256;

/**
 * Stages a body and accepts it as a batch. Throws `AppError` for what is wrong with the request; nothing of
 * it is left then.
 */
export async function stageBatch(thread: IntakeThread, intake: Intake, body: ArrivingBody): Promise<Staged> {
  return stageElements(thread, intake, async (partition, store) => {
    // What was sent is compared by whoever gave it a key, and by nobody else.
    const ofPieces = intake.idempotency === null ? null : createHash('sha256');
    const splitter = splitterOf(intake, partition);
    for await (const piece of body.pieces) {
      ofPieces?.update(piece);
      splitter.push(piece);
      await store();
    }
    splitter.end();
    const given = body.digest();
    return { digest: given === null ? (ofPieces?.digest() ?? noBody) : Buffer.from(given) };
  });
}

export interface Fed {
  /** The digest of the request, for its Idempotency-Key. */
  digest: Buffer;
  /** Runs in the transaction that accepts the batch, before it is put in line. */
  beforeAccepting?(tx: Tx): Promise<void>;
}

/**
 * Stages the elements that `feed` puts into the partition, calling `store` again and again, and accepts them as a batch.
 * When that throws, nothing of it is left.
 */
export async function stageElements(
  thread: IntakeThread,
  intake: Intake,
  feed: (partition: GuidPartition, store: () => Promise<void>) => Promise<Fed>,
): Promise<Staged> {
  const { db, budget } = thread;
  const account = budget.open(intake.workspaceId);
  const partition = partitionOf(intake, account, thread.hashOfBody());
  const scope = { workspaceId: intake.workspaceId };
  let spilled = false;
  let aliasCount = 0;
  const followAliases = async () => {
    if (!partition.wantsAliases) return;
    const { aliases } = await inTransaction(db, scope, loadConfiguration);
    partition.follow(aliases);
    aliasCount = aliases.size;
  };
  const store = async () => {
    await followAliases();
    const ready = await partition.takeReady();
    if (ready.length === 0) return;
    await inTransaction(db, scope, (tx) => storeReceived(tx, intake, ready, spilled));
    spilled = true;
    partition.forget(ready);
  };
  try {
    const { digest, beforeAccepting } = await feed(partition, store);
    const small =
      intake.isAwaited && beforeAccepting === undefined ? partition.small(thread.inlineElementsMax) : null;
    await followAliases();
    const { chunks, segments } = await partition.finish();
    const { elementCount } = partition;
    const arrived = { chunks, segments, elementCount, spilled, digest, aliasCount };
    if (small !== null && chunks.length === 1) {
      const staged = await applyInline(thread, intake, small, arrived);
      if (staged !== null) return staged;
    }
    return await inTransaction(db, scope, async (tx) => {
      await beforeAccepting?.(tx);
      return acceptBatch(tx, intake, arrived);
    });
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

function partitionOf(intake: Intake, account: BodyAccount, hash: GuidHash): GuidPartition {
  const { chunkElements, elementsMax } = intake;
  return new GuidPartition({
    chunkElements,
    heldElementsMax: HELD_ELEMENTS_MAX,
    heldBytesMax: HELD_BYTES_MAX,
    spillBuckets: Math.min(SPILL_BUCKETS_MAX, Math.ceil(elementsMax / chunkElements)),
    account,
    hash,
    awaitsAliases: true,
  });
}

function splitterOf(
  intake: Intake,
  partition: GuidPartition,
): { push(piece: Uint8Array): void; end(): void } {
  const limits = { elementsMax: intake.elementsMax, elementBytesMax: intake.elementBytesMax };
  const onElement = partition.add.bind(partition);
  if (intake.format === 'json') return new JsonSplitter({ onElement, limits });
  return new NdjsonSplitter({
    onElement,
    onRejected: partition.addRejected.bind(partition),
    limits,
    ...(intake.format === 'lines' ? { onUnreadable: partition.addUnreadable.bind(partition) } : {}),
  });
}

function asAppError(error: unknown): unknown {
  if (error instanceof InvalidJsonError) return invalidJson(error);
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
