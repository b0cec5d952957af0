/** Taking a chunk: its row's lock is the claim, and ends with the transaction, whatever ends it. */
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type StagedElement, unpackElements } from '../elements/payload-codec.ts';
import { claimChunk, selectPayload } from './batch.sql.ts';
import { StalePlanError } from './stale-plan.ts';
import type { BatchRef, SyncThread } from './thread-context.ts';

/** `idle`: no chunk was to be had in this phase, be it that none is left or that others work on the rest. */
export type StepOutcome = 'worked' | 'idle';

export interface ClaimedChunk {
  ordinal: number;
  element_count: number;
  plan: Buffer | null;
  structure: Buffer | null;
  submitted_by: string;
  dry_run: boolean;
  /** The dry run that this batch commits; null for any other. */
  commit_of: string | null;
  structure_edits: string | null;
}

/** PostgreSQL was away during a step: to be tried again as it is. */
export class ServerAwayError extends Error {
  override readonly name = 'ServerAwayError';
}

/** A step failed, and not because a server was away: says at which chunk, null for a pass of no one chunk. */
export class ChunkError extends Error {
  readonly chunk: number | null;
  /** Where a dry run's basis has changed, the first entities concerned: no fault, and nothing to try again. */
  readonly staleGuids: readonly string[] | null;

  constructor(chunk: number | null, cause: unknown, staleGuids: readonly string[] | null = null) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ChunkError';
    this.chunk = chunk;
    this.staleGuids = cause instanceof StalePlanError ? cause.guids : staleGuids;
  }
}

/** Claims one chunk that is due in `phase`, and works on it in the same transaction. */
export async function withChunk(
  thread: SyncThread,
  ref: BatchRef,
  phase: 'plan' | 'write' | 'link',
  work: (tx: Tx, chunk: ClaimedChunk) => Promise<void>,
): Promise<StepOutcome> {
  return inTransaction(
    thread.db,
    { workspaceId: ref.workspaceId },
    async (tx) => {
      const [chunk] = await tx.query<ClaimedChunk>(claimChunk, [ref.workspaceId, ref.batchId, phase]);
      if (chunk === undefined) return 'idle';
      try {
        await work(tx, chunk);
      } catch (error) {
        throw new ChunkError(chunk.ordinal, error);
      }
      return 'worked';
    },
    // Somebody may create an entity with the same GUID between the comparison and the insert.
    { retryOn: ['23505'] },
  );
}

/** The chunk's elements; throws when they are not all there, so that no batch ends as whole that is not. */
export async function readPayload(tx: Tx, ref: BatchRef, chunk: ClaimedChunk): Promise<StagedElement[]> {
  const rows = await tx.query<{ elements: Buffer }>(selectPayload, [
    ref.workspaceId,
    ref.batchId,
    chunk.ordinal,
  ]);
  const elements = rows.flatMap((row) => unpackElements(row.elements));
  if (elements.length === chunk.element_count) return elements;
  throw new Error(`The chunk has ${elements.length} of its ${chunk.element_count} elements`);
}
