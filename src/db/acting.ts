/**
 * The actor on whose behalf a transaction writes: members are not told of their own changes. It goes with the transaction and not through
 * every function between.
 */
import type { AnyTx } from './transaction.ts';

const actors = new WeakMap<AnyTx, string>();

export function setActor(tx: AnyTx, actorId: string): void {
  actors.set(tx, actorId);
}

/** Returns null where several act, or the service itself. */
export function actorOf(tx: AnyTx): string | null {
  return actors.get(tx) ?? null;
}
