/** A sales line gives back what it has not shipped (interface, Movement types). */
import { z } from 'zod';
import { releaseLine } from '../release-line.ts';
import { defineFeature } from './feature.ts';
import { lineOfTransition } from './line-of-transition.ts';

export const releaseSalesLine = defineFeature({
  key: 'releaseSalesLine',
  name: 'Release Sales Line',
  description: 'Releases what a sales line holds reserved.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({}),
  implemented: true,
  run: async (tx, { happened, effects }) => {
    const line = await lineOfTransition(tx, happened, ['salesOrder']);
    await releaseLine(tx, happened.actor, line, happened.note, effects);
  },
});
