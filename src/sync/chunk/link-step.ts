/**
 * Last pass: the links of many chunks at once, in the order of their parents. Chunks are cut by the GUIDs of the children, so
 * that those of one parent lie in all of them: chunk by chunk each parent would be locked and raised by a version nearly as
 * often as it has children, which was a third of what PostgreSQL did for a batch. In portions that end between two parents,
 * each a transaction of its own, so that nobody waits long for the structure.
 */
import { deserialize } from 'node:v8';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { lockStructure, readStructureEdits } from '../../entities/lock-structure.ts';
import { claimLinkChunks, selectLinkChunks, setChunksDone } from './batch.sql.ts';
import type { ChunkPlan } from './chunk-plan.ts';
import { ChunkError, type StepOutcome } from './claim-chunk.ts';
import { anyLinkWaits, linkChunk, linksClosingCycles } from './link-chunk.ts';
import { LinkWindow, type WindowChunk, type WindowLinks } from './link-window.ts';
import type { ChunkStructure } from './plan-structure.ts';
import type { WantedLink } from './planned-links.ts';
import { parentPending } from './report-results.ts';
import { saveChunk } from './save-chunk.ts';
import { readChunkResults } from './save-results.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from './thread-context.ts';

/** Chunks that are linked together at most, and what their plans may have together: some 150 000 links. */
const CHUNKS_AT_ONCE = 64;
const PLAN_BYTES_AT_ONCE = 8 * 1024 * 1024;
/** Links of one transaction, or all of those of one parent. */
const LINKS_AT_ONCE = 20_000;

interface ClaimedLinks {
  ordinal: number;
  plan_bytes: number;
  submitted_by: string;
  structure_edits: string | null;
}

/**
 * Longer than in other passes: what was read for the window would be read again, and the lock of the structure, which whoever edits it has
 * for a moment, is had in turn.
 */
const LOCK_TIMEOUT_MS = 5000;

interface Portion {
  window: LinkWindow;
  /** Where the next one begins. */
  next: number;
}

/**
 * Links a number of chunks, once all entities of the batch are there. Killed between two portions the chunks are still to be
 * linked, and those links that are made already do not differ any more.
 */
export async function linkStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  const windows = new Set<LinkWindow>();
  try {
    return await linkPortions(thread, ref, windows);
  } finally {
    for (const window of windows) window.release();
  }
}

/** Adds what it reads to `windows`; more than one where a transaction begins anew. */
async function linkPortions(
  thread: SyncThread,
  ref: StepRef,
  windows: Set<LinkWindow>,
): Promise<StepOutcome> {
  let portion: Portion | null = null;
  let first: number | null = null;
  do {
    const before: Portion | null = portion;
    portion = await inTransaction(
      thread.db,
      { workspaceId: ref.workspaceId },
      async (tx): Promise<Portion | null> => {
        const claimed = await claim(tx, ref, before?.window ?? null);
        first = claimed?.[0]?.ordinal ?? null;
        if (claimed === null) return null;
        const window: LinkWindow = before?.window ?? (await readWindow(tx, ref, claimed));
        windows.add(window);
        return linkPortion(tx, ref, claimed, window, before?.next ?? 0);
      },
      { lockTimeoutMs: LOCK_TIMEOUT_MS },
    ).catch((error: unknown) => {
      throw first === null ? error : new ChunkError(first, error);
    });
    if (portion === null) return before === null ? 'idle' : 'worked';
  } while (portion.next < portion.window.count);
  return 'worked';
}

/** The chunks of the window, or of a new one; null where somebody else has them or none is left. */
async function claim(tx: Tx, ref: StepRef, window: LinkWindow | null): Promise<ClaimedLinks[] | null> {
  const claimed = await tx.query<ClaimedLinks>(claimLinkChunks, [
    ...pair(ref),
    ref.large,
    window?.ordinals ?? null,
    CHUNKS_AT_ONCE,
  ]);
  if (window !== null) return claimed.length === window.ordinals.length ? claimed : null;
  let bytes = 0;
  const fitting = claimed.filter(({ plan_bytes }, place) => {
    bytes += plan_bytes;
    return place === 0 || bytes <= PLAN_BYTES_AT_ONCE;
  });
  return fitting.length === 0 ? null : fitting;
}

async function linkPortion(
  tx: Tx,
  ref: BatchRef,
  claimed: readonly ClaimedLinks[],
  window: LinkWindow,
  from: number,
): Promise<Portion> {
  const [{ submitted_by: actorId, structure_edits: editsPlanned }] = claimed as [ClaimedLinks];
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const [edits, anyWaits] = await Promise.all([readStructureEdits(tx), anyLinkWaits(tx)]);
  const next = window.endOfPortion(from, LINKS_AT_ONCE);
  const planned = window.linksOf(from, next);
  let { links } = planned;
  if (editsPlanned !== edits) {
    const closing = await linksClosingCycles(tx, links);
    for (const [chunk, own] of byChunk(planned, (link) => closing.has(link)))
      await reportClosing(tx, ref, chunk.ordinal, own);
    links = links.filter((link) => !closing.has(link));
  }
  const created = from === 0 && anyWaits ? window.newGuids : new Uint8Array(0);
  const absent = await linkChunk(tx, actorId, links, created, configuration);
  if (absent.size > 0)
    for (const [chunk, own] of byChunk(planned, ({ parentGuid }) => absent.has(parentGuid)))
      if (chunk.isWritten) await reportPending(tx, ref, chunk.ordinal, own);
  if (next === window.count) tx.withCommit(tx.query(setChunksDone, [...pair(ref), window.ordinals]));
  return { window, next };
}

/** The links that are wanted, by the chunk that they are of. */
function byChunk(
  { links, chunks }: WindowLinks,
  isWanted: (link: WantedLink) => boolean,
): Map<WindowChunk, WantedLink[]> {
  const found = new Map<WindowChunk, WantedLink[]>();
  for (const [i, link] of links.entries()) {
    if (!isWanted(link)) continue;
    const chunk = chunks[i] as WindowChunk;
    const known = found.get(chunk);
    if (known === undefined) found.set(chunk, [link]);
    else known.push(link);
  }
  return found;
}

/** A few plans at a time: each is some hundred kilobytes. */
async function readWindow(tx: Tx, ref: BatchRef, claimed: readonly ClaimedLinks[]): Promise<LinkWindow> {
  const window = new LinkWindow();
  for (let at = 0; at < claimed.length; at += 4) {
    const rows = await tx.query<{ ordinal: number; plan: Buffer | null; structure: Buffer | null }>(
      selectLinkChunks,
      [...pair(ref), claimed.slice(at, at + 4).map(({ ordinal }) => ordinal)],
    );
    for (const { ordinal, plan, structure } of rows) {
      if (plan === null) throw new Error('A chunk that is to be linked has no plan');
      const places = structure === null ? [] : (deserialize(structure) as ChunkStructure).links;
      window.add(ordinal, deserialize(plan) as ChunkPlan, places);
    }
  }
  window.sort();
  return window;
}

/**
 * Of a chunk that was written where it was planned nobody knew then which parents would come: those that have not are said
 * now. A step that runs again finds it said.
 */
async function reportPending(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  waiting: readonly WantedLink[],
): Promise<void> {
  const parents = new Map<number, string>();
  for (const { parentGuid, indexes } of waiting) for (const index of indexes) parents.set(index, parentGuid);
  const results = await readChunkResults(tx, ref, chunk);
  for (const result of results) {
    const parentGuid = parents.get(result.index);
    if (parentGuid === undefined) continue;
    const warning = parentPending(parentGuid);
    const said = result.warnings ?? [];
    if (!said.some(({ code }) => code === warning.code)) result.warnings = [...said, warning];
  }
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}

/** Somebody has turned these links into cycles since they were planned: their elements' data are written, they are not. */
async function reportClosing(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  closing: readonly WantedLink[],
): Promise<void> {
  const indexes = new Map(closing.flatMap((link) => link.indexes.map((index) => [index, link])));
  const results = (await readChunkResults(tx, ref, chunk)).map((result) => {
    const link = indexes.get(result.index);
    if (link === undefined) return result;
    const message = `The link to parent ${link.parentGuid} would close a cycle with an edit made meanwhile; it was not made.`;
    return { ...result, result: 'error' as const, code: 'cycle' as const, message };
  });
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}
