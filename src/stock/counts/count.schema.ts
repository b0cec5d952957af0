/** A stock count as the interface takes it (contract §4.4). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { givenUnit } from '../entries/given-quantity.ts';
import { LotNumber, NewLot } from '../entries/lot.schema.ts';
import { givenDay } from '../entries/stock.schema.ts';

const NUMBER_PREFIX = 'number:';

/** Reference to an entity, or the number on its label. */
export const StockRef = z
  .union([
    EntityRef,
    z
      .string()
      .min(NUMBER_PREFIX.length + 1)
      .max(NUMBER_PREFIX.length + 255)
      .startsWith(NUMBER_PREFIX),
  ])
  .meta({
    description: 'An entity: its id, `guid:` and its GUID, or `number:` and its number if it is unique.',
    examples: ['number:PRT-000017', '0199d0f0-0000-7000-8000-000000000001'],
  });
export type StockRef = z.output<typeof StockRef>;

/** The number in a reference; null where it is an id or a GUID. */
export function numberIn(ref: StockRef): string | null {
  return ref.startsWith(NUMBER_PREFIX) ? ref.slice(NUMBER_PREFIX.length) : null;
}

const quantity = (description: string) => z.number().meta({ description, examples: [12] });

const countUnit = {
  ...givenUnit,
  unit: givenUnit.unit.meta({
    description:
      'The unit of `countedQty`; `seenOnHand` is in the base unit of the item, as positions show it.',
  }),
};

export const CountLine = z.strictObject({
  item: StockRef,
  location: StockRef,
  countedQty: quantity('Counted quantity: 0 or more, at most 9 integer and 6 fractional digits.'),
  seenOnHand: z
    .number()
    .nullish()
    .meta({
      description:
        'On Hand as it was shown to the person who counted. If it has changed, stock has moved since, and nothing is written. If absent, the count applies in any case.',
      examples: [10],
    }),
  lot: LotNumber.nullish().meta({
    description:
      'The counted lot or serial number. Of an item that is tracked, a line without it counts the stock that is in no lot.',
  }),
  newLot: NewLot.optional(),
  ...countUnit,
});

export const StockCount = z
  .strictObject({
    dryRun: z.boolean().default(false).meta({ description: 'Only report what would be written.' }),
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason, on every entry.', examples: ['Count of shelf A3'] }),
    effectiveOn: givenDay.meta({
      description:
        'The day of the adjustments, by default today (UTC). The difference is that to On Hand as it is now: send `seenOnHand` if stock may have moved since the count.',
    }),
    task: z.uuid().nullish().meta({
      description:
        'Id of the count task that the count does, which ends with it: one line at least is at its location, or with `below` in it.',
    }),
    lines: z
      .array(CountLine)
      .min(1)
      .meta({ description: 'Each position, or each lot of a position, once; up to 10 000.' }),
  })
  .meta({ id: 'StockCount' });
export type StockCount = z.output<typeof StockCount>;

export const CountedLine = z.object({
  index: z.int().meta({ description: 'Position of the line in the request.' }),
  itemEntityId: z.uuid(),
  itemNumber: z.string().nullable(),
  itemName: z.string(),
  locationEntityId: z.uuid(),
  locationNumber: z.string().nullable(),
  locationName: z.string(),
  onHand: quantity('On Hand before the count.'),
  countedQty: quantity('Counted quantity.'),
  difference: quantity('Adjusted quantity; 0: no entry is written.'),
  seenOnHand: z.number().nullable(),
  lot: z
    .string()
    .nullable()
    .meta({ description: 'The counted lot.', examples: ['L-2026-11'] }),
  createsLot: z
    .boolean()
    .meta({ description: 'Whether the item has no such lot yet, so that the count creates it.' }),
  moved: z.boolean().meta({ description: 'Whether On Hand differs from the seen one.' }),
});
export type CountedLine = z.output<typeof CountedLine>;

export const StockCounted = z
  .object({
    lines: z.array(CountedLine),
    entries: z.int().meta({ description: 'Entries that were written, or would be.' }),
  })
  .meta({ id: 'StockCounted' });
