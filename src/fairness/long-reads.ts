/**
 * Reads that go through much, or answer with much: one of a workspace at a time, and few in a process. Two of one
 * workspace side by side would be done no sooner and take twice the memory, and of two processors both. While other
 * workspaces call, there is a pause between two of one: what such a read leaves behind, megabytes to be collected and pages
 * pushed out of the caches, costs the others as much as the read itself.
 */
import { CostAccounts } from './cost-accounts.ts';
import { type FairShare, pauseBehind } from './fair-share.ts';
import { openShare } from './shares.ts';

/** An answer of so many bytes was long. */
const LONG_BYTES = 256 * 1024;
/** How long after a long read the next one of its operation is expected to be long, too. */
const EXPECTED_MS = 60_000;
/** Operations of workspaces that are remembered; beyond it those that have been for longest are forgotten. */
const REMEMBERED_MAX = 10_000;
/** A reader who takes what was read more slowly keeps others from reading no longer. */
const HELD_MS_MAX = 5000;
/** While others call, a workspace's long reads take a third of the time. */
const PAUSE_TIMES = 2;

export interface LongReadsOptions {
  /** In this process at once. */
  most: number;
  /** Whether several workspaces call now. */
  areSeveral?: () => boolean;
  /** Cost of workspaces, and which of them have to pause. */
  costs?: CostAccounts;
  heldMsMax?: number;
}

export interface Read {
  workspaceId: string;
  operationId: string;
  /** Whether it is long by what it does, whatever its last answer was. */
  isLong: boolean;
  /** Whether the work sends the answer too, and so goes on for as long as its reader likes. */
  isSent: boolean;
}

type ReadName = Pick<Read, 'workspaceId' | 'operationId'>;

export class LongReads {
  readonly #share: FairShare;
  readonly #areSeveral: () => boolean;
  readonly #costs: CostAccounts;
  readonly #heldMsMax: number;
  /** Time until which a long answer is expected, by operation of a workspace, in the order of recording. */
  readonly #expected = new Map<string, number>();

  constructor({
    most,
    areSeveral = () => false,
    costs = new CostAccounts(),
    heldMsMax = HELD_MS_MAX,
  }: LongReadsOptions) {
    this.#share = openShare('longReads', {
      units: most,
      ofOneMax: 1,
    });
    this.#areSeveral = areSeveral;
    this.#costs = costs;
    this.#heldMsMax = heldMsMax;
  }

  /** Number of running and waiting reads. */
  get held(): number {
    return this.#share.held;
  }

  get waiting(): number {
    return this.#share.waiting;
  }

  /**
   * Does the work, in its turn where it is long. Work that sends nothing keeps its place to its end: what it takes of the database's
   * memory is taken so many times at once and no more. Throws a `ShareError` where too many wait, or for too long.
   */
  async run<T>(read: Read, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!read.isLong && !this.#isExpected(keyOf(read))) return work();
    const release = await this.#share.acquire(read.workspaceId, 1, signal);
    const pauseMs = pauseBehind();
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      this.#costs.charge(read.workspaceId, pauseMs(1));
      const least = this.#areSeveral() ? PAUSE_TIMES : 0;
      const times = this.#costs.pauseTimes(read.workspaceId);
      release(pauseMs(Math.max(least, times)), this.#costs.missedBehind(read.workspaceId, times));
    };
    const held = read.isSent ? setTimeout(leave, this.#heldMsMax) : undefined;
    try {
      return await work();
    } finally {
      clearTimeout(held);
      leave();
    }
  }

  /** An answer of so many bytes has been sent. */
  note(read: ReadName, bytes: number): void {
    if (bytes < LONG_BYTES) return;
    const key = keyOf(read);
    this.#expected.delete(key);
    this.#expected.set(key, performance.now() + EXPECTED_MS);
    if (this.#expected.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#expected.keys()) {
      this.#expected.delete(oldest);
      break;
    }
  }

  #isExpected(key: string): boolean {
    const until = this.#expected.get(key);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#expected.delete(key);
    return false;
  }
}

function keyOf({ workspaceId, operationId }: ReadName): string {
  return `${workspaceId} ${operationId}`;
}
