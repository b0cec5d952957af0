/** Follows the entries of one position from the first on, and remembers the first thing that is wrong. */
import { microOfDecimal } from '../../quantity.ts';
import { hashEntryTexts } from '../entries/ledger-entry.ts';
import type { EntryProofRow, PositionProofRow } from './ledger.sql.ts';
import type { LedgerProblem } from './verification.schema.ts';

export interface Chain {
  readonly itemId: string;
  readonly locationId: string;
  /** The last entry followed; null before the first. */
  last: EntryProofRow | null;
  /** Part of the position that a digest covers; null if there is no digest or it does not cover the position. */
  readonly covered: Covered | null;
  problem: LedgerProblem | null;
}

/** The last entry of the position that a digest covers: by its hash all those before it. */
export interface Covered {
  sequence: bigint;
  /** In hex. */
  hash: string;
}

export function startChain(
  { itemId, locationId }: { itemId: string; locationId: string },
  covered: Covered | null = null,
): Chain {
  return { itemId, locationId, last: null, covered, problem: null };
}

/** The sequence that the chain has come to; 0 before the first entry. */
export function reachedBy({ last }: Chain): bigint {
  return last === null ? 0n : BigInt(last.sequence);
}

/** Checks the next entry, in order of sequence. After a first problem the rest of the position is not judged. */
export function followChain(workspaceId: string, chain: Chain, entry: EntryProofRow): void {
  const { last, problem } = chain;
  const expected = reachedBy(chain) + 1n;
  chain.last = entry;
  if (problem !== null) {
    // Two entries that changed places first show as one that does not fit its hash; the next tells.
    const follows = problem.kind === 'altered' && problem.entryId === last?.id;
    if (follows && entry.id < (last?.id ?? '')) {
      problem.kind = 'reordered';
      problem.message = 'It stands before an entry that was recorded earlier.';
    }
    return;
  }
  const find = (kind: LedgerProblem['kind'], message: string) => {
    chain.problem = problemOf(chain, kind, message, entry);
  };
  const sequence = BigInt(entry.sequence);
  if (sequence > expected) {
    chain.problem = missing(chain, expected, `The next one there is ${sequence}.`);
  } else if (sequence < expected || (last !== null && entry.id <= last.id)) {
    find('reordered', 'It stands behind an entry that was recorded later, or twice.');
  } else if (hashEntryTexts(workspaceId, last?.hash ?? null, entry) !== entry.hash) {
    find('altered', 'It, or the hash before it, is not what was recorded.');
  } else if (
    !addsUp(last?.onHandAfter, entry.onHandDelta, entry.onHandAfter) ||
    !addsUp(last?.reservedAfter, entry.reservedDelta, entry.reservedAfter) ||
    !addsUp(last?.onOrderAfter, entry.onOrderDelta, entry.onOrderAfter)
  ) {
    find('balance', 'The balances after it are not those before it and its deltas.');
  } else if (sequence === chain.covered?.sequence && entry.hash !== chain.covered.hash) {
    find('rewritten', 'The digest covers another entry here: it, or one before it, was written anew.');
  }
}

/** Says so where entries are gone that the digest covers, however well the rest fits together. */
export function compareCovered(chain: Chain): void {
  const { covered } = chain;
  const reached = reachedBy(chain);
  if (covered === null || reached >= covered.sequence) return;
  const message = `The digest covers ${covered.sequence} entries; there are ${reached}.`;
  chain.problem = problemOf(chain, 'cut', message, null);
}

/** Compares what the entries come to with the position itself, once the chain has reached the position's sequence. */
export function compareChain(chain: Chain, position: PositionProofRow): void {
  if (chain.problem !== null) return;
  const { last } = chain;
  const find = (kind: LedgerProblem['kind'], message: string) => {
    chain.problem = problemOf(chain, kind, message, null);
  };
  const [reached, sequence] = [reachedBy(chain), BigInt(position.sequence)];
  if (reached < sequence) {
    chain.problem = missing(chain, reached + 1n, `The position has ${sequence} entries.`);
  } else if (reached > sequence) {
    find('position', `There are ${reached} entries, and the position knows of ${sequence}.`);
  } else if (last !== null && !isBalanceAfter(last, position)) {
    find('position', 'Its quantities are not the sum of its entries.');
  } else if (last !== null && position.hash !== last.hash) {
    find('position', 'Its hash is not that of its last entry.');
  }
}

/** Entries without a position. */
export function loseChain(chain: Chain): void {
  chain.problem ??= problemOf(chain, 'position', 'There are entries, and no position.', null);
}

function missing(chain: Chain, sequence: bigint, rest: string): LedgerProblem {
  const problem = problemOf(chain, 'missing', `Entry ${sequence} is missing. ${rest}`, null);
  return { ...problem, sequence: Number(sequence) };
}

function problemOf(
  chain: Chain,
  kind: LedgerProblem['kind'],
  message: string,
  entry: EntryProofRow | null,
): LedgerProblem {
  return {
    kind,
    itemEntityId: chain.itemId,
    locationEntityId: chain.locationId,
    sequence: entry === null ? null : Number(entry.sequence),
    entryId: entry?.id ?? null,
    message,
  };
}

const ZERO = '0.000000';
const decimalForm = /^-?\d+\.\d{6}$/;

/** Most movements leave two of the three balances as they are, and equal quantities have equal texts. */
function addsUp(before: string | undefined, delta: string, after: string): boolean {
  if (delta === ZERO) return after === (before ?? ZERO);
  // numeric has values that are no quantities, such as NaN.
  if (!decimalForm.test(delta) || !decimalForm.test(after)) return false;
  return microOfDecimal(before ?? ZERO) + microOfDecimal(delta) === microOfDecimal(after);
}

function isBalanceAfter(entry: EntryProofRow, { onHand, reserved, onOrder }: PositionProofRow): boolean {
  return onHand === entry.onHandAfter && reserved === entry.reservedAfter && onOrder === entry.onOrderAfter;
}
