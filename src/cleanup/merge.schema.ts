/** Merging an entity into another (contract §3.15). */
import { z } from 'zod';
import { EntityId, EntityName, EntityNumber } from '../entities/entities.schema.ts';
import { EntityRef } from '../entities/resolve-entity.ts';
import { Quantity } from '../entities/structure/line.schema.ts';

/** Assemblies, positions, lots, lines and requirements of one merge, each: all of them change in one transaction. */
export const MERGED_MAX = 1000;
/** Links to children that a merge moves. */
export const MERGED_CHILDREN_MAX = 10_000;
/** Merged entities with a GUID of a workspace. Each sync reads them with the configuration. */
export const ALIASES_MAX = 20_000;
/** Assemblies that an answer shows. */
export const MERGED_SHOWN_MAX = 20;

export const Merging = z
  .strictObject({
    from: EntityRef.describe('The entity that is merged and archived: its id, or `guid:` and its GUID.'),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe('Why, for the audit trail.')
      .meta({ examples: ['Entered twice'] }),
    dryRun: z
      .boolean()
      .default(false)
      .describe('Only report what would change. Nothing is written.')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'EntityMerge' });

export const MergeReason = z
  .object({
    code: z
      .enum([
        'merged',
        'archived',
        'category',
        'baseUnit',
        'tracking',
        'cycle',
        'imports',
        'tooMuch',
        'quantity',
        'stock',
        'lots',
        'revisionOfLine',
        'forecasts',
      ])
      .describe('Kind of the reason.'),
    message: z.string().describe('The reason in words.'),
  })
  .describe('A reason against a merge.');
export type MergeReason = z.infer<typeof MergeReason>;

const counted = (what: string) => z.int().describe(`Number of ${what}.`);

export const Merged = z
  .object({
    dryRun: z.boolean().describe('Whether nothing was written.'),
    into: EntityId.describe('Id of the entity that stays.'),
    from: EntityId.describe(
      'Id of the entity that is merged: it is archived and keeps its ledger and its history.',
    ),
    reasons: z.array(MergeReason).describe('Reasons against the merge. Only a dry run reports any.'),
    aliases: z
      .object({
        guid: z
          .guid()
          .nullable()
          .describe('GUID that becomes an alias; null if it has none, or the entity that stays takes it.'),
        number: EntityNumber.describe('Number that becomes an alias; null if it has none.'),
        further: counted('aliases that it had itself and that move along'),
      })
      .describe('Names by which the entity that stays is found, too.'),
    parents: z
      .object({
        count: counted('assemblies that use it'),
        revised: counted('those that are released and get a new revision'),
        examples: z
          .array(
            z.object({
              entityId: EntityId,
              number: EntityNumber,
              name: EntityName,
              revised: z.boolean().describe('Whether it gets a new revision.'),
              quantity: Quantity.describe('Quantity of the merged entity.'),
              quantityAfter: Quantity.describe('Quantity of the entity that stays.'),
            }),
          )
          .describe(`Up to ${MERGED_SHOWN_MAX} of them.`),
      })
      .describe('Assemblies, archived ones too, that use the entity that stays instead.'),
    children: z
      .object({
        moved: counted('links to children that move'),
        left: counted(
          'links to children that stay with the merged entity, because the entity that stays has children of its own',
        ),
        revised: z
          .boolean()
          .describe('Whether the entity that stays gets a new revision, because it is released.'),
      })
      .describe('Structure of the merged entity.'),
    pendingLinks: counted('links that wait for a parent'),
    lines: counted('open order lines that move'),
    requirements: counted('open requirements that move'),
    supplierParts: counted('supplier parts; one that the entity that stays has, too, is left'),
    planning: z
      .enum(['none', 'moved', 'left'])
      .describe(
        'Planning of the merged item: there is none, it moves, or it is left because the entity that stays has its own.',
      )
      .meta({ examples: ['moved'] }),
    forecasts: counted('forecasts that move; the quantities of two with the same span are added up'),
    stock: z
      .object({
        positions: counted('locations at which it has stock'),
        onHand: z.number().describe('On Hand of all these positions.'),
        reserved: z.number().describe('Reserved.'),
        onOrder: z.number().describe('On Order.'),
        lots: counted('lots and serial numbers in stock'),
        entries: counted('ledger entries'),
      })
      .describe('Stock that moves by entries of the ledger, all with one booking id.'),
  })
  .describe('An entity that was merged into another.')
  .meta({ id: 'MergedEntity' });
export type Merged = z.infer<typeof Merged>;
