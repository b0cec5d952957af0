/** What goes with every change of an automation: its actor, its script's version, who listens. */
import type { Actor } from '../actor.ts';
import type { Tx } from '../db/transaction.ts';
import { contextTypeOf } from '../events/record-events.ts';
import { setListening } from '../events/set-listening.ts';
import type { AutomationRow } from './automation.entity.ts';
import { insertScriptVersion, saveActor } from './automation.sql.ts';

/** Writes the row, and keeps its script where it is a new version. */
export async function saveAutomation(
  tx: Tx,
  actor: Actor,
  row: AutomationRow,
  newScript: boolean,
): Promise<void> {
  await tx.em.flush();
  await tx.query(saveActor, [row.workspaceId, row.id, row.name]);
  if (newScript) {
    await tx.query(insertScriptVersion, [row.workspaceId, row.id, row.scriptVersion, row.script, actor.id]);
  }
  await setListening(tx, row.id, row.enabled ? [contextTypeOf(row.contextType)] : []);
}
