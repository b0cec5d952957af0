/** Creates component requirements of a manufacturing line from the structure of its item. */
import { forgettingRows } from '../../db/forget-rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { exactOf, exactOfDecimal, MICRO_MAX, microUp, times } from '../../quantity.ts';
import { lockRequirement } from '../records/find-procured.ts';
import { followState } from '../records/follow-state.ts';
import type { Line } from '../records/line.ts';
import { type Requirement, requirementOfRow, requirementStates } from '../records/requirement.ts';
import { type RequirementRow, selectRequirementsOfLine } from '../records/requirements.sql.ts';
import { createRequirements } from '../requirements/raise-requirements.ts';
import { selectComponents } from '../shortages/structure.sql.ts';
import { defineFeature, type FeatureRun } from './feature.ts';
import { lineOfTransition, OrderedStateSettings } from './line-stock.ts';

export const requireComponents = defineFeature({
  key: 'requireComponents',
  name: 'Require Components',
  description:
    'Raises a material requirement for each component of what a manufacturing line makes when it enters its ordered state, and cancels what was not issued when it leaves it. Purchase lines have no components.',
  contextTypeId: 1,
  settingsSchema: OrderedStateSettings,
  implemented: true,
  run: async (tx, given) => {
    const { happened, settings } = given;
    const line = await lineOfTransition(tx, happened, ['purchaseOrder', 'manufacturingOrder']);
    if (line.type === 'purchaseOrder') return;
    const rows = await tx.query<RequirementRow>(selectRequirementsOfLine, [tx.workspaceId, line.id]);
    const present = rows.map(requirementOfRow).filter(({ status }) => status !== 'cancelled');
    if (happened.toState === settings.orderedState) {
      if (present.length === 0) await raise(tx, line, given);
    } else if (happened.fromState === settings.orderedState) await end(tx, present, given);
  },
});

async function raise(tx: Tx, line: Line, { happened }: FeatureRun<unknown>): Promise<void> {
  const components = await tx.query<{ id: string; quantity: string; name: string }>(selectComponents, [
    tx.workspaceId,
    line.itemId,
  ]);
  const open = exactOf(line.quantity - line.received);
  const wanted = components.map(({ id, quantity, name }) => ({
    actor: happened.by.actor,
    project: null,
    line,
    item: { id, number: null, name },
    amount: microUp(times(open, exactOfDecimal(quantity))),
    requiredBy: line.requiredBy,
  }));
  if (wanted.some(({ amount }) => amount > MICRO_MAX)) {
    throw new AppError(
      'feature_failed',
      'A component would be required in a quantity beyond what one can be.',
    );
  }
  await createRequirements(tx, wanted);
}

/** In order of their ids, as they are read. What has been issued to the last stays as it is. */
async function end(
  tx: Tx,
  present: readonly Requirement[],
  { happened }: FeatureRun<unknown>,
): Promise<void> {
  const { by, note } = happened;
  for (const { id } of present) {
    await forgettingRows(tx, async () => {
      const { issued, required } = await lockRequirement(tx, id);
      if (issued < required)
        await followState(tx, by, { entity: id, toState: requirementStates.cancelled, note });
    });
  }
}
