/** Creates component requirements of a manufacturing line from the structure of its item. */
import { requireComponents as requireOf } from '../builds/require-components.ts';
import { endComponents } from '../builds/settle-components.ts';
import { requirementOfRow } from '../records/requirement.ts';
import { type RequirementRow, selectRequirementsOfLine } from '../records/requirements.sql.ts';
import { defineFeature } from './feature.ts';
import { lineOfTransition, OrderedStateSettings } from './line-stock.ts';

export const requireComponents = defineFeature({
  key: 'requireComponents',
  name: 'Require Components',
  description:
    'Raises a material requirement for each component of what a manufacturing line makes when it enters its ordered state, and cancels what was not issued when it leaves it. Purchase lines have no components.',
  contextTypeId: 1,
  settingsSchema: OrderedStateSettings,
  implemented: true,
  run: async (tx, { happened, settings }) => {
    const line = await lineOfTransition(tx, happened, ['purchaseOrder', 'manufacturingOrder']);
    if (line.type === 'purchaseOrder') return;
    const rows = await tx.query<RequirementRow>(selectRequirementsOfLine, [tx.workspaceId, line.id]);
    const present = rows.map(requirementOfRow).filter(({ status }) => status !== 'cancelled');
    if (happened.toState === settings.orderedState) {
      if (present.length === 0) await requireOf(tx, happened.by.actor, line);
    } else if (happened.fromState === settings.orderedState)
      await endComponents(tx, happened.by, line, happened.note);
  },
});
