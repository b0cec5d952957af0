/** Fields that messages of webhooks have in common. */
import { z } from 'zod';

export const exampleId = '0199d0f0-0000-7000-8000-000000000030';
export const Moment = z.iso.datetime().meta({ examples: ['2026-11-20T09:30:00.000Z'] });
export const Slug = z.string().meta({ description: 'Slug of the workspace.', examples: ['acme'] });
export const EntityNumber = z
  .string()
  .nullable()
  .meta({ description: 'Number of the entity; null if it has none.', examples: ['A-100'] });
export const id = (description: string) => z.uuid().meta({ description, examples: [exampleId] });
export const count = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [3] });
export const quantity = (description: string) => z.number().meta({ description, examples: [12.5] });
export const optionalId = (description: string) => id(description).nullable();
