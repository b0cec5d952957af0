/** Makes an automation of the workspace. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { newId } from '../db/ids.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { AutomationRow } from './automation.entity.ts';
import type { NewAutomation } from './automation.schema.ts';
import { databaseNow } from './database-now.ts';
import { saveAutomation } from './save-automation.ts';
import { showAutomation } from './show-automation.ts';

/** The script has been checked. Throws `configuration_full`. */
export async function createAutomation(
  tx: Tx,
  actor: Actor,
  wanted: NewAutomation,
  limits: { AUTOMATIONS_MAX: number },
): Promise<AutomationRow> {
  await lockConfiguration(tx);
  const { workspaceId } = tx;
  const limit = limits.AUTOMATIONS_MAX;
  if ((await tx.em.count(AutomationRow, { workspaceId })) >= limit) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${limit} automations, which is as many as it can have. Delete some.`,
      extensions: { limit },
    });
  }
  const { contextTypeId: contextType, ...values } = wanted;
  const row = tx.em.create(AutomationRow, {
    workspaceId,
    id: newId(),
    ...values,
    contextType,
    scriptVersion: 1,
    enabledAt: wanted.enabled ? new Date(await databaseNow(tx)) : null,
  });
  await saveAutomation(tx, actor, row, true);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'automation',
    subjectKey: row.id,
    before: null,
    after: showAutomation(row),
  });
  return row;
}
