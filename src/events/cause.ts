/**
 * The run of an automation that causes the events of a transaction. It goes with the transaction and not through every function
 * between, because no writer of entities has to know of it.
 */
import type { Tx } from '../db/transaction.ts';

export interface Cause {
  runId: string;
  /** The depth of the events that it causes: 1 if no script has caused the run's own event. */
  depth: number;
  /** The row of the outbox that the chain began with. */
  rootId: string;
}

const causes = new WeakMap<Tx, Cause>();

/** Sets the cause of what follows; null for none. */
export function setCause(tx: Tx, cause: Cause | null): void {
  if (cause === null) causes.delete(tx);
  else causes.set(tx, cause);
}

export function causeOf(tx: Tx): Cause | null {
  return causes.get(tx) ?? null;
}
