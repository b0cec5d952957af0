/**
 * Events leave a transaction through the outbox, in the same transaction as their cause, many in a row; and
 * only where somebody listens, so that a workspace without automations pays nothing.
 */
import { constants, zstdCompressSync } from 'node:zlib';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';

/** The numeric context types of the interface (contract §5). */
export const contextTypes = {
  lifecycleTransition: 1,
  importCompleted: 2,
  entityCreated: 3,
  entityUpdated: 4,
  feature: 5,
} as const;

export type ContextType = keyof typeof contextTypes;

/** The context types that some enabled automation or webhook of the workspace listens to. */
export async function listenedTo(tx: Tx, workspaceId: string): Promise<ReadonlySet<ContextType>> {
  const rows = await tx.query<{ context_type: number }>(
    'select context_type from event_listener where workspace_id = $1',
    [workspaceId],
  );
  const numbers = new Set(rows.map((row) => row.context_type));
  const names = Object.keys(contextTypes) as ContextType[];
  return new Set(names.filter((name) => numbers.has(contextTypes[name])));
}

/** Writes events of one context type; each is the `context` object that automations receive. */
export async function recordEvents(
  tx: Tx,
  workspaceId: string,
  contextType: ContextType,
  events: readonly object[],
): Promise<void> {
  if (events.length === 0) return;
  const packed = zstdCompressSync(Buffer.from(JSON.stringify(events)), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  await tx.query(
    `insert into outbox (workspace_id, id, context_type, events, event_count) values ($1, $2, $3, $4, $5)`,
    [workspaceId, newId(), contextTypes[contextType], packed, events.length],
  );
}
