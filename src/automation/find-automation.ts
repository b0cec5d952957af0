/** Finds an automation, of the workspace or of the service. */
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { AutomationRow } from './automation.entity.ts';
import type { Automation } from './automation.schema.ts';
import { showAutomation } from './show-automation.ts';
import { findSystemAutomation } from './system-automations.ts';

/** Finds an automation to change it. Throws `automation_read_only` for a system one, `automation_not_found`. */
export async function findOwnAutomation(tx: Tx, id: string): Promise<AutomationRow> {
  if (findSystemAutomation(id) !== null) {
    throw new AppError(
      'automation_read_only',
      'A system automation is read-only. Clone it to get a copy that can be changed.',
    );
  }
  const row = await tx.em.findOne(AutomationRow, { workspaceId: tx.workspaceId, id });
  if (row === null) throw automationNotFound(id);
  return row;
}

/** Finds an automation of any kind. Throws `automation_not_found`. */
export async function findAutomation(
  tx: Tx,
  id: string,
): Promise<{ automation: Automation; row: AutomationRow | null }> {
  const system = findSystemAutomation(id);
  if (system !== null) return { automation: system, row: null };
  const row = await findOwnAutomation(tx, id);
  return { automation: showAutomation(row), row };
}

function automationNotFound(id: string): AppError {
  return new AppError('automation_not_found', `There is no automation ${id} in this workspace.`);
}
