/**
 * Sends elements of a batch again as a new one, when what kept them out is mended. They keep the places that they had,
 * so that element 4711 is still row 4711 of the file. Of a GUID all elements go with those that are chosen: quantities
 * of links are sums over them, and one alone would set its own.
 */
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { noBody } from '../../idempotency/idempotency-key.ts';
import { selectPayload } from '../chunk/batch.sql.ts';
import { selectChunkResults } from '../chunk/save-results.sql.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import { factsWanted, fits, type ResultFilter } from '../elements/filter-results.ts';
import { SLOTS, unpackElements, unpackJson } from '../elements/payload-codec.ts';
import type { SyncResult } from '../elements/sync-result.ts';
import type { Intake, IntakeThread } from '../intake/accept-batch.ts';
import type { Staged } from '../intake/claim-batch.ts';
import { stageElements } from '../intake/stage-batch.ts';
import { keepSource, selectBuckets } from './sent-elements.sql.ts';

export interface ChosenElements {
  /** The batch that the elements were sent to. */
  source: BatchRef;
  filter: ResultFilter;
  /** Only of these entities, lowercase; null for all. */
  guids: readonly string[] | null;
}

/** Looked up at once. */
const BUCKETS_MAX = 100;

/** Throws `nothing_to_resend`, `payload_gone`, and what accepting a batch throws. */
export function stageResend(thread: IntakeThread, intake: Intake, chosen: ChosenElements): Promise<Staged> {
  const { db } = thread;
  return stageElements(thread, intake, async (partition, store) => {
    for await (const { bucket, chunks } of bucketsOf(db, chosen)) {
      const places = await placesIn(db, chosen, chunks);
      if (places.size === 0) continue;
      const left = new Set(places.keys());
      for await (const segment of segmentsOf(db, chosen.source, bucket)) {
        for (const { index, text, rejected } of unpackElements(segment, allSlots, left)) {
          if (!rejected) partition.addStaged(index, places.get(index) ?? null, text);
          left.delete(index);
        }
        await store();
      }
      if (left.size > 0) throw payloadGone();
    }
    if (partition.elementCount === 0) {
      throw new AppError('nothing_to_resend', 'No element of the batch that can be sent again fits this.');
    }
    return {
      digest: Buffer.from(intake.idempotency?.bodyDigest ?? noBody),
      beforeAccepting: (tx) => requireSource(tx, chosen.source),
    };
  });
}

const allSlots = { from: 0, to: SLOTS };

/** Whether what was read was still all of it. */
async function requireSource(tx: Tx, { workspaceId, batchId }: BatchRef): Promise<void> {
  const [source] = await tx.query<{ kept: boolean }>(keepSource, [workspaceId, batchId]);
  if (source?.kept !== true) throw payloadGone();
}

function payloadGone(): AppError {
  return new AppError(
    'payload_gone',
    'The payload is past its retention and no longer kept: send it from its source.',
  );
}

interface Bucket {
  bucket: number;
  chunks: number[];
}

/** Finds the buckets whose chunks can have matching results. */
async function* bucketsOf(db: Db, { source, filter }: ChosenElements): AsyncGenerator<Bucket> {
  const { workspaceId, batchId } = source;
  for (let after = -1; ; ) {
    const buckets = await inTransaction(
      db,
      { workspaceId },
      (tx) =>
        tx.query<Bucket>(selectBuckets, [
          workspaceId,
          batchId,
          filter.kind,
          factsWanted(filter),
          after,
          BUCKETS_MAX,
        ]),
      { readOnly: true },
    );
    yield* buckets;
    if (buckets.length < BUCKETS_MAX) return;
    after = buckets.at(-1)?.bucket ?? after;
  }
}

/** Returns the GUID of every element to send, by place: elements that match, and all others of their GUIDs. */
async function placesIn(
  db: Db,
  { source, filter, guids }: ChosenElements,
  chunks: readonly number[],
): Promise<Map<number, string | null>> {
  const places = new Map<number, string | null>();
  const named = guids === null ? null : new Set(guids);
  for (const chunk of chunks) {
    const portions = await inTransaction(
      db,
      { workspaceId: source.workspaceId },
      (tx) => tx.query<{ results: Buffer }>(selectChunkResults, [source.workspaceId, source.batchId, chunk]),
      { readOnly: true },
    );
    const chosen = new Set<string>();
    const known: { index: number; guid: string }[] = [];
    for (const { results } of portions) {
      for (const result of unpackJson<SyncResult[]>(results)) {
        const { index, guid } = result;
        const isChosen = fits(result, filter) && (named === null || (guid !== null && named.has(guid)));
        if (guid !== null) known.push({ index, guid });
        if (!isChosen) continue;
        if (guid === null) places.set(index, null);
        else chosen.add(guid);
      }
    }
    for (const { index, guid } of known) if (chosen.has(guid)) places.set(index, guid);
  }
  return places;
}

async function* segmentsOf(
  db: Db,
  { workspaceId, batchId }: BatchRef,
  bucket: number,
): AsyncGenerator<Buffer> {
  for (let after = -1; ; ) {
    const segments = await inTransaction(
      db,
      { workspaceId },
      (tx) =>
        tx.query<{ segment: number; elements: Buffer }>(selectPayload, [workspaceId, batchId, bucket, after]),
      { readOnly: true },
    );
    for (const { elements } of segments) yield elements;
    const last = segments.at(-1);
    if (last === undefined) return;
    after = last.segment;
  }
}
