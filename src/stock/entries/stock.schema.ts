/** Stock as the interface shows and takes it (contract §4). */
import { z } from 'zod';
import { actorTypes } from '../../actor.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { oneLine } from '../../http/one-line.ts';
import { costOfAdded } from './given-cost.schema.ts';
import { baseUnitShown, enteredShown, givenUnit } from './given-quantity.ts';
import { movedLot } from './lot.schema.ts';
import { consumeModes, movementTypes } from './movement.ts';
import { refusalShown } from './refusal.schema.ts';

const example = '0199d0f0-0000-7000-8000-000000000001';
const entityId = (what: string) => z.uuid().meta({ description: what, examples: [example] });
const quantity = (what: string, value: number) => z.number().meta({ description: what, examples: [value] });
const time = (what: string) =>
  z.iso.datetime().meta({ description: what, examples: ['2026-11-20T09:30:00.000Z'] });

const place = {
  itemEntityId: entityId('The item.'),
  itemNumber: z
    .string()
    .nullable()
    .meta({ description: "The item's present number.", examples: ['PRT-000017'] }),
};
const position = {
  ...place,
  itemName: z.string().meta({ examples: ['Hex bolt M8'] }),
  locationEntityId: entityId('The location.'),
  locationNumber: z
    .string()
    .nullable()
    .meta({ examples: ['LOC-0003'] }),
  locationName: z.string().meta({ examples: ['Shelf A3'] }),
  onHand: quantity('Physical units in stock.', 12.5),
  reserved: quantity(
    'Committed to outbound orders and requirements and not yet shipped or issued, and stock of lots that are not available.',
    2,
  ),
  onOrder: quantity('Quantity on open orders, not yet received.', 40),
  available: quantity('On Hand minus Reserved; negative if a count found less than is reserved.', 10.5),
  updatedAt: time('When its last entry was recorded.'),
};

export const StockPosition = z
  .object(position)
  .meta({ id: 'StockPosition', description: 'Quantities of one item at one location.' });
export type StockPosition = z.output<typeof StockPosition>;

export const LedgerActor = z
  .object({
    type: z.enum(actorTypes),
    id: z.string(),
    name: z.string().meta({ description: 'The present name.', examples: ['Goods-in terminal'] }),
  })
  .meta({ id: 'LedgerActor', description: 'A caller that moves stock.' });
export type LedgerActor = z.output<typeof LedgerActor>;

export const StockLedgerEntry = z
  .object({
    id: z.uuid().meta({ description: 'Ids increase with time.', examples: [example] }),
    sequence: z
      .int()
      .min(1)
      .meta({ description: 'Number within the position, without gaps.', examples: [7] }),
    recordedAt: time('When it was recorded.'),
    movementType: z
      .enum(movementTypes)
      .meta({ description: 'Later versions may add types.', examples: ['Adjustment'] }),
    ...place,
    locationEntityId: position.locationEntityId,
    locationNumber: position.locationNumber,
    quantity: quantity('Signed quantity of the movement.', -3),
    onHandAfter: quantity('On Hand after the movement.', 12.5),
    reservedAfter: quantity('Reserved after the movement.', 2),
    onOrderAfter: quantity('On Order after the movement.', 40),
    note: z
      .string()
      .nullable()
      .meta({ description: 'The reason.', examples: ['Damaged in transport'] }),
    lineId: z.uuid().nullable().meta({ description: 'The stock line that moved.' }),
    orderId: z.uuid().nullable().meta({ description: 'The order of that line.' }),
    requirementId: z.uuid().nullable().meta({ description: 'Its material requirement.' }),
    actor: LedgerActor.meta({ description: 'The caller that made the change.' }),
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 over this entry and the hash of the position's previous entry." }),
    bookingId: z.uuid().nullable().meta({
      description: 'Shared by entries that belong together: a transferred line, a delivery, a build.',
    }),
    reversesId: z.uuid().nullable().meta({
      description:
        'The entry that this one takes back, in full or in part. Its quantities have the opposite sign.',
    }),
    effectiveOn: z.iso
      .date()
      .nullable()
      .meta({
        description: 'The day on which it happened; null if that is the day of recording.',
        examples: ['2026-11-20'],
      }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The code of the reason.', examples: ['scrap'] }),
    consume: z.enum(consumeModes).nullable().meta({
      description: 'How the components of a received build were taken; null for other movements.',
    }),
    itemRevision: z
      .int()
      .nullable()
      .meta({
        description: "The number of the item's revision, where it was stated.",
        examples: [2],
      }),
    lot: z
      .string()
      .nullable()
      .meta({ description: 'The number of the lot, or the serial number.', examples: ['L-2026-11'] }),
    ...enteredShown,
  })
  .meta({
    id: 'StockLedgerEntry',
    description: 'A change of one position. Entries are never changed or removed.',
  });
export type StockLedgerEntry = z.output<typeof StockLedgerEntry>;

const presentNumber = (what: string, value: string) =>
  z
    .string()
    .nullable()
    .meta({ description: what, examples: [value] });

export const ListedLedgerEntry = StockLedgerEntry.extend({
  itemName: z.string().meta({ description: 'The present name of the item.', examples: ['Bolt M8'] }),
  unit: baseUnitShown,
  locationName: z.string().meta({ description: 'The present name of the location.', examples: ['Shelf A3'] }),
  orderNumber: presentNumber('The present number of that order.', 'PO-000004'),
  requirementNumber: presentNumber('The present number of that requirement.', 'MR-000031'),
  reversedQty: z
    .number()
    .meta({ description: 'How much of it other entries take back, above or equal to 0.', examples: [2] }),
}).meta({
  id: 'ListedLedgerEntry',
  description:
    'An entry with the names of its item and location, and the numbers of its order and requirement.',
});
export type ListedLedgerEntry = z.output<typeof ListedLedgerEntry>;

const day = Day;
const effectiveDay = (description: string) => day.optional().meta({ description, examples: ['2026-11-20'] });

/** The day that a call gives its movements. */
export const givenDay = day.nullish().meta({
  description:
    'The day on which it happened, by default today (UTC). Not after today, and after `stockClosedUntil` of the settings of stock.',
  examples: ['2026-11-20'],
});

export const StockAdjustment = z
  .strictObject({
    itemEntityId: EntityRef,
    locationEntityId: EntityRef,
    quantity: z.number().meta({
      description:
        'Quantity to add, or to remove if negative; not zero; at most 9 integer and 6 fractional digits.',
      examples: [-3],
    }),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason.', examples: ['Stock count'] }),
    reason: oneLine(50)
      .nullish()
      .meta({ description: 'A code for reports, such as scrap, found or sample.', examples: ['found'] }),
    ...movedLot,
    ...givenUnit,
    effectiveOn: givenDay,
    unitCost: costOfAdded,
  })
  .meta({ id: 'StockAdjustment' });
export type StockAdjustment = z.output<typeof StockAdjustment>;

const dryRun = z
  .boolean()
  .default(false)
  .meta({ description: 'Only report what would change: nothing is written.' });

/** A single adjustment. */
export const NewStockAdjustment = StockAdjustment.extend({ dryRun }).meta({ id: 'NewStockAdjustment' });

export const StockAdjustmentBatch = z
  .strictObject({
    dryRun,
    adjustments: z
      .array(StockAdjustment)
      .min(1)
      .meta({ description: 'Up to 10 000, in order. All of them are made, or none.' }),
  })
  .meta({ id: 'StockAdjustmentBatch' });

export const StockAdjusted = z
  .object({ entry: StockLedgerEntry, position: StockPosition })
  .meta({ id: 'StockAdjusted' });

export const StockBatchAdjusted = z
  .object({
    entries: z.array(StockLedgerEntry).meta({ description: 'In order of the adjustments.' }),
    positions: z.array(StockPosition).meta({ description: 'Each changed position, after all of them.' }),
  })
  .meta({ id: 'StockBatchAdjusted' });

const figure = (description: string) => z.number().meta({ description, examples: [37] });

const PlannedAdjustment = z.object({
  index: z.int().min(0).meta({ description: 'Position of the adjustment in the request.' }),
  itemEntityId: z.uuid(),
  itemNumber: z.string().nullable(),
  itemName: z.string(),
  locationEntityId: z.uuid(),
  locationNumber: z.string().nullable(),
  locationName: z.string(),
  quantity: figure('Quantity that would be added, or removed if negative.'),
  onHand: figure('On Hand after the previous ones.'),
  onHandAfter: figure('On Hand after it; null if it would be refused.').nullable(),
  availableAfter: figure('Available after it; null if it would be refused.').nullable(),
  refusal: refusalShown,
});
export type PlannedAdjustment = z.output<typeof PlannedAdjustment>;

export const StockAdjustmentsPlanned = z
  .object({
    adjustments: z.array(PlannedAdjustment).meta({ description: 'In order.' }),
    entries: z.int().min(0).meta({
      description: 'Entries that would be written: all of them, or 0 if any would be refused.',
    }),
    refusals: z.int().min(0).meta({ description: 'Number of refused ones.' }),
  })
  .meta({
    id: 'StockAdjustmentsPlanned',
    description:
      'Changes that adjustments would make, with the present positions. Nothing is held until they are made.',
  });
export type StockAdjustmentsPlanned = z.output<typeof StockAdjustmentsPlanned>;

export const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

export const LedgerQuery = ListQuery.extend({
  movementType: z.enum(movementTypes).optional().meta({ description: 'Only movements of this type.' }),
  from: Moment.optional().meta({ description: 'Recorded at this time or later.' }),
  to: Moment.optional().meta({ description: 'Recorded before this time.' }),
  effectiveFrom: effectiveDay(
    'Happened on this day or later: by `effectiveOn`, otherwise by the day of recording (UTC).',
  ),
  effectiveTo: effectiveDay('Happened on this day or before.'),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: '`desc`: newest first.' }),
});
export const LocationLedgerQuery = LedgerQuery.extend({
  below: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Include the movements at all locations that lie in the location.' }),
});
export type LedgerQuery = z.output<typeof LedgerQuery>;

export const WholeLedgerQuery = LedgerQuery.extend({
  lineId: z.uuid().optional().meta({ description: 'Only movements of this stock line.' }),
  requirementId: z.uuid().optional().meta({
    description: 'Only movements for this requirement; cannot be combined with `lineId`.',
  }),
  orderId: z.uuid().optional().meta({
    description: 'Only movements of the lines of this order.',
  }),
  bookingId: z.uuid().optional().meta({
    description: 'Only movements of this booking: a transferred line, a delivery, a build.',
  }),
  actorId: z.uuid().optional().meta({
    description:
      'Only movements by this caller, also those that automations made for the caller; those of a member include the ones by its keys. Cannot be combined with `lineId` or `requirementId`. `/stock/ledger/actors` lists the callers.',
  }),
}).superRefine(({ lineId, requirementId, orderId, bookingId, actorId }, refused) => {
  const given = Object.entries({ lineId, requirementId, orderId, bookingId, actorId }).filter(
    ([, id]) => id !== undefined,
  );
  const second = given[1];
  if (second === undefined) return;
  refused.addIssue({
    code: 'custom',
    message:
      'Movements are of a line, an order or a booking, for a requirement or by a caller: name one of them.',
    path: [second[0]],
  });
});
