/** A user presses the button of an automation: the *feature* event, for it alone (interface, Events). */
import type { Tx } from '../../db/transaction.ts';
import { findEntity } from '../../entities/find-entity.ts';
import { AppError } from '../../errors.ts';
import { contextTypes } from '../../events/record-events.ts';
import { findOwnAutomation } from '../find-automation.ts';
import { queueRun } from './queue-run.ts';
import { automationDisabled } from './retry-run.ts';

export interface WantedTrigger {
  automationId: string;
  workspaceSlug: string;
  entityId: string | null;
  parameters: Record<string, unknown>;
}

/**
 * Returns the id of the run, which is queued. Throws `automation_not_found`, `automation_read_only`,
 * `automation_disabled`, `not_a_user_action`, `entity_not_found`.
 */
export async function triggerAutomation(tx: Tx, wanted: WantedTrigger): Promise<string> {
  const automation = await findOwnAutomation(tx, wanted.automationId);
  if (automation.contextType !== contextTypes.feature) {
    throw new AppError(
      'not_a_user_action',
      'Only an automation of context type 5 (feature) is fired by a user; the others wait for their events.',
    );
  }
  if (!automation.enabled) throw automationDisabled();
  const entity = wanted.entityId === null ? null : await findEntity(tx, wanted.entityId);
  const { workspaceSlug, parameters } = wanted;
  const context = {
    feature: automation.name,
    entityId: entity?.id ?? null,
    entityNumber: entity?.number ?? null,
    workspaceSlug,
    parameters,
  };
  return queueRun(tx, {
    automationId: automation.id,
    scriptVersion: automation.scriptVersion,
    contextType: 'feature',
    context,
  });
}
