/** Why an entity cannot be archived or taken back (contract §3.12). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber } from '../entities/entities.schema.ts';

export const ArchiveReason = z
  .object({
    code: z
      .enum([
        'stock',
        'openLines',
        'openRequirements',
        'unreleasedParents',
        'pendingLinks',
        'locations',
        'archivedChildren',
        'archivedLocation',
        'merged',
        'tooMuch',
      ])
      .describe('Kind of the reason.'),
    message: z.string().describe('The reason in words.'),
    count: z
      .int()
      .describe(
        'How many there are; 1001 for more than 1000. Of `tooMuch` the number of rows at which the search ended.',
      ),
    examples: z
      .array(z.object({ id: EntityId, number: EntityNumber, name: EntityName }))
      .describe('Up to five of them.'),
    onHand: z.number().optional().describe('Of `stock`: On Hand of all these positions.'),
    reserved: z.number().optional().describe('Of `stock`: Reserved.'),
    onOrder: z.number().optional().describe('Of `stock`: On Order.'),
  })
  .describe('A reason against archiving an entity, or against taking it back.');
export type ArchiveReason = z.infer<typeof ArchiveReason>;
