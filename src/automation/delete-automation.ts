/** Deletes an automation; its past runs stay until they are too old. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import { setListening } from '../events/set-listening.ts';
import type { AutomationRow } from './automation.entity.ts';
import { showAutomation } from './show-automation.ts';

/** `row` was read under `lockConfiguration`. */
export async function deleteAutomation(tx: Tx, actor: Actor, row: AutomationRow): Promise<void> {
  const before = showAutomation(row);
  tx.em.remove(row);
  await tx.em.flush();
  await setListening(tx, before.id, []);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'automation',
    subjectKey: before.id,
    before,
    after: null,
  });
}
