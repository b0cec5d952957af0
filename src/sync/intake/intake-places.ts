/**
 * Whose body is taken in, and when. Every body is read here up to the size of a small one first: that costs a little
 * memory and no place, so that a sender who trickles keeps nobody waiting, and a body that has arrived whole is staged
 * at once. What is larger takes one of the places that workspaces share, and waits for it unread.
 */

import { AppError } from '../../errors.ts';
import type { CostAccounts } from '../../fairness/cost-accounts.ts';
import { type FairShare, pauseBehind, type Release, ShareError } from '../../fairness/fair-share.ts';
import { openShare } from '../../fairness/shares.ts';
import type { BodySource } from './body-channel.ts';

/** Bodies that have arrived whole by then are small. */
export const SMALL_BYTES_MAX = 64 * 1024;
/** A body whose sender pauses for this long goes on as a larger one, so that its faults are found early. */
const PAUSE_MS = 1000;

/** After this long a wait there is no pause behind the body: its sender says in seconds how long it wants to wait. */
const LONG_WAIT_MS = 2000;

/** The processor time for unpacking, cutting and packing. */
const MEGABYTE_MS = 10;
const PAUSE_MS_MAX = 1000;

/**
 * An explicit reason: without one the runtime makes an error with a stack, which costs as much as all of the
 * reading.
 */
const readAsWanted = 'read as far as it is wanted';

export interface PlaceLimits {
  /** Bodies of which the beginning is read, without or with a place. */
  heads: number;
  /** Small bodies that are staged at a time: each for the moments that its transaction takes. */
  small: number;
  /** Larger bodies that are read at a time, most of which wait for their senders. */
  large: number;
  costs: CostAccounts;
  /** Bounds in place of those that are declared, for tests. */
  waitingMax?: number;
  patienceMs?: number;
}

export class IntakePlaces {
  readonly heads: FairShare;
  readonly small: FairShare;
  readonly large: FairShare;
  readonly #costs: CostAccounts;

  constructor({ heads, small, large, costs, ...bounds }: PlaceLimits) {
    const ofOneMax = (workspaceId: string) => (costs.pauseTimes(workspaceId) > 0 ? 1 : small);
    this.#costs = costs;
    this.heads = openShare('intakeHeads', { units: heads, ...bounds });
    this.small = openShare('intakeSmall', { units: small, ofOneMax, ...bounds });
    this.large = openShare('intakeLarge', { units: large, ...bounds });
  }

  /**
   * Does the work with the body when it has a place. Throws `too_many_batches` where there is none in time, what
   * reading the body throws, and the reason of `cut` when the sender has gone.
   */
  async run<T>(workspaceId: string, body: BodySource, work: (body: BodySource) => Promise<T>): Promise<T> {
    const whole = body.arrived?.() ?? null;
    if (whole !== null) return this.#runWhole(workspaceId, body, whole, work);
    const ended = new AbortController();
    const head = await this.#acquire(this.heads, workspaceId, body.cut);
    let place: Release = () => {};
    const read = { bytes: 0 };
    try {
      const pieces = body.read(ended.signal)[Symbol.asyncIterator]();
      try {
        const beginning = await readHead(pieces);
        place = beginning.isWhole
          ? await this.#acquireSmall(workspaceId, body.cut)
          : await this.#acquireLarge(workspaceId, body.cut, read);
        head();
        const whole = beginning.isWhole ? { whole: beginning.bytes } : {};
        return await work({
          read: (over) => counted(goOn(beginning, pieces, over, ended), read),
          cut: body.cut,
          digest: body.digest,
          ...whole,
        });
      } finally {
        ended.abort(readAsWanted);
        await pieces.return?.();
      }
    } finally {
      place();
      head();
    }
  }

  /** Takes in a body that has arrived. A body larger than a small one is read from memory. */
  async #runWhole<T>(
    workspaceId: string,
    body: BodySource,
    whole: Uint8Array,
    work: (body: BodySource) => Promise<T>,
  ): Promise<T> {
    const isSmall = whole.length <= SMALL_BYTES_MAX;
    const place = isSmall
      ? await this.#acquireSmall(workspaceId, body.cut)
      : await this.#acquireLarge(workspaceId, body.cut, { bytes: whole.length });
    async function* read() {
      yield whole;
    }
    try {
      return await work({ ...body, read, ...(isSmall ? { whole } : {}) });
    } finally {
      place();
    }
  }

  /** With a pause behind it, where the workspace keeps the machine busy: the shorter, the longer this one has waited for its place. */
  async #acquireSmall(workspaceId: string, cut: AbortSignal): Promise<Release> {
    const askedAt = performance.now();
    const place = await this.#acquire(this.small, workspaceId, cut);
    const patience = 1 - (performance.now() - askedAt) / LONG_WAIT_MS;
    const pauseMs = pauseBehind();
    return () => {
      const times = Math.max(0, patience) * this.#costs.pauseTimes(workspaceId);
      place(pauseMs(times), this.#costs.missedBehind(workspaceId, times));
    };
  }

  /** Charged by what was read of it: how long that took says how slowly its sender sends. A pause behind it is of that length too. */
  async #acquireLarge(workspaceId: string, cut: AbortSignal, read: { bytes: number }): Promise<Release> {
    const place = await this.#acquire(this.large, workspaceId, cut);
    return () => {
      const ms = (MEGABYTE_MS * read.bytes) / 1e6;
      this.#costs.charge(workspaceId, ms);
      const times = this.#costs.pauseTimes(workspaceId);
      place(Math.min(PAUSE_MS_MAX, times * ms), this.#costs.missedBehind(workspaceId, times));
    };
  }

  async #acquire(share: FairShare, workspaceId: string, cut: AbortSignal): Promise<Release> {
    try {
      return await share.acquire(workspaceId, 1, cut);
    } catch (error) {
      if (!(error instanceof ShareError)) throw error;
      throw new AppError('too_many_batches', {
        detail: `Uploads of this workspace use all of its share of the intake: ${error.message}. Send this one again when some are through.`,
        headers: { 'Retry-After': '10' },
        cause: error,
      });
    }
  }
}

interface Beginning {
  /** In one piece: its sender chooses how many there are. */
  bytes: Buffer;
  isWhole: boolean;
  /** The piece that has been requested and has not come yet. */
  awaited: Promise<IteratorResult<Uint8Array>> | null;
}

/** Reads until the body has ended, is larger than a small one, or pauses. */
async function readHead(pieces: AsyncIterator<Uint8Array>): Promise<Beginning> {
  let held = Buffer.alloc(0);
  let length = 0;
  const beginning = (isWhole: boolean, awaited: Beginning['awaited'] = null) => ({
    bytes: held.subarray(0, length),
    isWhole,
    awaited,
  });
  for (;;) {
    const awaited = pieces.next();
    const next = await orPause(awaited);
    if (next === null) return beginning(false, awaited);
    if (next.done === true) return beginning(true);
    const piece = next.value;
    if (length + piece.length > held.length) {
      const grown = Buffer.alloc(Math.max(length + piece.length, Math.min(2 * held.length, SMALL_BYTES_MAX)));
      held.copy(grown, 0, 0, length);
      held = grown;
    }
    held.set(piece, length);
    length += piece.length;
    if (length > SMALL_BYTES_MAX) return beginning(false);
  }
}

/** Returns null where the piece has not come after a pause; it is still to come then. */
async function orPause<T>(awaited: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PAUSE_MS);
  });
  try {
    return await Promise.race([awaited, pause]);
  } finally {
    clearTimeout(timer);
    // Whoever goes on with it hears of its failure; where nobody does, the body has been refused.
    awaited.catch(() => {});
  }
}

async function* goOn(
  { bytes, isWhole, awaited }: Beginning,
  rest: AsyncIterator<Uint8Array>,
  over: AbortSignal,
  ended: AbortController,
): AsyncGenerator<Uint8Array> {
  const onOver = () => ended.abort();
  if (over.aborted) return;
  over.addEventListener('abort', onOver, { once: true });
  try {
    if (bytes.length > 0) yield bytes;
    if (isWhole) return;
    for (let next = await (awaited ?? rest.next()); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    over.removeEventListener('abort', onOver);
  }
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  read: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    read.bytes += piece.length;
    yield piece;
  }
}
