/**
 * Bounds the memory that the bodies of one intake thread hold together. Above the limit each body may hold an equal share of it and
 * stores everything above that early, in portions, so its sender waits for PostgreSQL. No body waits for another one, and small bodies
 * store nothing early: many of them are less than one large body.
 */
import { openShare } from '../../fairness/shares.ts';

export interface BudgetLimits {
  /** Bytes that all bodies together may hold before each has only its share of them. */
  heldBytesMax: number;
  /** Bytes that a body may always hold. */
  smallBytesMax: number;
  /** Bytes of the tables that hold the GUIDs of bodies cut in portions, enough for about three million GUIDs. */
  tableBytesMax: number;
}

export const budgetLimits: BudgetLimits = {
  heldBytesMax: 80 * 1024 * 1024,
  smallBytesMax: 512 * 1024,
  tableBytesMax: 32 * 1024 * 1024,
};

/** Segments that are packed at a time, of which one workspace gets half. */
const PACKED_IN_PARALLEL = 4;

export class HeldBudget {
  readonly #limits: BudgetLimits;
  readonly #packing = openShare('packing', { units: PACKED_IN_PARALLEL });
  #bodies = 0;
  #held = 0;
  #tableBytes = 0;

  constructor(limits: BudgetLimits = budgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that all bodies hold now. */
  get held(): number {
    return this.#held;
  }

  get exceeded(): boolean {
    return this.#held > this.#limits.heldBytesMax;
  }

  /** Bytes that a body may hold while there is more than the limit. */
  get shareBytes(): number {
    return Math.max(this.#limits.smallBytesMax, this.#limits.heldBytesMax / this.#bodies);
  }

  open(workspaceId: string): BodyAccount {
    this.#bodies++;
    return new BodyAccount(this, workspaceId);
  }

  /** For accounts. */
  change(bytes: number): void {
    this.#held += bytes;
  }

  /** For accounts: takes bytes for a table, if there is room; negative ones are given back. */
  takeTable(bytes: number): boolean {
    if (this.#tableBytes + bytes > this.#limits.tableBytesMax) return false;
    this.#tableBytes += bytes;
    return true;
  }

  /**
   * For accounts: however many bodies end together, few segments are held twice, and nobody stands behind all those of another workspace,
   * nor who wants the threads of libuv for something else.
   */
  packing<T>(workspaceId: string, pack: () => Promise<T>): Promise<T> {
    return this.#packing.run(workspaceId, pack);
  }

  /** For accounts: the body has ended, one way or the other. */
  leave(): void {
    this.#bodies--;
  }
}

/** The memory that one body holds. */
export class BodyAccount {
  readonly #budget: HeldBudget;
  readonly #workspaceId: string;
  #held = 0;
  #tableBytes = 0;

  constructor(budget: HeldBudget, workspaceId: string) {
    this.#budget = budget;
    this.#workspaceId = workspaceId;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes bytes, or gives them back where negative. */
  change(bytes: number): void {
    this.#held += bytes;
    this.#budget.change(bytes);
  }

  /** Whether the body has more than its share, and stores now what it holds. */
  get crowded(): boolean {
    return this.#budget.exceeded && this.#held > this.#budget.shareBytes;
  }

  get shareBytes(): number {
    return this.#budget.shareBytes;
  }

  /** Takes bytes for the table of its GUIDs; false if there is no room. They are given back when the body ends. */
  takeTable(bytes: number): boolean {
    const taken = this.#budget.takeTable(bytes);
    if (taken) this.#tableBytes += bytes;
    return taken;
  }

  /** Packs one of its segments, when it is its turn. */
  packing<T>(pack: () => Promise<T>): Promise<T> {
    return this.#budget.packing(this.#workspaceId, pack);
  }

  close(): void {
    this.change(-this.#held);
    this.#budget.takeTable(-this.#tableBytes);
    this.#tableBytes = 0;
    this.#budget.leave();
  }
}
