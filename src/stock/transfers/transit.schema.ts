/** Goods in transit between locations, as the interface takes and shows them (contract §4.9). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { ListQuery } from '../../http/list.ts';
import { oneLine } from '../../http/one-line.ts';
import { givenDay, StockLedgerEntry } from '../entries/stock.schema.ts';

const example = '0199d0f0-0000-7000-8000-000000000001';
const id = (what: string) => z.uuid().meta({ description: what, examples: [example] });
const number = (what: string, value: string) =>
  z
    .string()
    .nullable()
    .meta({ description: what, examples: [value] });
const quantity = (what: string, value: number) => z.number().meta({ description: what, examples: [value] });

export const StockTransit = z
  .object({
    id: id('The `bookingId` of its ledger entries.'),
    itemEntityId: id('The item.'),
    itemNumber: number("The item's present number.", 'PRT-000017'),
    itemName: z.string().meta({ description: "The item's present name.", examples: ['Hex bolt M8'] }),
    fromLocationEntityId: id('The location that it left.'),
    fromLocationNumber: number("That location's present number.", 'LOC-0003'),
    fromLocationName: z
      .string()
      .meta({ description: "That location's present name.", examples: ['Shelf A3'] }),
    toLocationEntityId: id('The location that it goes to.'),
    toLocationNumber: number("That location's present number.", 'LOC-0007'),
    toLocationName: z
      .string()
      .meta({ description: "That location's present name.", examples: ['Shop floor'] }),
    lot: number('The lot or serial number.', 'L-2026-11'),
    note: number('The reason.', 'For the line in Graz'),
    sentQty: quantity('Quantity that left.', 12),
    receivedQty: quantity('Quantity that arrived; above `sentQty` if more arrived than left.', 10),
    inTransitQty: quantity('Quantity that is still expected.', 2),
    differenceQty: z
      .number()
      .nullable()
      .meta({
        description:
          'receivedQty − sentQty once nothing is expected any more; null while goods are in transit.',
        examples: [null],
      }),
    sentAt: z.iso.datetime().meta({ description: 'When it left.', examples: ['2026-11-20T09:30:00.000Z'] }),
    closedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the last of it arrived or was given up.', examples: [null] }),
  })
  .meta({ id: 'StockTransit', description: 'Goods that were sent from one location to another.' });
export type StockTransit = z.output<typeof StockTransit>;

const transitFilters = {
  open: z
    .enum(['true', 'false'])
    .default('true')
    .meta({ description: '`false`: also goods that have arrived.' }),
  itemEntityId: EntityRef.optional().meta({ description: 'Only goods of this item that are in transit.' }),
};
type TransitFilters = z.output<z.ZodObject<typeof transitFilters>>;
const isListed = ({ open, itemEntityId }: TransitFilters) => open === 'true' || itemEntityId === undefined;
const notListed = {
  error: 'lists goods of one item only while they are in transit: leave out `open`',
  path: ['open'],
};

export const TransitQuery = ListQuery.extend(transitFilters).refine(isListed, notListed);
export const TransitExportQuery = z.strictObject(transitFilters).refine(isListed, notListed);
export type TransitQuery = z.output<typeof TransitQuery>;

export const TransitParams = z.strictObject({
  id: z.uuid().toLowerCase().meta({ description: 'The transfer: the `bookingId` of its entries.' }),
});

export const TransitReceipt = z
  .strictObject({
    quantity: z
      .number()
      .min(0)
      .meta({
        description: 'Quantity that arrived, in the base unit of the item; 0 with `isLast` if nothing did.',
        examples: [10],
      }),
    isLast: z.boolean().default(false).meta({
      description:
        'Nothing more arrives: what is still in transit is written off, by an adjustment with `reason`.',
    }),
    locationEntityId: EntityRef.nullish().meta({
      description:
        'Where it arrived, by default the destination. The location that it left takes goods back that came back.',
    }),
    reason: oneLine(50)
      .nullish()
      .meta({
        description:
          'The code of the reason for a difference; required if less or more arrived than is in transit.',
        examples: ['scrap'],
      }),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason, on every entry.', examples: ['Box was open'] }),
    effectiveOn: givenDay,
  })
  .meta({ id: 'StockTransitReceipt' });
export type TransitReceipt = z.output<typeof TransitReceipt>;

export const TransitReceived = z
  .object({
    transfer: StockTransit,
    entries: z.array(StockLedgerEntry).meta({
      description:
        '`OnOrderRelease` at the destination, `TransferIn` where it arrived, and the difference as an `Adjustment`.',
    }),
  })
  .meta({ id: 'StockTransitReceived' });
export type TransitReceived = z.output<typeof TransitReceived>;
