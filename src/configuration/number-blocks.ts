/**
 * Numbers ahead of need, for what is made many at a time by callers of the same time: a counter that is advanced in the
 * transaction of its effect is locked until that commits, so that all who make something wait for each other. A block is
 * taken in a short transaction of its own, and given out here. What a process has not given out when it ends is a gap, and
 * of two processes each has blocks of its own (contract §4.7).
 */
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { allocateNumbers } from './allocate-numbers.ts';

/** A block is as large as twice the last one, up to this: a workspace that makes few things has small gaps. */
const FIRST_BLOCK = 8;
const BLOCK_MAX = 512;
/** Counters that have a block here; of further ones the one that was used longest ago is dropped, with what is left of it. */
const COUNTERS_MAX = 10_000;

interface Block {
  next: number;
  /** The first number behind it. */
  end: number;
  size: number;
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

export class NumberBlocks {
  readonly #db: Db;
  readonly #blocks = new Map<string, Block>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * As many consecutive numbers of each category, the first of each. Throws `NumbersWanted`, and then has given out none
   * of any.
   */
  take(workspaceId: string, counts: ReadonlyMap<string, number>): Map<string, number> {
    const nameOf = (category: string) => `${workspaceId} ${category}`;
    for (const [category, count] of counts) {
      const block = this.#blocks.get(nameOf(category));
      if (block === undefined || block.end - block.next < count) throw new NumbersWanted(category, count);
    }
    const firsts = new Map<string, number>();
    for (const [category, count] of counts) {
      const block = this.#blocks.get(nameOf(category)) as Block;
      firsts.set(category, block.next);
      block.next += count;
      this.#keep(nameOf(category), block);
    }
    return firsts;
  }

  /** Takes a block from the counter. What was left of the one before is a gap. */
  async refill(workspaceId: string, { category, count }: NumbersWanted): Promise<void> {
    const name = `${workspaceId} ${category}`;
    const before = this.#blocks.get(name);
    const size = Math.max(count, Math.min(BLOCK_MAX, before === undefined ? FIRST_BLOCK : 2 * before.size));
    const next = await inTransaction(this.#db, { workspaceId }, (tx) => allocateNumbers(tx, category, size));
    this.#keep(name, { next, end: next + size, size });
  }

  #keep(name: string, block: Block): void {
    this.#blocks.delete(name);
    this.#blocks.set(name, block);
    if (this.#blocks.size > COUNTERS_MAX) this.#blocks.delete(this.#blocks.keys().next().value as string);
  }
}
