/** Schemas of a project's shortages. */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { MaterialRequirement } from '../records/requirements.schema.ts';
import { amount, givenDate, idOf, numberText } from '../records/text.schema.ts';

const name = (what: string) =>
  z
    .string()
    .describe(what)
    .meta({ examples: ['Bearing block'] });

export const Shortage = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: name("The item's name."),
    isAssembly: z
      .boolean()
      .describe('Whether it has children: to be made rather than bought.')
      .meta({ examples: [false] }),
    requiredQty: amount('Quantity that the structure needs, over all paths.', 24),
    neededQty: amount('The same without components of assemblies that are in stock or on order.', 20),
    reservedQty: amount('Reserved or issued for requirements of the project.', 4),
    availableQty: amount('Available at all locations; negative if a count found less than is reserved.', 6),
    onOrderQty: amount('On order at all locations.', 2),
    shortageQty: amount(
      'neededQty − reservedQty − availableQty − onOrderQty, if that is above 0 and some are needed.',
      8,
    ),
    openRequirementQty: amount("Open Qty of the project's requirements for it.", 0),
    usedIn: z
      .array(
        z.object({
          entityId: idOf('The parent, or the project itself.'),
          number: numberText("The parent's number.", 'ASM-000007'),
          name: name("The parent's name."),
          quantity: amount('Quantity of the item in one parent.', 4),
          requiredQty: amount('Quantity that all of these parents in the project need.', 24),
        }),
      )
      .describe('Uses in the project.'),
  })
  .describe('An item of which a project is short.')
  .meta({ id: 'Shortage' });
export type Shortage = z.output<typeof Shortage>;

export const ProjectShortages = z
  .object({
    projectId: idOf('The project.'),
    items: z.array(Shortage).describe('Assemblies before their components.'),
    itemCount: z
      .int()
      .describe('Number of items in the structure, short or not.')
      .meta({ examples: [180] }),
  })
  .meta({ id: 'ProjectShortages' });

export const ProjectParams = z.strictObject({ id: EntityRef.meta({ description: 'The project.' }) });

export const ShortageQuery = z.object({
  all: z.enum(['true', 'false']).default('false').describe('Include items without a shortage.'),
});

export const ShortageRequirements = z
  .strictObject({
    itemEntityIds: z
      .array(EntityRef)
      .max(10_000)
      .optional()
      .describe('Only for these items; by default for all that are short.'),
    leavesOnly: z
      .boolean()
      .default(false)
      .describe('Exclude assemblies.')
      .meta({ examples: [true] }),
    requiredBy: givenDate('Required date.'),
  })
  .prefault({})
  .meta({ id: 'ShortageRequirements' });

export const ShortagesRaised = z
  .object({ requirements: z.array(MaterialRequirement).describe('The created requirements.') })
  .meta({ id: 'ShortagesRaised' });
