/** Tells webhooks of a transition that matters to them (contract §5.5). */
import { z } from 'zod';
import { listeningSlug, recordEvents } from '../../events/record-events.ts';
import { defineFeature } from './feature.ts';

export const notifyWebhook = defineFeature({
  key: 'notifyWebhook',
  name: 'Notify Webhook',
  description:
    'Sends a feature event, `feature` being `notifyWebhook`, to the webhooks and automations that listen to feature events; `parameters` says which transition it was.',
  contextTypeId: 1,
  settingsSchema: z.strictObject({
    event: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('A name for receivers to tell it by; goes into `parameters`.')
      .meta({ title: 'Name of the event', examples: ['part-ready'] }),
  }),
  implemented: true,
  run: async (tx, { happened, settings }) => {
    const workspaceSlug = await listeningSlug(tx, 'feature');
    if (workspaceSlug === null) return;
    const { entity, fromState, toState, note, by } = happened;
    await recordEvents(tx, 'feature', [
      {
        feature: 'notifyWebhook',
        entityId: entity.id,
        entityNumber: entity.number ?? null,
        workspaceSlug,
        parameters: { event: settings.event ?? null, fromState, toState, note },
        triggeredBy: { type: by.actor.type, id: by.actor.id, name: by.actor.name },
      },
    ]);
  },
});
