/** What a project is short of, as the API shows it. */
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
      .describe('Whether it has children of its own: to be made rather than bought.')
      .meta({ examples: [false] }),
    requiredQty: amount('What the structure takes, along all paths together.', 24),
    neededQty: amount('The same without what goes into assemblies that are in stock or on order.', 20),
    reservedQty: amount('Reserved or issued for requirements of the project.', 4),
    availableQty: amount(
      'Available at all locations together; below zero where a count found less than is reserved.',
      6,
    ),
    onOrderQty: amount('On order for all locations together.', 2),
    shortageQty: amount(
      'neededQty − reservedQty − availableQty − onOrderQty, where that is above 0 and some are needed.',
      8,
    ),
    openRequirementQty: amount('Open Qty of the requirements of the project for it.', 0),
    usedIn: z
      .array(
        z.object({
          entityId: idOf('The parent, or the project itself.'),
          number: numberText("The parent's number.", 'ASM-000007'),
          name: name("The parent's name."),
          quantity: amount('How many of the item one of the parent takes.', 4),
          requiredQty: amount('How many all of the parents in the project take.', 24),
        }),
      )
      .describe('Where in the project it is used.'),
  })
  .describe('An item that a project does not have enough of.')
  .meta({ id: 'Shortage' });
export type Shortage = z.output<typeof Shortage>;

export const ProjectShortages = z
  .object({
    projectId: idOf('The project.'),
    items: z.array(Shortage).describe('Assemblies before what goes into them.'),
    itemCount: z
      .int()
      .describe('How many items the structure has, short or not.')
      .meta({ examples: [180] }),
  })
  .meta({ id: 'ProjectShortages' });

export const ProjectParams = z.strictObject({ id: EntityRef.meta({ description: 'The project.' }) });

export const ShortageQuery = z.object({
  all: z.enum(['true', 'false']).default('false').describe('Also the items of which nothing is short.'),
});

export const ShortageRequirements = z
  .strictObject({
    itemEntityIds: z
      .array(EntityRef)
      .max(10_000)
      .optional()
      .describe('Only for these items; for all that are short where it is absent.'),
    leavesOnly: z
      .boolean()
      .default(false)
      .describe('Not for assemblies.')
      .meta({ examples: [true] }),
    requiredBy: givenDate('When they are needed.'),
  })
  .prefault({})
  .meta({ id: 'ShortageRequirements' });

export const ShortagesRaised = z
  .object({ requirements: z.array(MaterialRequirement).describe('Those that were raised.') })
  .meta({ id: 'ShortagesRaised' });
