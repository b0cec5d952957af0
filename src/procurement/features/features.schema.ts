/** Feature automations as the API shows them (contract §5.2). */
import { z } from 'zod';
import { featureNames } from '../../configuration/feature-names.ts';
import { ListQuery } from '../../http/list.ts';

export const FeatureAutomation = z
  .object({
    id: z
      .enum(featureNames)
      .describe('Its key, which `featureAutomations` of a lifecycle transition uses.')
      .meta({ examples: ['createMaterialRequirement'] }),
    kind: z
      .literal('feature')
      .describe('Built in: it can be attached but not changed.')
      .meta({ examples: ['feature'] }),
    name: z
      .string()
      .describe('Its name.')
      .meta({ examples: ['Create Material Requirement'] }),
    description: z
      .string()
      .describe('Description of its effect.')
      .meta({ examples: ['Raises a requirement.'] }),
    contextTypeId: z
      .int()
      .describe('When it runs: 1, with a lifecycle transition.')
      .meta({ examples: [1] }),
    settingsSchema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema of its settings.')
      .meta({ examples: [{ type: 'object', properties: {}, additionalProperties: false }] }),
    implemented: z
      .boolean()
      .describe('False if attaching it does not yet have the described effect.')
      .meta({ examples: [true] }),
  })
  .describe('A built-in action for lifecycle transitions.')
  .meta({ id: 'FeatureAutomation' });
export type FeatureAutomation = z.output<typeof FeatureAutomation>;

export const FeatureQuery = ListQuery.extend({
  contextTypeId: z.coerce
    .number()
    .int()
    .optional()
    .describe('Only those of this context type.')
    .meta({ examples: [1] }),
});
