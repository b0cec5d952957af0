/**
 * Proves the ledger: reads every entry in order of positions, recomputes hashes and balances, and compares
 * the positions. In short transactions of a page each, so that a run of minutes over tens of millions of
 * entries holds back no cleaning of the table that is being written; memory is bounded by a page.
 *
 * What writers add meanwhile is no problem and is not mistaken for one: positions are read after the entries
 * before them, never changed without an entry, so a position that is ahead only has newer entries to read.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../db/connect.ts';
import { inTransaction } from '../db/transaction.ts';
import { microOfDecimal } from '../quantity.ts';
import { positionKey } from './decide-movements.ts';
import { type Chain, compareChain, followChain, loseChain, startChain } from './entry-chain.ts';
import {
  type EntryRow,
  entryOfRow,
  type PositionStateRow,
  selectEntriesBehind,
  selectEntriesOf,
  selectPositionsBetween,
} from './ledger.sql.ts';
import type { LedgerProblem, LedgerVerification } from './stock.schema.ts';

/** 1000 entries are about 8 ms of hashing; others get their turn after a quarter of that. */
const PAGE_ROWS = 1000;
const TURN_ROWS = 250;
const PROBLEMS_MAX = 100;

interface Key {
  itemId: string;
  locationId: string;
}

const before: Key = {
  itemId: '00000000-0000-0000-0000-000000000000',
  locationId: '00000000-0000-0000-0000-000000000000',
};
const behind: Key = {
  itemId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  locationId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The whole ledger of a workspace. Throws when `signal` is aborted. */
export function verifyLedger(
  db: Db,
  workspaceId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<LedgerVerification> {
  return new Verification(db, workspaceId, signal).run();
}

class Verification {
  readonly #db: Db;
  readonly #workspaceId: string;
  readonly #signal: AbortSignal;
  #entries = 0;
  #positions = 0;
  #problemCount = 0;
  readonly #problems: LedgerProblem[] = [];
  /** Chains whose last entry has been read, waiting for their position. */
  #ended = new Map<string, Chain>();
  /** Positions up to this key are compared. */
  #compared = before;

  constructor(db: Db, workspaceId: string, signal: AbortSignal) {
    this.#db = db;
    this.#workspaceId = workspaceId;
    this.#signal = signal;
  }

  async run(): Promise<LedgerVerification> {
    let chain: Chain | null = null;
    for (let more = true; more; ) {
      const key: Key = chain ?? before;
      const params = [
        this.#workspaceId,
        key.itemId,
        key.locationId,
        `${chain?.last?.sequence ?? 0n}`,
        PAGE_ROWS,
      ];
      const rows = await this.#read<EntryRow>(selectEntriesBehind, params);
      for (const [index, row] of rows.entries()) {
        if (index % TURN_ROWS === TURN_ROWS - 1) await turn();
        if (chain === null || chain.itemId !== row.item_id || chain.locationId !== row.location_id) {
          if (chain !== null) this.#ended.set(positionKey(chain), chain);
          chain = startChain({ itemId: row.item_id, locationId: row.location_id });
        }
        this.#follow(chain, row);
      }
      more = rows.length === PAGE_ROWS;
      if (!more && chain !== null) this.#ended.set(positionKey(chain), chain);
      await this.#compare(more && chain !== null ? chain : behind);
    }
    return {
      ok: this.#problemCount === 0,
      positions: this.#positions,
      entries: this.#entries,
      problems: this.#problems,
      problemCount: this.#problemCount,
    };
  }

  #follow(chain: Chain, row: EntryRow): void {
    this.#entries += 1;
    followChain(this.#workspaceId, chain, entryOfRow(row));
  }

  /** Compares all positions before that key with the chains that have ended. */
  async #compare(limit: Key): Promise<void> {
    for (let more = true; more; ) {
      const { itemId, locationId } = this.#compared;
      const rows = await this.#read<PositionStateRow>(selectPositionsBetween, [
        this.#workspaceId,
        itemId,
        locationId,
        limit.itemId,
        limit.locationId,
        PAGE_ROWS,
      ]);
      for (const row of rows) await this.#comparePosition(row);
      const last = rows.at(-1);
      if (last !== undefined) this.#compared = { itemId: last.item_id, locationId: last.location_id };
      more = rows.length === PAGE_ROWS;
    }
    for (const chain of this.#ended.values()) {
      loseChain(chain);
      this.#report(chain);
    }
    this.#ended = new Map();
  }

  async #comparePosition(row: PositionStateRow): Promise<void> {
    this.#positions += 1;
    const position = {
      itemId: row.item_id,
      locationId: row.location_id,
      onHand: microOfDecimal(row.on_hand),
      reserved: microOfDecimal(row.reserved),
      onOrder: microOfDecimal(row.on_order),
      sequence: BigInt(row.sequence),
      hash: row.hash,
    };
    const key = positionKey(position);
    const chain = this.#ended.get(key) ?? startChain(position);
    this.#ended.delete(key);
    if ((chain.last?.sequence ?? 0n) < position.sequence) await this.#catchUp(chain, position.sequence);
    compareChain(chain, position);
    this.#report(chain);
  }

  /** Reads what was appended since the chain was read. */
  async #catchUp(chain: Chain, sequence: bigint): Promise<void> {
    for (let more = true; more; ) {
      const rows = await this.#read<EntryRow>(selectEntriesOf, [
        this.#workspaceId,
        chain.itemId,
        chain.locationId,
        `${chain.last?.sequence ?? 0n}`,
        `${sequence}`,
        PAGE_ROWS,
      ]);
      for (const row of rows) this.#follow(chain, row);
      more = rows.length === PAGE_ROWS;
    }
  }

  #report({ problem }: Chain): void {
    if (problem === null) return;
    this.#problemCount += 1;
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem);
  }

  #read<Row>(sql: string, params: readonly unknown[]): Promise<Row[]> {
    this.#signal.throwIfAborted();
    return inTransaction(this.#db, { workspaceId: this.#workspaceId }, (tx) => tx.query<Row>(sql, params), {
      readOnly: true,
    });
  }
}
