/** The structure of assemblies as the API shows and takes it (contract §3.4). */
import { z } from 'zod';
import { ListQuery } from '../../http/list.ts';
import {
  CategoryKey,
  EntityId,
  EntityName,
  EntityNumber,
  RevisionLabel,
  StateName,
} from '../entities.schema.ts';
import { EntityRef } from '../resolve-entity.ts';

const Quantity = z
  .number()
  .describe('How many of the child one of the parent takes; at most 9 integer and 6 fractional digits.')
  .meta({ examples: [4] });

export const Use = z
  .object({
    entityId: EntityId,
    number: EntityNumber,
    name: EntityName,
    category: CategoryKey,
    state: StateName,
    revision: RevisionLabel.describe('Label of its current revision.'),
    quantity: Quantity,
    hasChildren: z
      .boolean()
      .describe('Whether it has children of its own.')
      .meta({ examples: [false] }),
    hasParents: z
      .boolean()
      .describe('Whether it is used anywhere.')
      .meta({ examples: [true] }),
  })
  .describe('The other end of a link in the structure: a child in `uses`, a parent in `where-used`.')
  .meta({ id: 'Use' });
export type Use = z.infer<typeof Use>;

export const UseParams = z.strictObject({
  id: EntityRef,
  childId: EntityRef.meta({ description: 'The child: its id, or `guid:` and its GUID.' }),
});

export const UseQuantity = z
  .strictObject({
    quantity: z
      .number()
      .describe(
        'How many of the child one of the parent takes: above 0, at most 9 integer and 6 fractional digits.',
      )
      .meta({ examples: [0.5] }),
  })
  .meta({ id: 'UseQuantity' });

export const UsesQuery = ListQuery;
export type UsesQuery = z.output<typeof UsesQuery>;

export const TreeQuery = z.strictObject({
  depth: z.coerce
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe(
      'Levels below the root; the whole tree where it is absent. `hasChildren` says where there is more.',
    )
    .meta({ examples: [2] }),
});

export const TreeItem = z
  .object({
    level: z
      .int()
      .min(0)
      .describe('Levels below the root, which has 0.')
      .meta({ examples: [1] }),
    path: z
      .string()
      .describe(
        'Place in the tree: the place among the siblings, from 1, at each level, joined by dots; `0` is the root.',
      )
      .meta({ examples: ['2.1'] }),
    entityId: EntityId,
    parentId: z
      .uuid()
      .nullable()
      .describe('Id of the parent in the tree; null at the root.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
    number: EntityNumber,
    name: EntityName,
    category: CategoryKey,
    state: StateName,
    revision: RevisionLabel.describe('Label of its current revision.'),
    quantity: Quantity.describe('How many one of the parent takes; 1 at the root.'),
    extendedQuantity: z
      .number()
      .describe('How many one of the root takes along this path: the exact product, in decimal.')
      .meta({ examples: [8] }),
    hasChildren: z
      .boolean()
      .describe('Whether it has children, shown or not.')
      .meta({ examples: [true] }),
  })
  .describe('One occurrence of an entity in the exploded tree.')
  .meta({ id: 'TreeItem' });
export type TreeItem = z.infer<typeof TreeItem>;

export const Tree = z
  .object({ items: z.array(TreeItem).describe('In pre-order, the root first.') })
  .describe('The exploded tree.')
  .meta({ id: 'Tree' });
