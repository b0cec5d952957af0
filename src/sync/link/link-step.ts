/**
 * Last pass: writes the links of many chunks in the order of their parents. Chunks are cut by the GUIDs of the children, so the links of
 * one parent lie in all of them: chunk by chunk each parent would be locked and raised by a version nearly as often as it has children,
 * which was a third of what PostgreSQL did for a batch. Portions end between two parents; each is a transaction of its own, so that nobody
 * waits long for the structure.
 */
import { deserialize } from 'node:v8';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { lockStructure, readStructureEdits } from '../../entities/links/lock-structure.ts';
import { claimLinkChunks, selectLinkChunks, setChunksDone } from '../chunk/batch.sql.ts';
import { ChunkError, type StepOutcome, sharedChunks } from '../chunk/claim-chunk.ts';
import { saveChunk } from '../chunk/save-chunk.ts';
import { readChunkResults, rejectedAmong } from '../chunk/save-results.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from '../chunk/thread-context.ts';
import { archivedWarning } from '../elements/sync-result.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { LinkWindow, type WindowChunk, type WindowLinks } from '../plan/link-window.ts';
import { ELEMENTS_TOLD_MAX } from '../plan/name-circles.ts';
import type { WantedLink } from '../plan/planned-links.ts';
import { parentPending } from '../plan/report-results.ts';
import type { ChunkStructure } from '../structure/plan-structure.ts';
import { anyLinkWaits, archivedAmong, linkChunk, linksClosingCycles } from './link-chunk.ts';

/** Chunks that are linked together at most, and what their plans may have together: some 150 000 links. */
const CHUNKS_PER_WINDOW = 64;
const PLAN_BYTES_PER_WINDOW = 8 * 1024 * 1024;
/**
 * Longer than in other passes: what was read for the window would be read again, and the lock of the structure, which whoever edits it has
 * for a moment, is had in turn.
 */
const LOCK_TIMEOUT_MS = 5000;
/** A link that was new when it was planned, and is there: of a portion that was made before, by whoever was killed after it. */
const LINK_IS_THERE = '23505';
const OPTIONS = { lockTimeoutMs: LOCK_TIMEOUT_MS, retryOn: [LINK_IS_THERE] };

interface ClaimedLinks {
  ordinal: number;
  plan_bytes: number;
  submitted_by: string;
  structure_edits: string | null;
}

/** The links of the window between two places, written by one transaction. */
interface Portion {
  window: LinkWindow;
  from: number;
  to: number;
}

/** Links whose parents are not there, by chunk, of chunks that were written where they were planned: nobody knew it then. */
type Absent = ReadonlyMap<WindowChunk, readonly WantedLink[]>;

/**
 * Links a number of chunks, once all entities of the batch are there. Killed between two portions the chunks are still to be
 * linked, and those links that are made already do not differ any more.
 */
export async function linkStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  const begun = await linkFirst(thread, ref);
  if (begun === 'idle' || begun === 'awaited') return begun;
  const { window } = begun;
  let absent: Absent | null = begun.absent;
  try {
    for (let from = begun.to; from < window.count && absent !== null; ) {
      const to = window.endOfPortion(from, thread.linksPerTransaction);
      absent = await linkFurther(thread, ref, { window, from, to }, absent);
      from = to;
    }
  } catch (error) {
    throw new ChunkError(window.ordinals[0] as number, error);
  }
  return 'worked';
}

interface Begun {
  window: LinkWindow;
  /** The place where the first portion ends. */
  to: number;
  absent: Absent;
}

/** Claims a window and makes its first portion, which may be all of it. */
async function linkFirst(thread: SyncThread, ref: StepRef): Promise<Begun | 'idle' | 'awaited'> {
  let first: number | null = null;
  let hasBegun = false;
  const work = async (tx: Tx): Promise<Begun | 'idle' | 'awaited'> => {
    const isAgain = hasBegun;
    hasBegun = true;
    const sharing = sharedChunks(tx, ref);
    const claimed = await claimFitting(tx, ref);
    first = claimed?.[0].ordinal ?? null;
    if (claimed === null) return (await sharing) ? 'idle' : 'awaited';
    const window = await readWindow(tx, ref, claimed);
    window.isAsPlanned = !isAgain;
    const to = window.endOfPortion(0, thread.linksPerTransaction);
    const absent = await linkPortion(tx, ref, { window, from: 0, to }, claimed[0], new Map());
    return { window, to, absent };
  };
  try {
    return await inTransaction(thread.db, ref, work, OPTIONS);
  } catch (error) {
    throw first === null ? error : new ChunkError(first, error);
  }
}

/** Makes another portion. Returns null, and has made nothing, where somebody else has the chunks or the batch has ended. */
function linkFurther(
  thread: SyncThread,
  ref: StepRef,
  portion: Portion,
  absent: Absent,
): Promise<Absent | null> {
  const { window } = portion;
  let hasBegun = false;
  return inTransaction(
    thread.db,
    ref,
    async (tx) => {
      if (hasBegun) window.isAsPlanned = false;
      hasBegun = true;
      const claimed = await claim(tx, ref, window);
      return claimed === null ? null : linkPortion(tx, ref, portion, claimed, absent);
    },
    OPTIONS,
  );
}

/** The chunks of a new window, which nobody else has; null where none is left. */
async function claimFitting(tx: Tx, ref: StepRef): Promise<[ClaimedLinks, ...ClaimedLinks[]] | null> {
  const columns = [...pair(ref), ref.large, null, CHUNKS_PER_WINDOW];
  const [first, ...others] = await tx.query<ClaimedLinks>(claimLinkChunks, columns);
  if (first === undefined) return null;
  let bytes = first.plan_bytes;
  const fitting = others.filter(({ plan_bytes }) => {
    bytes += plan_bytes;
    return bytes <= PLAN_BYTES_PER_WINDOW;
  });
  return [first, ...fitting];
}

/** The first of the window's chunks; null where somebody else has one of them, or the batch has ended. */
async function claim(tx: Tx, ref: StepRef, { ordinals }: LinkWindow): Promise<ClaimedLinks | null> {
  const columns = [...pair(ref), ref.large, ordinals, CHUNKS_PER_WINDOW];
  const claimed = await tx.query<ClaimedLinks>(claimLinkChunks, columns);
  return claimed.length === ordinals.length ? (claimed[0] ?? null) : null;
}

/** Writes a portion, and with the last one ends the window. Returns what waits, together with what waited before. */
async function linkPortion(
  tx: Tx,
  ref: BatchRef,
  { window, from, to }: Portion,
  { submitted_by: actorId, structure_edits: editsPlanned }: ClaimedLinks,
  before: Absent,
): Promise<Absent> {
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const [edits, anyWaits] = await Promise.all([readStructureEdits(tx), anyLinkWaits(tx)]);
  const planned = window.linksOf(from, to);
  let { links } = planned;
  if (editsPlanned !== edits) {
    // What would close a cycle now is looked for in all links that there are: nobody else may make any.
    const closing = await linksClosingCycles(tx, links);
    for (const [chunk, own] of byChunk(planned, (link) => closing.has(link)))
      await reportClosing(tx, ref, chunk.ordinal, { links: own, circles: closing });
    links = links.filter((link) => !closing.has(link));
    const archived = await archivedAmong(tx, links);
    for (const [chunk, own] of byChunk(planned, ({ childGuid }) => archived.has(childGuid)))
      await reportArchived(tx, ref, chunk.ordinal, own);
  }
  const created = from === 0 && anyWaits ? window.newGuids : new Uint8Array(0);
  const areAsPlanned = window.isAsPlanned && editsPlanned === edits;
  const missing = await linkChunk(tx, actorId, { links, areAsPlanned }, created, configuration);
  const absent = new Map(before);
  for (const [chunk, own] of byChunk(planned, ({ parentGuid }) => missing.has(parentGuid)))
    if (chunk.isWritten) absent.set(chunk, [...(absent.get(chunk) ?? []), ...own]);
  if (to < window.count) return absent;
  for (const [chunk, own] of absent) await reportPending(tx, ref, chunk.ordinal, own);
  tx.withCommit(tx.query(setChunksDone, [...pair(ref), window.ordinals]));
  return absent;
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
 * Reports parents that have not arrived, for a chunk that was written in the plan pass, when nobody knew which
 * parents would arrive. A repeated step changes nothing.
 */
async function reportPending(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  waiting: readonly WantedLink[],
): Promise<void> {
  const parents = new Map<number, string>();
  for (const { parentGuid, indexes } of waiting) for (const index of indexes) parents.set(index, parentGuid);
  const rejected = await rejectedAmong(tx, ref, [...new Set(parents.values())]);
  const results = await readChunkResults(tx, ref, chunk);
  for (const result of results) {
    const parentGuid = parents.get(result.index);
    if (parentGuid === undefined) continue;
    const warning = parentPending(parentGuid, rejected);
    const said = result.warnings ?? [];
    if (!said.some(({ code }) => code === warning.code)) result.warnings = [...said, warning];
  }
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}

/** Adds the warning to elements whose entity was archived after it was written, so that it does not get a parent unnoticed. */
async function reportArchived(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  links: readonly WantedLink[],
): Promise<void> {
  const concerned = new Set(links.flatMap(({ indexes }) => indexes));
  const results = await readChunkResults(tx, ref, chunk);
  for (const result of results) {
    const said = result.warnings ?? [];
    if (concerned.has(result.index) && !said.some(({ code }) => code === archivedWarning.code))
      result.warnings = [...said, archivedWarning];
  }
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}

/** Somebody has turned these links into cycles since they were planned: their elements' data are written, they are not. */
async function reportClosing(
  tx: Tx,
  ref: BatchRef,
  chunk: number,
  { links, circles }: { links: readonly WantedLink[]; circles: ReadonlyMap<WantedLink, string | null> },
): Promise<void> {
  const indexes = new Map(
    links.flatMap((link) => link.indexes.map((index, place) => [index, { link, place }] as const)),
  );
  const results = (await readChunkResults(tx, ref, chunk)).map((result) => {
    const found = indexes.get(result.index);
    if (found === undefined) return result;
    const { link, place } = found;
    const circle = place < ELEMENTS_TOLD_MAX ? circles.get(link) : null;
    const message =
      circle == null
        ? `The link to parent ${link.parentGuid} would close a cycle with an edit made meanwhile; it was not made.`
        : `The link to parent would close a cycle with an edit made meanwhile, and was not made: ${circle}.`;
    return { ...result, result: 'error' as const, code: 'cycle' as const, message };
  });
  saveChunk(tx, ref, chunk, results, { phase: 'link' });
}
