/** Taking a chunk: its row's lock is the claim, and ends with the transaction, whatever ends it. */
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { type StagedElement, unpackElements } from '../elements/payload-codec.ts';
import { ElementPreparer, type PreparedElements, type RefusedLinks } from '../elements/prepare-elements.ts';
import { SentReader } from '../elements/sent-element.ts';
import { claimChunk, selectPayload, shareChunks } from './batch.sql.ts';
import type { MisspelledFields } from './misspelled-fields.ts';
import { StalePlanError } from './stale-plan.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from './thread-context.ts';

/**
 * `idle`: no chunk was to be had in this phase, be it that none is left or that others work on the rest. `awaited`: none was
 * looked for, because somebody is about to end the batch; he may be killed or have no patience. What the batch has ended as,
 * where the step was its last.
 */
export type StepOutcome = 'worked' | 'idle' | 'awaited' | 'completed' | 'cancelled';

/** The place in which the elements of a chunk are stored (see elements/payload-codec.ts). */
export interface PayloadPlace {
  element_count: number;
  bucket: number;
  slot_from: number;
  slot_to: number;
}

export interface ClaimedChunk extends PayloadPlace {
  ordinal: number;
  plan: Buffer | null;
  structure: Buffer | null;
  /** See write-leaves.ts. */
  leaves: boolean;
  submitted_by: string;
  dry_run: boolean;
  /** The dry run that this batch commits; null for any other. */
  commit_of: string | null;
  structure_edits: string | null;
  /** It says the structure of what it sends exactly. */
  exact: boolean;
  /** Fields with nearly right names that chunks of the batch have found; null where they have found none. */
  misspelled: MisspelledFields | null;
}

/** PostgreSQL was away during a step: to be tried again as it is. */
export class ServerAwayError extends Error {
  override readonly name = 'ServerAwayError';
}

/** A step failed, and not because a server was away: says at which chunk, null for a pass of no one chunk. */
export class ChunkError extends Error {
  readonly chunk: number | null;
  /** The first entities that have changed since the dry run. A stale plan is no fault and is not tried again. */
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
  ref: StepRef,
  phase: 'plan' | 'write' | 'link',
  work: (tx: Tx, chunk: ClaimedChunk, isRetry: boolean) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  let ordinal: number | null = null;
  let attempts = 0;
  return inTransaction(
    thread.db,
    { workspaceId: ref.workspaceId },
    async (tx) => {
      ordinal = null;
      const sharing = sharedChunks(tx, ref);
      const [chunk] = await tx.query<ClaimedChunk>(claimChunk, [
        ref.workspaceId,
        ref.batchId,
        phase,
        ref.large,
        ref.passedOver ?? [],
      ]);
      if (chunk === undefined) return (await sharing) ? 'idle' : 'awaited';
      ordinal = chunk.ordinal;
      attempts++;
      return work(tx, chunk, attempts > 1);
    },
    // Somebody may create an entity with the same GUID between the comparison and the insert.
    { retryOn: ['23505'] },
    // Also what fails with the commit, behind the work, is the chunk's.
  ).catch((error: unknown) => {
    throw ordinal === null ? error : new ChunkError(ordinal, error);
  });
}

/**
 * Whether nobody waits for the batch's chunks to end it: send it with the claim, before it. It is awaited only where there is nothing to
 * claim: of a transaction that fails before, the claim says so, and a rejection that nobody hears would end the thread.
 */
export function sharedChunks(tx: Tx, ref: BatchRef): Promise<boolean> {
  const sharing = tx.query<{ shared: boolean }>(shareChunks, pair(ref)).then(([row]) => row?.shared === true);
  sharing.catch(() => {});
  return sharing;
}

/** How elements are prepared, and which of them. */
interface Preparing {
  configuration: WorkspaceConfiguration;
  limits: SyncThread['limits'];
  only?: ReadonlySet<number>;
  /** Elements that are refused because their link closes a cycle. */
  cycles?: RefusedLinks | null;
  /** Whether links that elements name are collected for an exact batch. */
  exact?: boolean;
}

/** The chunk's elements, read and prepared a segment at a time; `only` leaves out all others. */
export async function prepareChunk(
  tx: Tx,
  ref: BatchRef,
  chunk: ClaimedChunk,
  { configuration, limits, only, cycles, exact }: Preparing,
): Promise<PreparedElements> {
  const preparer = new ElementPreparer(configuration, limits, cycles ?? null, exact);
  const reader = new SentReader(configuration, limits);
  for await (const elements of readPayload(tx, ref, chunk, only)) {
    for (const element of elements)
      preparer.add(element, element.rejected ? null : reader.read(element.text));
  }
  return preparer.finish();
}

/**
 * The chunk's elements, a segment at a time, each of which is to be gone through to its end; `only` leaves out all others. Throws when
 * they are not all there, so that no batch ends as whole that is not.
 */
export async function* readPayload(
  tx: Tx,
  ref: BatchRef,
  chunk: PayloadPlace,
  only?: ReadonlySet<number>,
): AsyncGenerator<Generator<StagedElement>> {
  const slots = { from: chunk.slot_from, to: chunk.slot_to };
  const tally = { count: 0 };
  for (let after = -1; tally.count < chunk.element_count; ) {
    const rows = await tx.query<{ segment: number; elements: Buffer }>(selectPayload, [
      ref.workspaceId,
      ref.batchId,
      chunk.bucket,
      after,
    ]);
    if (rows.length === 0) break;
    for (const { segment, elements } of rows) {
      yield unpackElements(elements, slots, only, tally);
      after = segment;
    }
  }
  if (tally.count === chunk.element_count) return;
  throw new Error(`The chunk has ${tally.count} of its ${chunk.element_count} elements`);
}
