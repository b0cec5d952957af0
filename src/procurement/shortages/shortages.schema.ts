/** Schemas of a project's shortages. */
import { z } from 'zod';
import { EntityPicture, RevisionLabel } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Configuration } from '../../entities/structure/configuration.schema.ts';
import { baseUnitShown } from '../../stock/entries/given-quantity.ts';
import { OrderWithLines } from '../records/orders.schema.ts';
import { MaterialRequirement } from '../records/requirements.schema.ts';
import { SupplierName, supplierShown } from '../records/schemas/suppliers.schema.ts';
import {
  amount,
  givenDate,
  givenNote,
  givenQuantity,
  givenText,
  idOf,
  numberText,
} from '../records/schemas/text.schema.ts';

const name = (what: string) =>
  z
    .string()
    .describe(what)
    .meta({ examples: ['Bearing block'] });

export const shortageKinds = ['purchased', 'made'] as const;
export const shortageSorts = ['structure', 'number', 'name', 'supplier', 'shortageQty'] as const;

export const Shortage = z
  .object({
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: name("The item's name."),
    itemPicture: EntityPicture,
    itemRevision: RevisionLabel.describe('Label of the current revision of the item.'),
    unit: baseUnitShown,
    isAssembly: z
      .boolean()
      .describe('Whether it is made: it has children, and its planning does not say that it is bought.')
      .meta({ examples: [false] }),
    requiredQty: amount(
      "Quantity that the structure and the project's own requirements need, over all paths.",
      24,
    ),
    neededQty: amount('The same without components of assemblies that are in stock or on order.', 20),
    reservedQty: amount('Reserved or issued for requirements of the project.', 4),
    availableQty: amount('Available at all locations; negative if a count found less than is reserved.', 6),
    onOrderQty: amount('On order at all locations, without what is on order for requirements of others.', 2),
    shortageQty: amount(
      'neededQty − reservedQty − availableQty − onOrderQty, if that is above 0 and some are needed.',
      8,
    ),
    openRequirementQty: amount(
      "Quantity of the project's requirements for it that is neither reserved nor on order.",
      0,
    ),
    supplier: supplierShown(
      'The supplier of the supplier part that its planning prefers, or of its first active one; without one, the supplier from whom it was last ordered. Null if it never was.',
    ),
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
    items: z.array(Shortage).describe('Assemblies before their components, unless `sort` says otherwise.'),
    itemCount: z
      .int()
      .describe('Number of items in the structure, short or not.')
      .meta({ examples: [180] }),
    shortCount: z
      .int()
      .describe('Number of items that are short, whatever the filters.')
      .meta({ examples: [12] }),
    openRequirementCount: z
      .int()
      .describe(
        'Number of items with an open requirement of the project, short or not: nothing is reserved or ordered for that quantity yet.',
      )
      .meta({ examples: [3] }),
  })
  .meta({ id: 'ProjectShortages' });
export type ProjectShortages = z.output<typeof ProjectShortages>;

export const ProjectParams = z.strictObject({ id: EntityRef.meta({ description: 'The project.' }) });

const configuration = Configuration.describe(
  'Which revisions of the structure count. The project itself is as it is now. `asReleased`: its items are their newest released revisions, with their children as they were released; if there are several revisions of an item, the newest counts. `latestReleased`: the newest released revision of every item. An item that was never released is as it is now.',
);

export const ShortageQuery = z.object({
  configuration,
  all: z
    .enum(['true', 'false'])
    .default('false')
    .describe('List all items that the structure or a requirement needs, short or not.'),
  open: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'List also items that are not short and have an open requirement, which stock or orders could cover.',
    ),
  kind: z
    .enum(shortageKinds)
    .optional()
    .describe(
      'Only purchased parts, which have no children or are bought by their planning, or only made parts.',
    ),
  q: givenText('Only items that have this text in their number or name.'),
  sort: z
    .enum(shortageSorts)
    .default('structure')
    .describe(
      'Sort key; items without one come last. `structure` lists assemblies before their components. Up to 20 000 items are sorted by another key; more are refused as `too_many_to_sort`.',
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the sort.'),
});

export type ShortageQuery = z.output<typeof ShortageQuery>;

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
    configuration,
  })
  .prefault({})
  .meta({ id: 'ShortageRequirements' });

export const ShortagesRaised = z
  .object({
    requirements: z.array(MaterialRequirement).describe('The created requirements.'),
    changed: z
      .array(MaterialRequirement)
      .describe('Requirements that were reduced or cancelled because the structure needs less.'),
  })
  .meta({ id: 'ShortagesRaised' });

/** Number of items that one call reserves or orders. */
const ITEMS_MAX = 500;

export const ShortageReservations = z
  .strictObject({
    lines: z
      .array(z.strictObject({ itemEntityId: EntityRef.describe('The item.') }))
      .min(1)
      .max(ITEMS_MAX)
      .describe(`The items, 1 to ${ITEMS_MAX}.`),
    note: givenNote,
    configuration,
  })
  .meta({ id: 'ShortageReservations' });

export const ShortagesReserved = z
  .object({
    reservations: z
      .array(
        z.object({
          itemEntityId: idOf('The item.'),
          itemNumber: numberText("The item's number.", 'PRT-000042'),
          locationEntityId: idOf('The location.'),
          locationNumber: numberText("The location's number.", 'LOC-0003'),
          requirement: MaterialRequirement.describe('The requirement after the reservation.'),
          quantity: amount('The reserved quantity.', 4),
        }),
      )
      .describe('The reservations, one for each requirement and location; none where nothing was available.'),
  })
  .meta({ id: 'ShortagesReserved' });
export type ShortagesReserved = z.output<typeof ShortagesReserved>;

export const ShortageOrders = z
  .strictObject({
    locationEntityId: EntityRef.describe('The location that will receive the goods.'),
    lines: z
      .array(
        z.strictObject({
          itemEntityId: EntityRef.describe('The item.'),
          quantity: givenQuantity('Quantity to order.'),
          supplier: SupplierName.nullish().describe(
            'The supplier; by default the supplier of the item, as `listShortages` shows it. Null: none.',
          ),
        }),
      )
      .min(1)
      .max(ITEMS_MAX)
      .describe(`What is ordered, 1 to ${ITEMS_MAX} lines.`),
    state: z
      .enum(['Draft', 'Ordered'])
      .default('Ordered')
      .describe('State of the lines. Draft lines write no ledger entry.'),
    requiredBy: givenDate(
      "Required date of the lines and of new requirements; by default each requirement's own.",
    ),
    note: givenNote,
    configuration,
  })
  .meta({ id: 'ShortageOrders' });
export type ShortageOrders = z.output<typeof ShortageOrders>;

export const ShortagesOrdered = z
  .object({ orders: z.array(OrderWithLines).describe('The created orders, one for each supplier.') })
  .meta({ id: 'ShortagesOrdered' });
