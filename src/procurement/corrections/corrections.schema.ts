/** Corrections and returns as the API takes and shows them. */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { oneLine } from '../../http/one-line.ts';
import { givenUnit, unitNeeds } from '../../stock/entries/given-quantity.ts';
import { NamedLots } from '../../stock/entries/lot.schema.ts';
import { givenDay, StockLedgerEntry, StockPosition } from '../../stock/entries/stock.schema.ts';
import { StockLine } from '../records/lines.schema.ts';
import { OrderWithLines, triedOrder } from '../records/orders.schema.ts';
import { givenNote, givenQuantity } from '../records/schemas/text.schema.ts';

const reasonOfReversal = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .describe('Why it is taken back; stored in the new entry.')
  .meta({ examples: ['Counted 40, not 42'] });

export const EntryParams = z.strictObject({
  entryId: z.uuid().meta({ description: 'The ledger entry to take back.' }),
});

export const NewReversal = z
  .strictObject({
    quantity: givenQuantity('How much to take back; by default all that is left.').optional(),
    ...givenUnit,
    note: reasonOfReversal,
    dryRun: z
      .boolean()
      .default(false)
      .describe('Answer with what would be written, or with the refusal, and write nothing.')
      .meta({ examples: [false] }),
  })
  .refine(({ quantity, unit }) => unit == null || quantity !== undefined, unitNeeds('quantity'))
  .meta({ id: 'NewReversal' });

const written = z.array(StockLedgerEntry).describe('The written entries, in order.');

export const ReversedEntry = z
  .object({
    entry: StockLedgerEntry.describe('The entry that takes it back.'),
    entries: z
      .array(StockLedgerEntry)
      .describe(
        'All written entries, in order: also the other end of a transfer and the components of a build.',
      ),
    position: StockPosition.describe('The position after it.'),
    line: StockLine.nullable().describe('The line after it; null if the entry is of no line.'),
  })
  .meta({ id: 'ReversedEntry' });

export const DeliveryParams = z.strictObject({
  id: EntityRef.meta({ description: 'The order.' }),
  bookingId: z.uuid().meta({ description: 'The `bookingId` of the entries of the delivery.' }),
});

export const DeliveryReversal = z
  .strictObject({ note: reasonOfReversal, dryRun: triedOrder })
  .meta({ id: 'DeliveryReversal' });

export const OrderCorrected = z
  .object({ order: OrderWithLines.describe('The order after it.'), entries: written })
  .meta({ id: 'OrderCorrected' });

const RETURN_LINES_MAX = 100;

export const OrderReturn = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          lineId: z.uuid(),
          quantity: givenQuantity('How much is returned.'),
          ...givenUnit,
          reason: oneLine(50)
            .nullish()
            .describe('A code or a few words.')
            .meta({ examples: ['damaged'] }),
          locationEntityId: EntityRef.optional().describe(
            'Where the goods are taken from, or put; by default the location of the line.',
          ),
          lots: NamedLots,
        }),
      )
      .min(1)
      .max(RETURN_LINES_MAX)
      .describe('The returned lines.'),
    replace: z
      .boolean()
      .default(false)
      .describe('Whether the supplier sends the goods again: On Order then rises by what is returned.'),
    effectiveOn: givenDay,
    note: givenNote,
    dryRun: triedOrder,
  })
  .meta({ id: 'OrderReturn' });
