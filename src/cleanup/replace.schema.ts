/** Replacing a part by another in many assemblies (contract §3.13). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber, RevisionLabel } from '../entities/entities.schema.ts';
import { EntityRef } from '../entities/resolve-entity.ts';
import { LinkLineFields, Quantity } from '../entities/structure/line.schema.ts';

/** Assemblies of one call: they are changed in one transaction, which keeps other writers of the structure waiting. */
export const REPLACED_PARENTS_MAX = 1000;

export const Replacement = z
  .strictObject({
    by: EntityRef.describe('The part that is used instead: its id, or `guid:` and its GUID.'),
    parents: z
      .array(EntityRef)
      .min(1)
      .max(REPLACED_PARENTS_MAX)
      .optional()
      .describe(
        `Only in these assemblies, at most ${REPLACED_PARENTS_MAX}; by default in all that use the part and are not archived.`,
      ),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .describe('Why, for the audit trail of each assembly.')
      .meta({ examples: ['The supplier discontinued it'] }),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Only report what would change. Nothing is written.')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'PartReplacement' });

const ReplacedIn = z.object({
  entityId: EntityId.describe('Id of the assembly.'),
  number: EntityNumber.describe('Number of the assembly; null if it has none.'),
  name: EntityName.describe('Name of the assembly.'),
  revision: RevisionLabel.describe('Label of the revision that has the other part.'),
  revised: z.boolean().describe('Whether that revision is new, because the assembly was released.'),
  quantity: Quantity.describe('Quantity of the part that is replaced.'),
  quantityAfter: Quantity.describe(
    'Quantity of the part that is used instead: more if the assembly used it before, too.',
  ),
  ...LinkLineFields,
  problem: z
    .string()
    .nullable()
    .describe('Why it cannot be replaced in this assembly; null if it can. Only a dry run reports problems.'),
});

export const Replaced = z
  .object({
    dryRun: z.boolean().describe('Whether nothing was written.'),
    from: EntityId.describe('Id of the part that is replaced.'),
    by: EntityId.describe('Id of the part that is used instead.'),
    revised: z.int().describe('Number of assemblies with a new revision.'),
    parents: z.array(ReplacedIn).describe('The assemblies, in order of their ids.'),
  })
  .describe('A part that was replaced by another in assemblies.')
  .meta({ id: 'ReplacedPart' });
export type Replaced = z.infer<typeof Replaced>;
