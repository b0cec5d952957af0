/** Transfers between locations, as the interface takes and shows them (contract §4.9). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { givenUnit } from '../entries/given-quantity.ts';
import { LotNumber } from '../entries/lot.schema.ts';
import { givenDay, StockLedgerEntry, StockPosition } from '../entries/stock.schema.ts';

export const TransferLine = z
  .strictObject({
    itemEntityId: EntityRef,
    fromLocationEntityId: EntityRef,
    toLocationEntityId: EntityRef,
    quantity: z.number().meta({
      description: 'Quantity to move: above 0, at most 9 integer and 6 fractional digits.',
      examples: [12],
    }),
    lot: LotNumber.nullish().meta({
      description: 'The lot or serial number that moves; required for an item that is tracked.',
    }),
    requirementId: z.uuid().toLowerCase().nullish().meta({
      description:
        'A material requirement that holds the quantity at the location: its reservation moves too. Without it, only available stock moves.',
    }),
    ...givenUnit,
  })
  .meta({ id: 'StockTransferLine' });
export type TransferLine = z.output<typeof TransferLine>;

export const StockTransfer = z
  .strictObject({
    dryRun: z
      .boolean()
      .default(false)
      .meta({ description: 'Only report what would change: nothing is written.' }),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason, on every entry.', examples: ['Moved to the new rack'] }),
    effectiveOn: givenDay,
    inTransit: z.boolean().default(false).meta({
      description:
        'The goods arrive later: they leave now, and are on order at the destination until `/stock/transfers/{id}/receipts` books them.',
    }),
    lines: z
      .array(TransferLine)
      .min(1)
      .meta({ description: 'Up to 10 000, in order. All of them are moved, or none.' }),
  })
  .superRefine(({ inTransit, lines }, refused) => {
    const reserved = lines.findIndex(({ requirementId }) => requirementId != null);
    if (!inTransit || reserved < 0) return;
    refused.addIssue({
      code: 'custom',
      message: 'A reservation cannot be in transit: release it first, or move it at once.',
      path: ['lines', reserved, 'requirementId'],
    });
  })
  .meta({ id: 'StockTransfer' });

export const StockTransferred = z
  .object({
    entries: z.array(StockLedgerEntry).meta({
      description:
        'In order of the lines: `TransferOut` and `TransferIn`, with the same `bookingId`. Where a reservation moves too, `MRRelease` comes before and `MRReservation` after them. With `inTransit` `TransferOut` and, at the destination, `OnOrderAdd`.',
    }),
    positions: z.array(StockPosition).meta({ description: 'Each changed position, after all of them.' }),
  })
  .meta({ id: 'StockTransferred' });
export type StockTransferred = z.output<typeof StockTransferred>;

const figure = (description: string) => z.number().meta({ description, examples: [37] });

const PlannedTransfer = z.object({
  index: z.int().min(0).meta({ description: 'Position of the line in the request.' }),
  itemEntityId: z.uuid(),
  itemNumber: z.string().nullable(),
  itemName: z.string(),
  fromLocationEntityId: z.uuid(),
  fromLocationNumber: z.string().nullable(),
  fromLocationName: z.string(),
  toLocationEntityId: z.uuid(),
  toLocationNumber: z.string().nullable(),
  toLocationName: z.string(),
  quantity: figure('Quantity that would be moved.'),
  onHand: figure('On Hand at the location that it leaves, after the previous lines.'),
  available: figure('Available there, likewise.'),
  refusal: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Reason of the refusal.' }),
});
export type PlannedTransfer = z.output<typeof PlannedTransfer>;

export const StockTransferPlanned = z
  .object({
    lines: z.array(PlannedTransfer).meta({ description: 'In order.' }),
    entries: z.int().min(0).meta({
      description: 'Entries that would be written: all of them, or 0 if any line would be refused.',
    }),
    refusals: z.int().min(0).meta({ description: 'Number of refused lines.' }),
  })
  .meta({
    id: 'StockTransferPlanned',
    description:
      'Changes that a transfer would make, with the present positions. Nothing is held until it is made.',
  });
export type StockTransferPlanned = z.output<typeof StockTransferPlanned>;
