/** Links that wait for their parent, as the API shows them (contract §3.4). */
import { z } from 'zod';
import { ListQuery } from '../../http/list.ts';
import { CategoryKey, EntityId, EntityName, EntityNumber, Guid, RevisionLabel } from '../entities.schema.ts';
import { EntityRef } from '../resolve-entity.ts';
import { LinkLineFields, Quantity } from './line.schema.ts';

const exampleGuid = '6f9619ff-8b86-d011-b42d-00c04fc964ff';

export const PendingLink = z
  .object({
    parentGuid: z
      .guid()
      .describe('The GUID that the link waits for: it is created when an entity gets it.')
      .meta({ examples: [exampleGuid] }),
    childEntityId: EntityId.describe('Id of the waiting entity.'),
    childGuid: z
      .guid()
      .nullable()
      .describe("The child's GUID; null if it has none.")
      .meta({ examples: ['7a1b6e0c-52f4-4f5e-8a8b-3b1c5d2e9f01'] }),
    childNumber: EntityNumber.describe('Number of the child; null if it has none.'),
    childName: EntityName.describe('Name of the child.'),
    childCategory: CategoryKey.describe('Key of the category of the child.'),
    childRevision: RevisionLabel.describe('Label of its current revision.'),
    quantity: Quantity,
    ...LinkLineFields,
  })
  .describe('A link requested by a sync whose parent does not exist yet.')
  .meta({ id: 'PendingLink' });
export type PendingLink = z.infer<typeof PendingLink>;

export const PendingLinksQuery = ListQuery.extend({
  parentGuid: Guid.optional()
    .describe('Only links that wait for this GUID, with or without braces, in any case.')
    .meta({ examples: [exampleGuid] }),
  child: EntityRef.optional().meta({
    description: 'Only links of this child: its id, or `guid:` and its GUID.',
  }),
});
export type PendingLinksQuery = z.output<typeof PendingLinksQuery>;

/** Which links are removed together. Nothing at all would be all of them, so that is said. */
export const PendingLinksRemoval = z
  .strictObject({
    parentGuid: PendingLinksQuery.shape.parentGuid,
    child: PendingLinksQuery.shape.child,
    all: z.literal('true').optional().describe('All links of the workspace that wait.'),
  })
  .refine(
    ({ parentGuid, child, all }) => parentGuid !== undefined || child !== undefined || all !== undefined,
    {
      error: 'needs parentGuid, child or all=true',
    },
  );

export const RemovedPendingLinks = z
  .object({
    removed: z
      .int()
      .min(0)
      .describe('Links that were removed.')
      .meta({ examples: [12] }),
    more: z
      .boolean()
      .describe('Whether further links are left: repeat the call.')
      .meta({ examples: [false] }),
  })
  .meta({ id: 'RemovedPendingLinks', description: 'What a removal of several links came to.' });

export const PendingLinkParams = z.strictObject({
  parentGuid: Guid.describe('The GUID that the link waits for.').meta({ examples: [exampleGuid] }),
  childId: EntityRef.meta({ description: 'The waiting child: its id, or `guid:` and its GUID.' }),
});
