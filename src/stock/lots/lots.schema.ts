/** Tracked items, lots and traces as the API shows and takes them (contract §4.10). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { LotNumber, LotStatusGiven, lotFacts } from '../entries/lot.schema.ts';
import { lotStatuses, movementTypes } from '../entries/movement.ts';

const example = '0199d0f0-0000-7000-8000-000000000001';
const id = (what: string) => z.uuid().meta({ description: what, examples: [example] });
const idOrNull = (what: string) =>
  z
    .uuid()
    .nullable()
    .meta({ description: what, examples: [example] });
const figure = (what: string) => z.number().meta({ description: what, examples: [12] });
const number = (what: string, value: string) =>
  z
    .string()
    .nullable()
    .meta({ description: what, examples: [value] });
const name = (what: string, value: string) => z.string().meta({ description: what, examples: [value] });

export const trackings = ['none', 'lot', 'serial'] as const;
const tracking = z.enum(trackings).meta({
  description:
    '`lot`: stock is kept by lot. `serial`: each unit has a serial number. `none`: neither, the default of an item.',
  examples: ['lot'],
});

const place = {
  locationEntityId: id('The location.'),
  locationNumber: number("The location's present number.", 'LOC-0003'),
  locationName: name("The location's present name.", 'Shelf A3'),
};
const item = {
  itemEntityId: id('The item.'),
  itemNumber: number("The item's present number.", 'PRT-000017'),
  itemName: name("The item's present name.", 'Adhesive 250 ml'),
};

export const ItemTracking = z
  .object({
    ...item,
    tracking,
    unassignedQty: figure('On Hand that is in no lot: it was there before the item was tracked.'),
    unassigned: z
      .array(z.object({ ...place, quantity: figure('Quantity there that is in no lot.') }))
      .meta({ description: 'Where it is, at most 100 locations. A count assigns it to lots.' }),
  })
  .meta({ id: 'ItemTracking', description: 'How the stock of an item is tracked.' });
export type ItemTracking = z.output<typeof ItemTracking>;

const unassignedFields = ['unassignedQty', 'unassigned'] as const;
export const NewTracking = z
  .strictObject({
    tracking,
    ...readOnly(ItemTracking, ['itemEntityId', 'itemNumber', 'itemName', ...unassignedFields], {
      drifting: unassignedFields,
    }),
  })
  .meta({ id: 'NewTracking' });
export const TrackingParams = z.strictObject({ itemEntityId: EntityRef });

const lot = {
  id: id('The lot.'),
  ...item,
  number: name('Number of the lot, or the serial number.', 'L-2026-11'),
  kind: z.enum(['lot', 'serial']).meta({ examples: ['lot'] }),
  expiresOn: z.iso
    .date()
    .nullable()
    .meta({ description: 'The last day on which it may be used.', examples: ['2027-05-31'] }),
  supplierLot: number("The supplier's number of the lot.", 'S-77120'),
  status: z.enum(lotStatuses).meta({
    description:
      '`quarantine` and `rejected` lots are neither shipped nor issued, and their stock counts as Reserved, not as Available.',
    examples: ['available'],
  }),
  properties: z
    .record(z.string(), z.string())
    .meta({ description: 'Further facts, by name.', examples: [{ grade: 'A' }] }),
  onHand: figure('On Hand over all locations.'),
  createdAt: z.iso
    .datetime()
    .meta({ description: 'When it was created.', examples: ['2026-11-20T09:30:00.000Z'] }),
};
export const StockLot = z
  .object(lot)
  .meta({ id: 'StockLot', description: 'A lot or serial number of an item.' });
export type StockLot = z.output<typeof StockLot>;

export const StockLotAtPlaces = z
  .object({
    ...lot,
    isBuilt: z.boolean().meta({
      description: 'Whether a manufacturing line received it: its units can be taken apart.',
      examples: [false],
    }),
    positions: z
      .array(
        z.object({
          ...place,
          onHand: figure('On Hand of the lot there.'),
          held: figure('How much of it reservations hold.'),
        }),
      )
      .meta({ description: 'Where it is in stock, at most 100 locations.' }),
  })
  .meta({ id: 'StockLotAtPlaces', description: 'A lot with the locations where it is in stock.' });
export type StockLotAtPlaces = z.output<typeof StockLotAtPlaces>;

export const LotParams = z.strictObject({ id: z.uuid().toLowerCase().meta({ description: 'The lot.' }) });

export const expiresBefore = Day.optional().meta({
  description: 'Only lots that expire before this day, the first to expire first; without `itemEntityId`.',
  examples: ['2026-12-31'],
});
export const lotStatus = z.enum(lotStatuses);

const lotFilters = {
  itemEntityId: EntityRef.optional().meta({
    description: 'Only lots of this item, in order of their numbers.',
  }),
  number: LotNumber.optional().meta({ description: 'Only the lot of this number; with `itemEntityId`.' }),
  expiresBefore,
  status: lotStatus.optional().meta({ description: 'Only lots of this status.' }),
  inStock: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Only lots with something on hand.' }),
};

type LotFilters = z.output<z.ZodObject<typeof lotFilters>>;

function requireOneFilter(
  { itemEntityId, number: wanted, expiresBefore }: LotFilters,
  refused: z.RefinementCtx,
): void {
  if (wanted !== undefined && itemEntityId === undefined)
    refused.addIssue({ code: 'custom', message: 'needs `itemEntityId`', path: ['number'] });
  if (expiresBefore !== undefined && itemEntityId !== undefined)
    refused.addIssue({
      code: 'custom',
      message: 'cannot be combined with `itemEntityId`',
      path: ['expiresBefore'],
    });
}

export const LotQuery = ListQuery.extend(lotFilters).superRefine(requireOneFilter);
export const LotExportQuery = z.strictObject(lotFilters).superRefine(requireOneFilter);
export type LotQuery = z.output<typeof LotQuery>;

const untouched = [
  'id',
  'itemEntityId',
  'itemNumber',
  'itemName',
  'number',
  'kind',
  'status',
  'createdAt',
] as const;
const drifting = ['onHand', 'positions', 'isBuilt'] as const;
export const StockLotPatch = z
  .strictObject({ ...lotFacts, ...readOnly(StockLotAtPlaces, [...untouched, ...drifting], { drifting }) })
  .meta({ id: 'StockLotPatch' });

export const NewLotStatus = z
  .strictObject({
    status: LotStatusGiven,
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason, on every entry.', examples: ['Inspection failed'] }),
  })
  .meta({ id: 'NewLotStatus' });

export const ProposalQuery = z.strictObject({
  itemEntityId: EntityRef,
  locationEntityId: EntityRef,
  quantity: z.coerce
    .number()
    .optional()
    .meta({ description: 'How much is to be taken; by default everything.' }),
  all: z.enum(['true', 'false']).default('false').meta({
    description:
      'List all lots in stock at the location, also those that are held, expired, in quarantine or rejected: for a count or a correction.',
  }),
});

export const LotProposal = z
  .object({
    lots: z
      .array(
        z.object({
          lot: name('The lot or serial number.', 'L-2026-11'),
          quantity: figure('How much of it to take.'),
          expiresOn: lot.expiresOn,
        }),
      )
      .meta({ description: 'The first to expire first. At most 1 000.' }),
    missingQty: figure('The part of the quantity that these lots do not have.'),
  })
  .meta({ id: 'LotProposal', description: 'Lots to take from a location.' });
export type LotProposal = z.output<typeof LotProposal>;

export const TraceQuery = z.strictObject({
  direction: z.enum(['up', 'down']).meta({
    description:
      '`up`: what the lot was used for, down to shipments (a recall list). `down`: what it was made of, down to receipts.',
  }),
});

export const TraceNode = z
  .object({
    type: z.enum(['lot', 'component', 'movement']).meta({
      description:
        '`lot`: a lot that contains the lot before it, or that it contains. `component`: a quantity of an item in no lot. `movement`: a receipt, shipment or return of a lot.',
    }),
    level: z
      .int()
      .min(1)
      .meta({ description: 'Steps from the lot that is traced.', examples: [1] }),
    of: z
      .object({ itemEntityId: id('Its item.'), lot: name('Its number.', 'L-2026-11') })
      .meta({ description: 'The lot from which the step leads here.' }),
    ...item,
    lot: number('The lot or serial number.', 'SN-0101'),
    quantity: figure(
      'The used quantity, or that of the movement with its sign; without what was taken back.',
    ),
    movementType: z.enum(movementTypes).nullable().meta({ description: 'Type of a movement.' }),
    entryId: idOrNull('Ledger entry of a movement.'),
    recordedAt: z.iso.datetime().nullable().meta({ description: 'When the movement was recorded.' }),
    lineId: idOrNull('The manufacturing line of a build, or the line of a movement.'),
    orderId: idOrNull('The order of a movement.'),
    orderNumber: number('The present number of that order.', 'SO-000004'),
  })
  .meta({ id: 'TraceNode', description: 'A step of a trace.' });
export type TraceNode = z.output<typeof TraceNode>;

export const LotTrace = z
  .object({ items: z.array(TraceNode) })
  .meta({ id: 'LotTrace', description: 'Each lot once, the nearest first.' });
