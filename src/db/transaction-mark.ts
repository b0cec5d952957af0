/**
 * Inside a transaction nothing is waited for but its own connection: whoever waits there for a thread, a queue, the
 * network or a second connection holds a connection and locks for as long as that takes, and where all connections are
 * held by such waiters nobody ever goes on. The mark travels with the work; what must not be waited for asks for it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface TransactionMark {
  /**
   * Whether the transaction has ended: what was started inside and continues (a timer, a connection) is no longer
   * in it.
   */
  isOver: boolean;
  /** Scripts run in it, and their calls belong to it. */
  readonly runsScripts: boolean;
}

const marks = new AsyncLocalStorage<TransactionMark>();

/** Does the work inside the marked transaction. */
export function insideTransaction<T>(mark: TransactionMark, work: () => Promise<T>): Promise<T> {
  return marks.run(mark, work);
}

/** Throws where the caller is inside a transaction: a mistake of ours, and a stall of everybody under load. */
export function refuseInTransaction(what: string): void {
  const mark = marks.getStore();
  if (mark === undefined || mark.isOver) return;
  throw new Error(`${what} inside a transaction: nothing is awaited there but the database`);
}

/** Refuses to run scripts in a transaction that was not opened for them. */
export function refuseScriptsInTransaction(): void {
  if (marks.getStore()?.runsScripts !== true) refuseInTransaction('A script is run');
}
