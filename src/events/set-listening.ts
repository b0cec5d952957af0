/** Keeps in step who listens to what: in the transaction that makes, changes or removes a listener. */
import type { Tx } from '../db/transaction.ts';
import { replaceListening } from './outbox.sql.ts';
import { type EventKind, numberOfEvent } from './record-events.ts';

/** The listener hears these and no others; none at all where it is disabled or gone. */
export async function setListening(tx: Tx, listenerId: string, kinds: readonly EventKind[]): Promise<void> {
  const numbers = kinds.map(numberOfEvent);
  await tx.query(replaceListening, [tx.workspaceId, listenerId, numbers]);
}
