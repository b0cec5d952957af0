/** The structure of assemblies as the API shows and takes it (contract §3.4). */
import { z } from 'zod';
import { ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import {
  Archived,
  CategoryKey,
  EntityId,
  EntityName,
  EntityNumber,
  EntityPicture,
  RevisionLabel,
  StateName,
} from '../entities.schema.ts';
import { linkLimits } from '../links/link-line.ts';
import { EntityRef } from '../resolve-entity.ts';
import { Configuration, configuredFields, RevisionsUsing } from './configuration.schema.ts';
import { GivenLine, givenLine, givenQuantity, LinkLineFields, Quantity } from './line.schema.ts';

/** The identity, state and revision of an entity in a structure (read-named.ts). */
const NamedFields = {
  number: EntityNumber,
  name: EntityName,
  category: CategoryKey,
  state: StateName,
  revision: RevisionLabel.describe('Label of its current revision.'),
  archived: z
    .boolean()
    .describe('Whether it is archived.')
    .meta({ examples: [false] }),
  picture: EntityPicture,
};

export const Use = z
  .object({
    entityId: EntityId,
    ...NamedFields,
    ...configuredFields,
    quantity: Quantity,
    ...LinkLineFields,
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

export const UnitWarning = z
  .object({
    code: z
      .enum(['unit_unknown', 'quantity_out_of_range'])
      .describe(
        '`unit_unknown`: the child does not know the unit of the line. `quantity_out_of_range`: the line is too many base units.',
      )
      .meta({ examples: ['unit_unknown'] }),
    property: z
      .enum(['unit', 'quantity'])
      .describe('The field of the line.')
      .meta({ examples: ['unit'] }),
    message: z
      .string()
      .describe('What is wrong, and what to do.')
      .meta({
        examples: [
          'The item does not know the unit "bunch": its base unit is mm. The quantity counts as it is. Define the unit of the item.',
        ],
      }),
  })
  .meta({ id: 'UnitWarning' });

/** A child with its line. */
export const CheckedUse = Use.extend({
  warnings: z
    .array(UnitWarning)
    .describe(
      'Units of its lines with which its quantity counts as if it were in the base unit of the child.',
    ),
})
  .describe('A child of an assembly, and what is wrong with the units of its lines.')
  .meta({ id: 'CheckedUse' });
export type CheckedUse = z.output<typeof CheckedUse>;

export const UseParams = z.strictObject({
  id: EntityRef,
  childId: EntityRef.meta({ description: 'The child: its id, or `guid:` and its GUID.' }),
});

/** The child itself may be changed while its line is edited, and is no part of the line. */
const ofChild = [
  'number',
  'name',
  'category',
  'state',
  'revision',
  'archived',
  'picture',
  'hasChildren',
  'hasParents',
  'warnings',
] as const;

export const UseQuantity = z
  .strictObject({
    quantity: givenQuantity,
    ...givenLine,
    lines: z
      .array(GivenLine)
      .min(1)
      .max(linkLimits.linesMax)
      .optional()
      .describe(
        `All lines of the child, at most ${linkLimits.linesMax}, told apart by their find numbers. \`quantity\` must be their sum; the other fields of the body are ignored. A line that is stored with this find number keeps the fields that are absent.`,
      )
      .meta({ examples: [[{ quantity: 1, findNumber: '10' }]] }),
    ...readOnly(CheckedUse, ['entityId', ...ofChild], { drifting: ofChild }),
  })
  .meta({ id: 'UseQuantity' });
export type UseQuantity = z.output<typeof UseQuantity>;

export const FindUsesQuery = ListQuery.extend({
  referenceDesignator: z
    .string()
    .trim()
    .min(1)
    .max(linkLimits.designatorCharsMax)
    .describe('The complete designator; the letters A to Z in any case.')
    .meta({ examples: ['R17'] }),
  parent: EntityRef.optional().meta({
    description: 'Only in this assembly: its id, or `guid:` and its GUID.',
  }),
});
export type FindUsesQuery = z.output<typeof FindUsesQuery>;

export const FoundUse = z
  .object({
    parentEntityId: EntityId.describe('Id of the assembly.'),
    parentNumber: EntityNumber.describe('Number of the assembly; null if it has none.'),
    parentName: EntityName.describe('Name of the assembly.'),
    parentRevision: RevisionLabel.describe('Label of its current revision.'),
    childEntityId: EntityId.describe('Id of the part in it.'),
    childNumber: EntityNumber.describe('Number of the part; null if it has none.'),
    childName: EntityName.describe('Name of the part.'),
    childRevision: RevisionLabel.describe('Label of its current revision.'),
    quantity: Quantity,
    ...LinkLineFields,
  })
  .describe('A link in the structure, with both ends.')
  .meta({ id: 'FoundUse' });
export type FoundUse = z.infer<typeof FoundUse>;

export const UsesQuery = ListQuery.extend({ configuration: Configuration });
export type UsesQuery = z.output<typeof UsesQuery>;

export const ParentsQuery = ListQuery.extend({ archived: Archived, revisions: RevisionsUsing });

export const TreeQuery = z.strictObject({
  depth: z.coerce
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Levels below the root; by default the whole tree. `hasChildren` says where there is more.')
    .meta({ examples: [2] }),
  configuration: Configuration,
});

export const TreeItem = z
  .object({
    level: z
      .int()
      .min(0)
      .describe('Level below the root, which has 0.')
      .meta({ examples: [1] }),
    path: z
      .string()
      .describe(
        'Position in the tree: the positions among the siblings, from 1, at each level, joined by dots; `0` is the root.',
      )
      .meta({ examples: ['2.1'] }),
    entityId: EntityId,
    parentId: z
      .uuid()
      .nullable()
      .describe('Id of the parent in the tree; null at the root.')
      .meta({ examples: ['0199d0f0-0000-7000-8000-000000000002'] }),
    ...NamedFields,
    ...configuredFields,
    quantity: Quantity.describe('Quantity in one parent; 1 at the root.'),
    ...LinkLineFields,
    extendedQuantity: z
      .number()
      .describe('Quantity in one root along this path: the exact product, in decimal.')
      .meta({ examples: [8] }),
    hasChildren: z
      .boolean()
      .describe('Whether it has children, shown or not.')
      .meta({ examples: [true] }),
  })
  .describe('An occurrence of an entity in the exploded tree.')
  .meta({ id: 'TreeItem' });
export type TreeItem = z.infer<typeof TreeItem>;

export const Tree = z
  .object({ items: z.array(TreeItem).describe('In pre-order, the root first.') })
  .describe('The exploded tree.')
  .meta({ id: 'Tree' });

export const WhereUsedQuery = z.strictObject({
  archived: Archived,
  revisions: RevisionsUsing,
  top: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Only assemblies that are not used themselves.', examples: ['true'] }),
  linksMax: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe('Refuse the call if more links than this lead up; by default the limit of the service.')
    .meta({ examples: [10_000] }),
});
export type WhereUsedQuery = z.output<typeof WhereUsedQuery>;

export const Assembly = z
  .object({
    level: z
      .int()
      .min(1)
      .describe('Minimum number of levels above the entity; its parents have 1.')
      .meta({ examples: [2] }),
    entityId: EntityId,
    ...NamedFields,
    extendedQuantity: z
      .number()
      .describe(
        'Total quantity of the entity in one of the assembly, over all paths: the sum of the products, in decimal.',
      )
      .meta({ examples: [8] }),
    hasParents: z
      .boolean()
      .describe('Whether it is used itself.')
      .meta({ examples: [false] }),
  })
  .describe('An assembly that contains an entity, at any level.')
  .meta({ id: 'Assembly' });
export type Assembly = z.infer<typeof Assembly>;

export const Assemblies = z
  .object({ items: z.array(Assembly).describe('Each once, nearest first.') })
  .describe('All assemblies that contain an entity.')
  .meta({ id: 'Assemblies' });
