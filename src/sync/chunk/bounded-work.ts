/**
 * Bounds the work that the event loop does for a batch. A body of few elements can touch entities of megabytes and
 * thousands of links; code that meets these throws here, and a thread does the work.
 */
import type { Db } from '../../db/connect.ts';
import type { Tx } from '../../db/transaction.ts';

const linksMaxOf = new WeakMap<Db, number>();

class TooMuchHereError extends Error {
  override readonly name = 'TooMuchHereError';
}

/** Transactions of these connections go through so many stored links at most, and read no large entity. */
export function boundWork(db: Db, linksMax: number): void {
  linksMaxOf.set(db, linksMax);
}

/** Throws if there are more than may be processed here. */
export function requireFewLinks(tx: Tx, links: number): void {
  const max = linksMaxOf.get(tx.db);
  if (max !== undefined && links > max) throw new TooMuchHereError('Too many stored links');
}

/** Throws where no large entity is to be read. */
export function requireAnySize(tx: Tx): void {
  if (linksMaxOf.has(tx.db)) throw new TooMuchHereError('A large entity');
}
