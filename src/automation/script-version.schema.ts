/** A version of an automation's script as the API shows it. */
import { z } from 'zod';
import { actorTypes } from '../actor.ts';

export const ScriptVersion = z
  .object({
    version: z.int().meta({ description: 'Version, from 1.', examples: [1] }),
    script: z
      .string()
      .meta({ description: 'The script of this version.', examples: ['return context.entityId;'] }),
    createdAt: z.iso
      .datetime()
      .describe('When it was saved, UTC.')
      .meta({ examples: ['2026-11-20T09:30:00.000Z'] }),
    createdBy: z
      .object({
        type: z.enum(actorTypes).meta({ examples: ['apiKey'] }),
        id: z.string().meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
        name: z.string().meta({ examples: ['CAD connector'] }),
      })
      .describe('The caller that saved it.'),
  })
  .meta({ id: 'ScriptVersion' });
export type ScriptVersion = z.infer<typeof ScriptVersion>;
