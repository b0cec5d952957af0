/** On Order follows purchase and manufacturing lines (interface, Movement types). */
import { z } from 'zod';
import { orderSupply } from '../order-supply.ts';
import { releaseLine } from '../release-line.ts';
import { defineFeature } from './feature.ts';
import { lineOfTransition } from './line-of-transition.ts';

export const updateOnOrderStock = defineFeature({
  key: 'updateOnOrderStock',
  name: 'Update On-Order Stock',
  description:
    'Raises On Order by what a purchase or manufacturing line has still to receive when it enters its ordered state, and takes down what is still open when it leaves it.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({
    orderedState: z
      .string()
      .min(1)
      .max(255)
      .default('Ordered')
      .describe('Name of the state in which a line is on order.')
      .meta({ examples: ['Ordered'] }),
  }),
  implemented: true,
  run: async (tx, { happened, settings, effects }) => {
    const line = await lineOfTransition(tx, happened, ['purchaseOrder', 'manufacturingOrder']);
    const { toState, fromState, note, actor } = happened;
    if (toState === settings.orderedState) await orderSupply(tx, actor, line, note, effects);
    else if (fromState === settings.orderedState) await releaseLine(tx, actor, line, note, effects);
  },
});
