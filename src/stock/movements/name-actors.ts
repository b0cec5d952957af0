/** Keeps the actors of entries that are no API keys. */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { ensureActors } from './record-requests.sql.ts';

export function nameActors(tx: Tx, actors: ReadonlyMap<string, Actor>): void {
  if (actors.size === 0) return;
  const rows = [...actors.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  tx.withCommit(
    tx.query(ensureActors, [
      tx.workspaceId,
      rows.map((actor) => actor.id),
      rows.map((actor) => actor.type),
      rows.map((actor) => actor.name),
    ]),
  );
}
