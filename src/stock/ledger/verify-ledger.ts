/**
 * Proves the ledger: reads every entry in order of positions, recomputes hashes and balances, and compares
 * the positions; where all of that holds, also what is kept of lines, requirements and lots. In short transactions of a page each, so that a run of minutes over tens of millions of
 * entries holds back no cleaning of the table that is being written; memory is bounded by a page.
 *
 * What writers add meanwhile is no problem and is not mistaken for one: positions are read after the entries
 * before them, never changed without an entry, so a position that is ahead only has newer entries to read.
 */
import type { Db } from '../../db/connect.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Slices } from '../../fairness/slices.ts';
import { type HeadRow, HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import { positionKey } from '../movements/decide-movements.ts';
import {
  type Chain,
  compareChain,
  compareCovered,
  followChain,
  loseChain,
  reachedBy,
  startChain,
} from './entry-chain.ts';
import {
  type EntryProofRow,
  type PositionProofRow,
  selectEntriesBehind,
  selectEntriesOf,
  selectPositionsBetween,
} from './ledger.sql.ts';
import type { LedgerProblem, LedgerVerification } from './verification.schema.ts';
import { type ReadPage, verifySums } from './verify-sums.ts';

/** About 5 ms of hashing. */
const PAGE_ROWS = 1000;
const PROBLEMS_MAX = 100;

interface Key {
  itemId: string;
  locationId: string;
}

const before: Key = { itemId: LOWEST_ID, locationId: LOWEST_ID };
const behind: Key = { itemId: HIGHEST_ID, locationId: HIGHEST_ID };

/**
 * The whole ledger of a workspace, and that everything is there which the heads say that a digest covers; they
 * come in order of their keys. Throws when `signal` is aborted.
 */
export function verifyLedger(
  db: Db,
  workspaceId: string,
  signal: AbortSignal = new AbortController().signal,
  headsOf: (read: ReadPage) => AsyncIterator<HeadRow, void> = noHeads,
): Promise<LedgerVerification> {
  return new Verification(db, workspaceId, signal, headsOf).run();
}

async function* noHeads(): AsyncGenerator<HeadRow, void> {}

class Verification {
  readonly #db: Db;
  readonly #workspaceId: string;
  readonly #signal: AbortSignal;
  readonly #slices: Slices;
  #entries = 0;
  #positions = 0;
  #problemCount = 0;
  readonly #problems: LedgerProblem[] = [];
  /** Chains whose last entry has been read, waiting for their position. */
  #ended = new Map<string, Chain>();
  /** Positions up to this key are compared. */
  #compared = before;
  readonly #heads: AsyncIterator<HeadRow, void>;
  /** The next one; undefined before the first, null after the last. */
  #head: HeadRow | null | undefined;

  constructor(
    db: Db,
    workspaceId: string,
    signal: AbortSignal,
    headsOf: (read: ReadPage) => AsyncIterator<HeadRow, void>,
  ) {
    this.#db = db;
    this.#workspaceId = workspaceId;
    this.#signal = signal;
    this.#slices = new Slices(signal);
    this.#heads = headsOf((sql, params) => this.#read(sql, params));
  }

  async run(): Promise<LedgerVerification> {
    let chain: Chain | null = null;
    let reading = this.#readBehind(null);
    for (let more = true; more; ) {
      const rows: EntryProofRow[] = await reading;
      more = rows.length === PAGE_ROWS;
      // The next page is on its way while this one is hashed: the database and this process work side by side.
      if (more) reading = this.#readBehind(rows.at(-1) ?? null);
      for (const row of rows) {
        if (this.#slices.areDue) await this.#slices.next();
        if (chain === null || chain.itemId !== row.itemId || chain.locationId !== row.locationId) {
          if (chain !== null) this.#ended.set(positionKey(chain), chain);
          chain = await this.#startChain(row);
        }
        this.#follow(chain, row);
      }
      if (!more) {
        if (chain !== null) this.#ended.set(positionKey(chain), chain);
        // What is left of the digest are positions behind the last that has entries.
        await this.#startChain(behind);
      }
      // A page in the midst of one long chain ends none, and leaves nothing to be compared.
      if (!more || this.#ended.size > 0) await this.#compare(more && chain !== null ? chain : behind);
    }
    // Sums of entries that are wrong themselves would prove nothing.
    if (this.#problemCount === 0) {
      const read: ReadPage = (sql, params) => this.#read(sql, params);
      const { problems, problemCount } = await verifySums(read, this.#workspaceId, PROBLEMS_MAX);
      this.#problems.push(...problems);
      this.#problemCount += problemCount;
    }
    return {
      ok: this.#problemCount === 0,
      positions: this.#positions,
      entries: this.#entries,
      problems: this.#problems,
      problemCount: this.#problemCount,
    };
  }

  /** The chain of a position, with what the digest covers of it. Those that it covers before, and that have no entry left, have ended. */
  async #startChain(key: Key): Promise<Chain> {
    for (;;) {
      this.#head = this.#head === undefined ? ((await this.#heads.next()).value ?? null) : this.#head;
      const head = this.#head;
      if (head === null || isBefore(key, head)) return startChain(key);
      this.#head = undefined;
      const covered = { sequence: BigInt(head.sequence), hash: head.hash };
      if (!isBefore(head, key)) return startChain(key, covered);
      this.#ended.set(positionKey(head), startChain(head, covered));
      if (this.#ended.size >= PAGE_ROWS) await this.#compare(key);
    }
  }

  #readBehind(last: EntryProofRow | null): Promise<EntryProofRow[]> {
    const { itemId, locationId } = last ?? before;
    const params = [this.#workspaceId, itemId, locationId, last?.sequence ?? '0', PAGE_ROWS];
    const reading = this.#read<EntryProofRow>(selectEntriesBehind, params);
    // Awaited a page later: what fails until then fails there.
    reading.catch(() => {});
    return reading;
  }

  #follow(chain: Chain, row: EntryProofRow): void {
    this.#entries += 1;
    followChain(this.#workspaceId, chain, row);
  }

  /** Compares all positions before that key with the chains that have ended. */
  async #compare(limit: Key): Promise<void> {
    for (let more = true; more; ) {
      const { itemId, locationId } = this.#compared;
      const rows = await this.#read<PositionProofRow>(selectPositionsBetween, [
        this.#workspaceId,
        itemId,
        locationId,
        limit.itemId,
        limit.locationId,
        PAGE_ROWS,
      ]);
      for (const position of rows) {
        if (this.#slices.areDue) await this.#slices.next();
        await this.#comparePosition(position);
      }
      const last = rows.at(-1);
      if (last !== undefined) this.#compared = last;
      more = rows.length === PAGE_ROWS;
    }
    for (const chain of this.#ended.values()) {
      if (this.#slices.areDue) await this.#slices.next();
      loseChain(chain);
      compareCovered(chain);
      this.#report(chain);
    }
    this.#ended = new Map();
  }

  async #comparePosition(position: PositionProofRow): Promise<void> {
    this.#positions += 1;
    const key = positionKey(position);
    const chain = this.#ended.get(key) ?? startChain(position);
    this.#ended.delete(key);
    if (reachedBy(chain) < BigInt(position.sequence)) await this.#catchUp(chain, position.sequence);
    compareChain(chain, position);
    compareCovered(chain);
    this.#report(chain);
  }

  /** Reads what was appended since the chain was read. */
  async #catchUp(chain: Chain, sequence: string): Promise<void> {
    for (let more = true; more; ) {
      const rows = await this.#read<EntryProofRow>(selectEntriesOf, [
        this.#workspaceId,
        chain.itemId,
        chain.locationId,
        chain.last?.sequence ?? '0',
        sequence,
        PAGE_ROWS,
      ]);
      for (const row of rows) {
        if (this.#slices.areDue) await this.#slices.next();
        this.#follow(chain, row);
      }
      more = rows.length === PAGE_ROWS;
    }
  }

  #report({ problem }: Chain): void {
    if (problem === null) return;
    this.#problemCount += 1;
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem);
  }

  async #read<Row>(sql: string, params: readonly unknown[]): Promise<Row[]> {
    this.#signal.throwIfAborted();
    return inTransaction(this.#db, { workspaceId: this.#workspaceId }, (tx) => tx.query<Row>(sql, params), {
      readOnly: true,
      gone: this.#signal,
    });
  }
}

/** Compares ids in PostgreSQL's order: by bytes, which their texts preserve. */
function isBefore(one: Key, other: Key): boolean {
  return one.itemId < other.itemId || (one.itemId === other.itemId && one.locationId < other.locationId);
}
