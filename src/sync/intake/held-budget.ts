/**
 * Bounds the memory that the bodies of one intake thread hold together. Above the limit, a large body needs one of
 * a few places to go on, and stores what it holds early; other large bodies and their senders wait. Small bodies
 * never wait: many of them are less than one large one.
 */
import { AppError } from '../../errors.ts';
import { openShare } from '../../fairness/shares.ts';

export interface BudgetLimits {
  /** Held by all bodies together. Passed by what small bodies, and those with a place, hold at least. */
  heldBytesMax: number;
  /** Up to this a body is small. */
  smallBytesMax: number;
  /** Bytes that a body with a place may always hold. */
  placeBytes: number;
  /** Large bodies that go on while there is more than `heldBytesMax`; fewer of one workspace. */
  places: number;
  placesPerWorkspace: number;
  /** Large bodies that wait for a place. One more is refused: it would keep small ones from being read. */
  waitingMax: number;
  waitingPerWorkspaceMax: number;
  /** Bytes of the tables that hold the GUIDs of spilled bodies, enough for about three million GUIDs. */
  tableBytesMax: number;
}

export const budgetLimits: BudgetLimits = {
  heldBytesMax: 80 * 1024 * 1024,
  smallBytesMax: 256 * 1024,
  placeBytes: 4 * 1024 * 1024,
  places: 8,
  placesPerWorkspace: 4,
  waitingMax: 192,
  waitingPerWorkspaceMax: 48,
  tableBytesMax: 32 * 1024 * 1024,
};

/** Segments that are packed at a time, of which one workspace gets half. */
const PACKED_IN_PARALLEL = 4;

interface Waiting {
  account: BodyAccount;
  goOn(): void;
}

export class HeldBudget {
  readonly limits: BudgetLimits;
  #held = 0;
  #tableBytes = 0;
  readonly #placed = new Set<BodyAccount>();
  #waiting: Waiting[] = [];
  readonly #packing = openShare('packing', { units: PACKED_IN_PARALLEL });

  constructor(limits: BudgetLimits = budgetLimits) {
    this.limits = limits;
  }

  /** Bytes held now by all bodies. */
  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get exceeded(): boolean {
    return this.#held > this.limits.heldBytesMax;
  }

  open(workspaceId: string): BodyAccount {
    return new BodyAccount(this, workspaceId);
  }

  /** For accounts. */
  change(bytes: number): void {
    this.#held += bytes;
    // Well below the limit, so that those who wait do not stop again at once.
    if (bytes < 0 && this.#held < this.limits.heldBytesMax / 2) this.#letGoOn();
  }

  /** For accounts: so many bytes more of a table, where there is room; negative ones are given back. */
  takeTable(bytes: number): boolean {
    if (this.#tableBytes + bytes > this.limits.tableBytesMax) return false;
    this.#tableBytes += bytes;
    return true;
  }

  /** Resolves when the body may read on. Throws `too_many_batches`, or the signal's reason when it is aborted. */
  async untilRoom(account: BodyAccount, cut: AbortSignal): Promise<void> {
    if (account.held <= this.limits.smallBytesMax || this.#placed.has(account)) return;
    if (!this.exceeded || this.#takePlace(account)) return;
    this.#refuseTooMany(account.workspaceId);
    await new Promise<void>((resolve, reject) => {
      cut.throwIfAborted();
      const waiting = {
        account,
        goOn: () => {
          cut.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(cut.reason);
      };
      cut.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  /**
   * For accounts: however many bodies end together, few segments are held twice, and nobody stands behind all those of another workspace,
   * nor who wants the threads of libuv for something else.
   */
  packing<T>(workspaceId: string, pack: () => Promise<T>): Promise<T> {
    return this.#packing.run(workspaceId, pack);
  }

  /** For accounts: the body has ended, one way or the other. */
  leave(account: BodyAccount): void {
    this.#placed.delete(account);
    this.#letGoOn();
  }

  #takePlace(account: BodyAccount): boolean {
    if (this.#placed.size >= this.limits.places) return false;
    let ofWorkspace = 0;
    for (const { workspaceId } of this.#placed) if (workspaceId === account.workspaceId) ofWorkspace++;
    if (ofWorkspace >= this.limits.placesPerWorkspace) return false;
    // One that has some leaves as many as it then has: whoever comes next still finds one (src/fairness/fair-share.ts).
    if (ofWorkspace > 0 && ofWorkspace + 1 > this.limits.places - this.#placed.size) return false;
    this.#placed.add(account);
    return true;
  }

  /** In the order in which they came, but that nobody waits for a workspace that has its share. */
  #letGoOn(): void {
    const still: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (!this.exceeded || this.#takePlace(waiting.account)) waiting.goOn();
      else still.push(waiting);
    }
    this.#waiting = still;
  }

  #refuseTooMany(workspaceId: string): void {
    const { waitingMax, waitingPerWorkspaceMax } = this.limits;
    const own = this.#waiting.filter(({ account }) => account.workspaceId === workspaceId).length;
    if (own < waitingPerWorkspaceMax && this.#waiting.length < waitingMax) return;
    const [whose, limit] =
      own < waitingPerWorkspaceMax ? ['The service', waitingMax] : ['The workspace', waitingPerWorkspaceMax];
    throw new AppError('too_many_batches', {
      detail: `${whose} has ${limit} large uploads that wait for their turn, which is the limit. Send this one again when some are through.`,
      extensions: { limit },
      headers: { 'Retry-After': '10' },
    });
  }
}

/** The memory that one body holds. */
export class BodyAccount {
  readonly workspaceId: string;
  readonly #budget: HeldBudget;
  #held = 0;
  #tableBytes = 0;

  constructor(budget: HeldBudget, workspaceId: string) {
    this.#budget = budget;
    this.workspaceId = workspaceId;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes bytes, or gives them back where negative. */
  change(bytes: number): void {
    this.#held += bytes;
    this.#budget.change(bytes);
  }

  /** Whether the body is to store now what it holds. */
  get crowded(): boolean {
    return this.#budget.exceeded && this.#held > this.#budget.limits.placeBytes;
  }

  /** Bytes that a body may always hold. */
  get placeBytes(): number {
    return this.#budget.limits.placeBytes;
  }

  /** So many bytes more for the table of its GUIDs; false where there is no room. They are given back when the body ends. */
  takeTable(bytes: number): boolean {
    const taken = this.#budget.takeTable(bytes);
    if (taken) this.#tableBytes += bytes;
    return taken;
  }

  /** Packs one of its segments, when it is its turn. */
  packing<T>(pack: () => Promise<T>): Promise<T> {
    return this.#budget.packing(this.workspaceId, pack);
  }

  untilRoom(cut: AbortSignal): Promise<void> {
    return this.#budget.untilRoom(this, cut);
  }

  close(): void {
    this.change(-this.#held);
    this.#budget.takeTable(-this.#tableBytes);
    this.#tableBytes = 0;
    this.#budget.leave(this);
  }
}
