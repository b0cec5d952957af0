/** Replaces what an automation is made of; another script is another version of it. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Tx } from '../db/transaction.ts';
import type { AutomationRow } from './automation.entity.ts';
import type { AutomationReplacement } from './automation.schema.ts';
import { databaseNow } from './database-now.ts';
import { saveAutomation } from './save-automation.ts';
import { showAutomation } from './show-automation.ts';

/** `row` was read under `lockConfiguration`, and the script has been checked. */
export async function replaceAutomation(
  tx: Tx,
  actor: Actor,
  row: AutomationRow,
  wanted: AutomationReplacement,
): Promise<void> {
  const before = showAutomation(row);
  const { name, description, contextTypeId, script, enabled } = wanted;
  const values = { name, description, contextTypeId, script, enabled };
  if (isDeepStrictEqual({ ...before, ...values }, before)) return;
  const newScript = script !== row.script;
  // Events from before it listened to them are not for it.
  const listensAnew = enabled && (!row.enabled || contextTypeId !== row.contextType);
  tx.em.assign(row, {
    name,
    description,
    contextType: contextTypeId,
    script,
    scriptVersion: row.scriptVersion + (newScript ? 1 : 0),
    enabled,
    enabledAt: listensAnew ? new Date(await databaseNow(tx)) : enabled ? (row.enabledAt ?? null) : null,
  });
  await saveAutomation(tx, actor, row, newScript);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'automation',
    subjectKey: row.id,
    before,
    after: showAutomation(row),
  });
}
