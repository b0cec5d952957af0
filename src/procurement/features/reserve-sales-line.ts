/** A sales line takes its stock aside (interface, Movement types). */
import { z } from 'zod';
import { reserveSales } from '../reserve-sales.ts';
import { defineFeature } from './feature.ts';
import { lineOfTransition } from './line-of-transition.ts';

export const reserveSalesLine = defineFeature({
  key: 'reserveSalesLine',
  name: 'Reserve Sales Line',
  description:
    'Reserves what a sales line needs at its location. Where less is available the transition is refused.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({}),
  implemented: true,
  run: async (tx, { happened }) => {
    const line = await lineOfTransition(tx, happened, ['salesOrder']);
    await reserveSales(tx, happened.actor, line, happened.note);
  },
});
