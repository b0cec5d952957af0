/** Material requirements as the API shows and takes them (contract §4.6). */
import { z } from 'zod';
import { EntityPicture, RevisionLabel } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListOrder, ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { baseUnitShown, givenUnit, unitNeeds } from '../../stock/entries/given-quantity.ts';
import { HeldLots, LeavingLots } from '../../stock/entries/lot.schema.ts';
import { givenDay } from '../../stock/entries/stock.schema.ts';
import { entries, StockLine } from './lines.schema.ts';
import { ofNewPurchaseOrder, refusedSupplier, type SupplierGiven } from './schemas/suppliers.schema.ts';
import {
  amount,
  dateOrNull,
  filterDay,
  givenDate,
  givenNote,
  givenQuantity,
  givenText,
  idOf,
  idOrNull,
  moment,
  numberText,
} from './schemas/text.schema.ts';

const statuses = ['open', 'covered', 'cancelled'] as const;

export const MaterialRequirement = z
  .object({
    id: idOf('The requirement, which is an entity too.'),
    number: numberText('Its number.', 'MR-000031'),
    projectId: idOrNull('Its project; null for a component of a manufacturing line.'),
    projectNumber: numberText("The project's present number.", 'PRJ-0001'),
    projectName: z.string().nullable().describe("The project's present name."),
    lineId: idOrNull("The manufacturing line that needs it as a component; null for a project's."),
    itemEntityId: idOf('The item.'),
    itemNumber: numberText("The item's present number.", 'PRT-000042'),
    itemName: z
      .string()
      .describe("The item's present name.")
      .meta({ examples: ['Hex bolt M8'] }),
    itemPicture: EntityPicture,
    itemRevision: RevisionLabel.describe('Label of the current revision of the item.'),
    unit: baseUnitShown,
    requiredQty: amount('Required quantity.', 10),
    requiredBy: dateOrNull('Required date.'),
    reservedQty: amount('Reserved from stock for it, issued or not, from the ledger.', 4),
    issuedQty: amount('The issued part of it, from the ledger.', 0),
    orderedQty: amount(
      'Quantity ordered for it, received or not, from the ledger; what was received and then reserved for it counts as reserved.',
      4,
    ),
    openQty: amount('requiredQty − reservedQty − orderedQty.', 2),
    status: z
      .enum(statuses)
      .describe('`covered` when nothing is open.')
      .meta({ examples: ['open'] }),
    createdAt: moment('When it was created.'),
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
        quantity: amount('Quantity reserved there for it and not issued: it can be released or issued.', 4),
        substitute: z
          .object({
            itemEntityId: idOf('The substitute.'),
            itemNumber: numberText("The substitute's number.", 'PRT-000043'),
            itemName: z.string(),
            covers: amount('How much of the required item the quantity covers.', 2),
          })
          .nullable()
          .describe('The substitute that is reserved there; null for the item itself.'),
      }),
    )
    .describe('Locations where it holds something, at most 1 000.'),
}).meta({ id: 'RequirementWithHeld' });

export type RequirementWithHeld = z.output<typeof RequirementWithHeld>;
export type MaterialRequirement = z.output<typeof MaterialRequirement>;

export const NewRequirement = z
  .strictObject({
    projectId: EntityRef.describe('The project: an entity of a category with the role `project`.'),
    itemEntityId: EntityRef.describe('The item: an entity of an item category.'),
    requiredQty: givenQuantity('Required quantity.'),
    ...givenUnit,
    requiredBy: givenDate('Required date.'),
  })
  .meta({ id: 'NewRequirement' });
export type NewRequirement = z.output<typeof NewRequirement>;

const untouched = [
  'id',
  'number',
  'projectId',
  'projectNumber',
  'projectName',
  'lineId',
  'itemEntityId',
  'itemNumber',
  'itemName',
  'itemPicture',
  'itemRevision',
  'createdAt',
] as const;
/** Fields that movements change. */
const drifting = ['reservedQty', 'issuedQty', 'orderedQty', 'openQty', 'status', 'held'] as const;
export const RequirementPatch = z
  .strictObject({
    requiredQty: givenQuantity(
      'How much is required in all, not less than is reserved or ordered.',
    ).optional(),
    ...givenUnit,
    requiredBy: givenDate('Required date; null: none.'),
    note: givenNote,
    ...readOnly(RequirementWithHeld, [...untouched, ...drifting], { drifting }),
  })
  .refine(({ requiredQty, unit }) => requiredQty !== undefined || unit == null, unitNeeds('requiredQty'))
  .meta({ id: 'RequirementPatch' });

const RequirementMovement = z
  .strictObject({
    locationEntityId: EntityRef.describe('The location.'),
    quantity: givenQuantity('How much.'),
    ...givenUnit,
    note: givenNote,
  })
  .meta({ id: 'RequirementMovement' });

const reservedSubstitute = {
  substituteEntityId: EntityRef.optional().describe(
    'A substitute that is reserved there, which is released or issued in place of the item; `quantity` is then of the substitute.',
  ),
};
export const RequirementRelease = RequirementMovement.extend(reservedSubstitute).meta({
  id: 'RequirementRelease',
});

export const RequirementReservation = RequirementMovement.extend({ lots: HeldLots }).meta({
  id: 'RequirementReservation',
});

export const RequirementIssue = RequirementMovement.extend({
  ...reservedSubstitute,
  lots: LeavingLots,
  effectiveOn: givenDay,
}).meta({ id: 'RequirementIssue' });
export type RequirementIssue = z.output<typeof RequirementIssue>;

export const RequirementOrder = z
  .strictObject({
    locationEntityId: EntityRef.describe('The location that will receive the goods.'),
    quantity: givenQuantity('How much.'),
    ...givenUnit,
    orderId: EntityRef.nullish().describe('An open purchase order; by default a new one is created.'),
    supplier: ofNewPurchaseOrder,
    requiredBy: givenDate("Required date of the line; by default the requirement's."),
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
  overdue: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'Only overdue requirements: open and required before today (UTC), or with an open order line that is due after the required date.',
    ),
  requiredBefore: filterDay('Only requirements that are required before this date.'),
  q: givenText(
    'Only requirements that have this text in their number, or in the number or name of their item or project.',
  ),
});
export type RequirementQuery = z.output<typeof RequirementQuery>;
