/** Triggers an automation by its button: records the *feature* event, for this automation alone (interface, Events). */
import type { Actor } from '../../actor.ts';
import type { Tx } from '../../db/transaction.ts';
import { findEntity } from '../../entities/find-entity.ts';
import type { StoredEntity } from '../../entities/show-entity.ts';
import { AppError } from '../../errors.ts';
import { contextTypes } from '../../events/record-events.ts';
import type { Button } from '../button.schema.ts';
import { findOwnAutomation } from '../find-automation.ts';
import { fillIn } from '../form.schema.ts';
import { queueRun } from './queue-run.ts';
import { automationDisabled } from './retry-run.ts';
import { saveActing } from './run-caller.ts';

export interface WantedTrigger {
  automationId: string;
  workspaceSlug: string;
  entityId: string | null;
  parameters: Record<string, unknown>;
}

/**
 * Returns the id of the run, which is queued. Throws `automation_not_found`, `automation_read_only`,
 * `automation_disabled`, `not_a_user_action`, `entity_not_found`, `action_not_offered`, `validation_failed`,
 * `configuration_full`.
 */
export async function triggerAutomation(tx: Tx, caller: Actor, wanted: WantedTrigger): Promise<string> {
  const automation = await findOwnAutomation(tx, wanted.automationId);
  if (automation.contextType !== contextTypes.feature) {
    throw new AppError(
      'not_a_user_action',
      'Only an automation of context type 5 (feature) is fired by a user; the others wait for their events.',
    );
  }
  if (!automation.enabled) throw automationDisabled();
  const entity = wanted.entityId === null ? null : await findEntity(tx, wanted.entityId);
  const { button } = automation;
  if (button != null) requireOffered(button, entity);
  const { workspaceSlug } = wanted;
  const form = button?.parameters;
  const parameters = form === undefined ? wanted.parameters : fillIn(form, wanted.parameters, ['context']);
  const context = {
    feature: automation.name,
    entityId: entity?.id ?? null,
    entityNumber: entity?.number ?? null,
    workspaceSlug,
    parameters,
    triggeredBy: { type: caller.type, id: caller.id, name: caller.name },
  };
  await saveActing(tx, automation, caller);
  return queueRun(tx, {
    automationId: automation.id,
    scriptVersion: automation.scriptVersion,
    contextType: 'feature',
    context,
    triggeredBy: caller.id,
  });
}

/** Throws `action_not_offered` if the category or the state of the entity does not offer the button. */
function requireOffered({ label, categories, states }: Button, entity: StoredEntity | null): void {
  const fits = (names: readonly string[], name: string | undefined) =>
    names.length === 0 || (name !== undefined && names.includes(name));
  if (fits(categories, entity?.category) && fits(states, entity?.state)) return;
  const offering = [
    ...(categories.length > 0 ? [`of the category ${categories.join(', ')}`] : []),
    ...(states.length > 0 ? [`in the state ${states.join(', ')}`] : []),
  ].join(' ');
  const found =
    entity === null
      ? 'Name one as entityId.'
      : `${entity.number ?? entity.name} is a ${entity.category} in the state ${entity.state}.`;
  throw new AppError('action_not_offered', `"${label}" is for entities ${offering}. ${found}`);
}
