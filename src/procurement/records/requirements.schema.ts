/** Material requirements as the API shows and takes them (contract §4.6). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListOrder, ListQuery } from '../../http/list.ts';
import { entries, StockLine } from './lines.schema.ts';
import { ofNewPurchaseOrder, refusedSupplier, type SupplierGiven } from './suppliers.schema.ts';
import {
  amount,
  dateOrNull,
  givenDate,
  givenNote,
  givenQuantity,
  givenText,
  idOf,
  idOrNull,
  moment,
  numberText,
} from './text.schema.ts';

const statuses = ['open', 'covered', 'cancelled'] as const;

export const MaterialRequirement = z
  .object({
    id: idOf('The requirement, which is an entity too.'),
    number: numberText('Its number.', 'MR-000031'),
    projectId: idOrNull('The project that it is for; null where it is a component of a manufacturing line.'),
    projectNumber: numberText("The project's present number.", 'PRJ-0001'),
    projectName: z.string().nullable().describe("The project's present name."),
    lineId: idOrNull('The manufacturing line that it is a component of; null where it is for a project.'),
    itemEntityId: idOf('What is needed.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z
      .string()
      .describe("The item's present name.")
      .meta({ examples: ['Hex bolt M8'] }),
    requiredQty: amount('How much is needed.', 10),
    requiredBy: dateOrNull('When it is needed.'),
    reservedQty: amount('Reserved from stock for it, issued or not, from the ledger.', 4),
    issuedQty: amount('Of that, what has been handed out, from the ledger.', 0),
    orderedQty: amount(
      'Put on order for it, received or not, from the ledger; what was received and then reserved for it counts as reserved.',
      4,
    ),
    openQty: amount('requiredQty − reservedQty − orderedQty.', 2),
    status: z
      .enum(statuses)
      .describe('`covered` when nothing is open.')
      .meta({ examples: ['open'] }),
    createdAt: moment('When it was raised.'),
  })
  .describe('A need for material. Its quantities are computed from the ledger.')
  .meta({ id: 'MaterialRequirement' });
export const RequirementWithHeld = MaterialRequirement.extend({
  held: z
    .array(
      z.object({
        locationEntityId: idOf('The location.'),
        locationNumber: numberText("The location's present number.", 'LOC-0003'),
        locationName: z.string(),
        quantity: amount('What is reserved there for it and not issued: what can be released or issued.', 4),
      }),
    )
    .describe('Where it holds something, at most 1 000 locations.'),
}).meta({ id: 'RequirementWithHeld' });

export type MaterialRequirement = z.output<typeof MaterialRequirement>;

export const NewRequirement = z
  .strictObject({
    projectId: EntityRef.describe(
      'The project that needs it: an entity of a category with the role `project`.',
    ),
    itemEntityId: EntityRef.describe('What is needed: an entity of an item category.'),
    requiredQty: givenQuantity('How much is needed.'),
    requiredBy: givenDate('When it is needed.'),
  })
  .meta({ id: 'NewRequirement' });
export type NewRequirement = z.output<typeof NewRequirement>;

export const RequirementMovement = z
  .strictObject({
    locationEntityId: EntityRef.describe('The location.'),
    quantity: givenQuantity('How much.'),
    note: givenNote,
  })
  .meta({ id: 'RequirementMovement' });

export const RequirementOrder = z
  .strictObject({
    locationEntityId: EntityRef.describe('Where the goods will go to.'),
    quantity: givenQuantity('How much.'),
    orderId: EntityRef.nullish().describe('An open purchase order; a new one is opened where it is absent.'),
    supplier: ofNewPurchaseOrder,
    requiredBy: givenDate("When the line is needed; the requirement's date where it is absent."),
    note: givenNote,
  })
  .refine((order) => refusedSupplier(order) === null, {
    error: ({ input }) => refusedSupplier(input as SupplierGiven) ?? '',
    path: ['supplier'],
  })
  .meta({ id: 'RequirementOrder' });

export const RequirementMoved = z
  .object({ requirement: MaterialRequirement, entries })
  .meta({ id: 'RequirementMoved' });
export type RequirementMoved = z.output<typeof RequirementMoved>;

export const RequirementOrdered = z
  .object({ requirement: MaterialRequirement, line: StockLine, entries })
  .meta({ id: 'RequirementOrdered' });

export const RequirementParams = z.strictObject({
  id: EntityRef.meta({ description: 'The requirement.' }),
});

export const RequirementQuery = ListQuery.extend({
  order: ListOrder,
  projectId: EntityRef.optional().describe('Only requirements of this project.'),
  itemEntityId: EntityRef.optional().describe('Only requirements for this item.'),
  lineId: EntityRef.optional().describe('Only components of this manufacturing line.'),
  status: z.enum(statuses).optional().describe('Only requirements with this status.'),
  requiredBefore: z.iso.date().optional().describe('Only requirements that are needed before this day.'),
  q: givenText(
    'Only requirements that have this text in their number, or in the number or name of their item or project.',
  ),
});
export type RequirementQuery = z.output<typeof RequirementQuery>;
