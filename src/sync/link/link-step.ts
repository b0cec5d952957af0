/**
 * Last pass: the links of many chunks at once, in the order of their parents. Chunks are cut by the GUIDs of the children, so
 * that those of one parent lie in all of them: chunk by chunk each parent would be locked and raised by a version nearly as
 * often as it has children, which was a third of what PostgreSQL did for a batch. In portions that end between two parents,
 * each a transaction of its own, so that nobody waits long for the structure.
 *
 * The first portion has the structure for itself. The others are made two at a time while nobody edits the structure: they are of
 * one batch, whose links were found to close no cycle together, and have no parent in common. PostgreSQL makes a link in much more time
 * than this thread asks for it, and with one transaction at a time a processor would stand idle for the whole pass.
 */
import { deserialize } from 'node:v8';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { lockStructure, readStructureEdits, shareStructure } from '../../entities/lock-structure.ts';
import { claimLinkChunks, selectLinkChunks, setChunksDone, shareLinkChunks } from '../chunk/batch.sql.ts';
import { ChunkError, type StepOutcome, sharedChunks } from '../chunk/claim-chunk.ts';
import { type BatchRef, pair, type StepRef, type SyncThread } from '../chunk/thread-context.ts';
import type { ChunkPlan } from '../plan/chunk-plan.ts';
import { LinkWindow, type WindowChunk, type WindowLinks } from '../plan/link-window.ts';
import type { WantedLink } from '../plan/planned-links.ts';
import type { ChunkStructure } from '../structure/plan-structure.ts';
import { anyLinkWaits, linkChunk, linksClosingCycles } from './link-chunk.ts';
import { reportClosing, reportPending } from './report-links.ts';

/** Chunks that are linked together at most, and what their plans may have together: some 150 000 links. */
const CHUNKS_PER_WINDOW = 64;
const PLAN_BYTES_PER_WINDOW = 8 * 1024 * 1024;
/** Transactions that are under way together; a thread has as many connections. */
const PORTIONS_IN_PARALLEL = 2;
/** While the first of several portions is made a processor stands idle: it is a fifth of the others. */
const FIRST_OF = 5;
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
  from: number;
  to: number;
}

/**
 * Links whose parents are not there, by chunk, of chunks that were written where they were planned: nobody knew it then. `edited` where the
 * structure was edited since the batch planned its links, `gone` where somebody else has the chunks: nothing was made.
 */
type Made = Map<WindowChunk, WantedLink[]> | 'edited' | 'gone';

interface WindowPortion extends Portion {
  window: LinkWindow;
  /** Whether no other transaction writes or edits links meanwhile; otherwise others of the window may. */
  isExclusive: boolean;
}

/**
 * Links a number of chunks, once all entities of the batch are there. Killed between two portions the chunks are still to be
 * linked, and those links that are made already do not differ any more.
 */
export async function linkStep(thread: SyncThread, ref: StepRef): Promise<StepOutcome> {
  const begun = await linkFirst(thread, ref);
  if (begun === 'idle' || begun === 'awaited') return begun;
  const { window, to } = begun;
  if (to === window.count) return 'worked';
  try {
    await linkFurther(thread, ref, begun);
  } catch (error) {
    throw new ChunkError(window.ordinals[0] as number, error);
  }
  return 'worked';
}

interface Begun {
  window: LinkWindow;
  /** The place where the first portion ends. */
  to: number;
  absent: Map<WindowChunk, WantedLink[]>;
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
    const isOne = window.count <= thread.linksPerTransaction;
    const to = window.endOfPortion(
      0,
      isOne ? window.count : Math.ceil(thread.linksPerTransaction / FIRST_OF),
    );
    const absent = await linkPortion(tx, ref, {
      window,
      claimed: claimed[0],
      from: 0,
      to,
      isExclusive: true,
    });
    if (typeof absent === 'string') throw new Error(`A portion that is made alone was ${absent}`);
    if (to === window.count) await finish(tx, ref, window, absent);
    return { window, to, absent };
  };
  try {
    return await inTransaction(thread.db, ref, work, OPTIONS);
  } catch (error) {
    throw first === null ? error : new ChunkError(first, error);
  }
}

/** Makes the other portions. */
async function linkFurther(thread: SyncThread, ref: StepRef, { window, to, absent }: Begun): Promise<void> {
  const make = (portion: Portion, isExclusive: boolean) =>
    linkOne(thread, ref, { window, ...portion, isExclusive });
  const most = Math.min(thread.linksPerTransaction, Math.ceil((window.count - to) / PORTIONS_IN_PARALLEL));
  let at = to;
  const next = (): Portion => {
    const from = at;
    at = window.endOfPortion(from, most);
    return { from, to: at };
  };
  const take = (made: Made) => {
    if (typeof made === 'string') return made;
    for (const [chunk, links] of made) absent.set(chunk, [...(absent.get(chunk) ?? []), ...links]);
    return null;
  };
  const left: Portion[] = [];
  let stopped: 'edited' | 'gone' | 'failed' | null = null;
  const lane = async () => {
    while (stopped === null && at < window.count) {
      const portion = next();
      const refused = await make(portion, false)
        .then(take)
        .catch((error: unknown) => {
          stopped = 'failed';
          throw error;
        });
      if (refused === 'edited') left.push(portion);
      stopped ??= refused;
    }
  };
  // The thread takes another step when all have ended.
  const lanes = await Promise.allSettled(Array.from({ length: PORTIONS_IN_PARALLEL }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  while (at < window.count) left.push(next());
  for (const portion of left) if (take(await make(portion, true)) === 'gone') return;
  await inTransaction(
    thread.db,
    ref,
    async (tx) => {
      if (await claim(tx, ref, claimLinkChunks, window)) await finish(tx, ref, window, absent);
    },
    OPTIONS,
  );
}

/** Writes one portion of a window that was claimed before. */
function linkOne(thread: SyncThread, ref: StepRef, portion: WindowPortion): Promise<Made> {
  const { window, isExclusive } = portion;
  let hasBegun = false;
  return inTransaction(
    thread.db,
    ref,
    async (tx) => {
      if (hasBegun) window.isAsPlanned = false;
      hasBegun = true;
      const claimed = await claim(tx, ref, isExclusive ? claimLinkChunks : shareLinkChunks, window);
      return claimed === null ? 'gone' : linkPortion(tx, ref, { ...portion, claimed });
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
async function claim(
  tx: Tx,
  ref: StepRef,
  claiming: string,
  { ordinals }: LinkWindow,
): Promise<ClaimedLinks | null> {
  const columns = [...pair(ref), ref.large, ordinals, CHUNKS_PER_WINDOW];
  const claimed = await tx.query<ClaimedLinks>(claiming, columns);
  return claimed.length === ordinals.length ? (claimed[0] ?? null) : null;
}

async function linkPortion(
  tx: Tx,
  ref: BatchRef,
  { window, claimed, from, to, isExclusive }: WindowPortion & { claimed: ClaimedLinks },
): Promise<Made> {
  const { submitted_by: actorId, structure_edits: editsPlanned } = claimed;
  const configuration = await configurationForWriting(tx);
  await (isExclusive ? lockStructure(tx) : shareStructure(tx));
  const [edits, anyWaits] = await Promise.all([readStructureEdits(tx), anyLinkWaits(tx)]);
  const planned = window.linksOf(from, to);
  let { links } = planned;
  if (editsPlanned !== edits) {
    // What would close a cycle now is looked for in all links that there are: nobody else may make any.
    if (!isExclusive) return 'edited';
    const closing = await linksClosingCycles(tx, links);
    for (const [chunk, own] of byChunk(planned, (link) => closing.has(link)))
      await reportClosing(tx, ref, chunk.ordinal, { links: own, circles: closing });
    links = links.filter((link) => !closing.has(link));
  }
  const created = from === 0 && anyWaits ? window.newGuids : new Uint8Array(0);
  const areAsPlanned = window.isAsPlanned && editsPlanned === edits;
  const absent = await linkChunk(tx, actorId, { links, areAsPlanned }, created, configuration);
  const waiting = byChunk(planned, ({ parentGuid }) => absent.has(parentGuid));
  for (const chunk of waiting.keys()) if (!chunk.isWritten) waiting.delete(chunk);
  return waiting;
}

/** All links of the window are made, or wait. */
async function finish(
  tx: Tx,
  ref: BatchRef,
  window: LinkWindow,
  absent: ReadonlyMap<WindowChunk, readonly WantedLink[]>,
): Promise<void> {
  for (const [chunk, own] of absent) await reportPending(tx, ref, chunk.ordinal, own);
  tx.withCommit(tx.query(setChunksDone, [...pair(ref), window.ordinals]));
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
