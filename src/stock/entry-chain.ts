/** Follows the entries of one position from the first on, and remembers the first thing that is wrong. */
import type { Position } from './decide-movements.ts';
import { hashEntry, type LedgerEntry } from './ledger-entry.ts';
import { addDeltas, type Balance } from './movement.ts';
import type { LedgerProblem } from './stock.schema.ts';

export interface Chain {
  readonly itemId: string;
  readonly locationId: string;
  /** The last entry followed; null before the first. */
  last: LedgerEntry | null;
  problem: LedgerProblem | null;
}

export function startChain({ itemId, locationId }: { itemId: string; locationId: string }): Chain {
  return { itemId, locationId, last: null, problem: null };
}

const empty: Balance = { onHand: 0n, reserved: 0n, onOrder: 0n };

/** Checks the next entry, in order of sequence. After a first problem the rest of the position is not judged. */
export function followChain(workspaceId: string, chain: Chain, entry: LedgerEntry): void {
  const { last, problem } = chain;
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
  const expected = (last?.sequence ?? 0n) + 1n;
  if (entry.sequence > expected) {
    chain.problem = missing(chain, expected, `The next one there is ${entry.sequence}.`);
  } else if (entry.sequence < expected || (last !== null && entry.id <= last.id)) {
    find('reordered', 'It stands behind an entry that was recorded later, or twice.');
  } else if (!hashEntry(workspaceId, last?.hash ?? null, entry).equals(entry.hash)) {
    find('altered', 'It, or the hash before it, is not what was recorded.');
  } else if (
    !sameBalance(addDeltas(last === null ? empty : balanceOf(last), deltasIn(entry)), balanceOf(entry))
  ) {
    find('balance', 'The balances after it are not those before it and its deltas.');
  }
}

/** Compares what the entries come to with the position itself, once the chain has reached the position's sequence. */
export function compareChain(chain: Chain, position: Omit<Position, 'updatedUs'>): void {
  if (chain.problem !== null) return;
  const { last } = chain;
  const find = (kind: LedgerProblem['kind'], message: string) => {
    chain.problem = problemOf(chain, kind, message, null);
  };
  const reached = last?.sequence ?? 0n;
  if (reached < position.sequence) {
    chain.problem = missing(chain, reached + 1n, `The position has ${position.sequence} entries.`);
  } else if (reached > position.sequence) {
    find('position', `There are ${reached} entries, and the position knows of ${position.sequence}.`);
  } else if (last !== null && !sameBalance(balanceOf(last), position)) {
    find('position', 'Its quantities are not the sum of its entries.');
  } else if (last !== null && !(position.hash?.equals(last.hash) ?? false)) {
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
  entry: LedgerEntry | null,
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

function balanceOf(entry: LedgerEntry): Balance {
  return { onHand: entry.onHandAfter, reserved: entry.reservedAfter, onOrder: entry.onOrderAfter };
}

function deltasIn(entry: LedgerEntry) {
  return {
    quantity: entry.quantity,
    onHand: entry.onHandDelta,
    reserved: entry.reservedDelta,
    onOrder: entry.onOrderDelta,
  };
}

function sameBalance(a: Balance, b: Balance): boolean {
  return a.onHand === b.onHand && a.reserved === b.reserved && a.onOrder === b.onOrder;
}
