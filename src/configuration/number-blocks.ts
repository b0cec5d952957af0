/**
 * Numbers ahead of need, for what is made many at a time by callers of the same time: a counter that is advanced in the
 * transaction of its effect is locked until that commits, so that all who make something wait for each other. A block is
 * taken in a short transaction of its own, and given out here. What a process has not given out when it ends is a gap, and
 * of two processes each has blocks of its own (contract §4.7).
 */
import type { Db } from '../db/connect.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { allocateNumbers } from './allocate-numbers.ts';

/** A block is as large as twice the last one, up to this: a workspace that makes few things has small gaps. */
const FIRST_BLOCK = 8;
const BLOCK_MAX = 512;
/** The size from which the next block is taken while half of this one is left, so that no caller has to wait at its end. */
const AHEAD_FROM = 64;
/** Counters that have a block here; of further ones the one that was used longest ago is dropped, with what is left of it. */
const COUNTERS_MAX = 10_000;

interface Block {
  next: number;
  /** The first number behind it. */
  end: number;
  size: number;
  /** The block behind this one, where it has been taken already. */
  spare: Block | null;
  /** Somebody is to take it, or does. */
  wantsSpare: boolean;
}

/** The source of the numbers of new entities. It returns the first of as many consecutive numbers of each category. */
export interface NumberSource {
  take(
    workspaceId: string,
    counts: ReadonlyMap<string, number>,
  ): ReadonlyMap<string, number> | Promise<ReadonlyMap<string, number>>;
}

/** Counts in the transaction that makes the entities: without gaps, and with the counters locked until it ends. */
export function numbersOf(tx: Tx): NumberSource {
  return {
    take: async (_, counts) => {
      const firsts = new Map<string, number>();
      for (const [category, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
        firsts.set(category, await allocateNumbers(tx, category, count));
      return firsts;
    },
  };
}

/** There are not as many left as are wanted: `refill` takes them, outside of any transaction. */
export class NumbersWanted extends Error {
  override name = 'NumbersWanted';
  readonly category: string;
  readonly count: number;

  constructor(category: string, count: number) {
    super(`${count} numbers of category ${category} are wanted`);
    this.category = category;
    this.count = count;
  }
}

export class NumberBlocks implements NumberSource {
  readonly #db: Db;
  readonly #blocks = new Map<string, Block>();
  /** The categories of each workspace whose next block is due. */
  readonly #low = new Map<string, Set<string>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Returns the first of as many consecutive numbers of each category. If it throws `NumbersWanted`, it has given out
   * none.
   */
  take(workspaceId: string, counts: ReadonlyMap<string, number>): Map<string, number> {
    const nameOf = (category: string) => `${workspaceId} ${category}`;
    const from = new Map<string, Block>();
    for (const [category, count] of counts) {
      const block = this.#blocks.get(nameOf(category));
      const fitting = [block, block?.spare].find((one) => one != null && one.end - one.next >= count);
      if (fitting == null) throw new NumbersWanted(category, count);
      from.set(category, fitting);
    }
    const firsts = new Map<string, number>();
    for (const [category, block] of from) {
      firsts.set(category, block.next);
      block.next += counts.get(category) ?? 0;
      this.#keep(nameOf(category), block);
      if (block.wantsSpare || block.size < AHEAD_FROM || 2 * (block.end - block.next) > block.size) continue;
      block.wantsSpare = true;
      const low = this.#low.get(workspaceId) ?? new Set();
      this.#low.set(workspaceId, low.add(category));
    }
    return firsts;
  }

  /** Takes further blocks before the present ones are used up. Never rejects: a caller that reaches the end of a block tries again. */
  async lookAhead(workspaceId: string): Promise<void> {
    const low = this.#low.get(workspaceId);
    if (low === undefined) return;
    this.#low.delete(workspaceId);
    for (const category of low) {
      const block = this.#blocks.get(`${workspaceId} ${category}`);
      if (block === undefined) continue;
      await this.#takeBlock(workspaceId, category, sizeBehind(block)).then(
        (spare) => {
          block.spare = spare;
        },
        () => {
          block.wantsSpare = false;
        },
      );
    }
  }

  /** Takes a block from the counter. What was left of the one before is a gap. */
  async refill(workspaceId: string, { category, count }: NumbersWanted): Promise<void> {
    const name = `${workspaceId} ${category}`;
    const before = this.#blocks.get(name);
    const size = Math.max(count, before === undefined ? FIRST_BLOCK : sizeBehind(before));
    this.#keep(name, await this.#takeBlock(workspaceId, category, size));
  }

  async #takeBlock(workspaceId: string, category: string, size: number): Promise<Block> {
    const next = await inTransaction(this.#db, { workspaceId }, (tx) => allocateNumbers(tx, category, size));
    return { next, end: next + size, size, spare: null, wantsSpare: false };
  }

  #keep(name: string, block: Block): void {
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    if (this.#blocks.size > COUNTERS_MAX) this.#blocks.delete(this.#blocks.keys().next().value as string);
  }
}

function sizeBehind({ size }: Block): number {
  return Math.min(BLOCK_MAX, 2 * size);
}
