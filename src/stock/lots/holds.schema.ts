/** Lots that reservations hold, as the API shows and takes them (contract §4.10). */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { givenUnit } from '../entries/given-quantity.ts';

const example = '0199d0f0-0000-7000-8000-000000000001';
const id = (what: string) => z.uuid().meta({ description: what, examples: [example] });
const idOrNull = (what: string) =>
  z
    .uuid()
    .nullable()
    .meta({ description: what, examples: [example] });
const text = (what: string, value: string) =>
  z
    .string()
    .nullable()
    .meta({ description: what, examples: [value] });

export const StockLotHold = z
  .object({
    lotId: id('The lot.'),
    lot: z.string().meta({ description: 'Its number, or the serial number.', examples: ['L-2026-11'] }),
    itemEntityId: id('The item.'),
    itemNumber: text("The item's present number.", 'PRT-000017'),
    locationEntityId: id('The location.'),
    locationNumber: text("The location's present number.", 'LOC-0003'),
    locationName: z.string().meta({ description: "The location's present name.", examples: ['Shelf A3'] }),
    lineId: idOrNull('The sales line whose reservation holds the lot; null if a requirement does.'),
    requirementId: idOrNull('The requirement whose reservation holds the lot; null if a sales line does.'),
    holderNumber: text('The number of that line or requirement.', 'SOL-000004'),
    quantity: z.number().meta({ description: 'How much of the lot is held.', examples: [4] }),
  })
  .meta({ id: 'StockLotHold', description: 'A part of a reservation that holds a lot.' });
export type StockLotHold = z.output<typeof StockLotHold>;

const holder = {
  lineId: z
    .uuid()
    .toLowerCase()
    .optional()
    .meta({ description: 'The sales line.', examples: [example] }),
  requirementId: z
    .uuid()
    .toLowerCase()
    .optional()
    .meta({ description: 'The requirement: of a project, or of a component.', examples: [example] }),
};
const oneHolder = { error: 'name either `lineId` or `requirementId`' };
const hasOneHolder = (given: { lineId?: string | undefined; requirementId?: string | undefined }) =>
  (given.lineId === undefined) !== (given.requirementId === undefined);

export const NewLotHold = z
  .strictObject({
    ...holder,
    locationEntityId: EntityRef.meta({ description: 'Where the stock is reserved.' }),
    quantity: z.number().meta({
      description: 'How much of the reservation holds the lot, or no longer does; above 0.',
      examples: [4],
    }),
    ...givenUnit,
    note: z
      .string()
      .max(2000)
      .nullish()
      .meta({ description: 'The reason, on the entry.', examples: ['Customer wants this lot'] }),
  })
  .refine(hasOneHolder, oneHolder)
  .meta({ id: 'NewLotHold' });

export const HoldsQuery = z
  .strictObject({
    ...holder,
    lotId: z
      .uuid()
      .toLowerCase()
      .optional()
      .meta({ description: 'The lot.', examples: [example] }),
  })
  .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    error: 'name one of `lineId`, `requirementId` and `lotId`',
  });

export const StockLotHolds = z
  .object({
    holds: z.array(StockLotHold).meta({ description: 'At most 1 000, in order of locations.' }),
    isPartial: z.boolean().meta({ description: 'Whether there are more.', examples: [false] }),
  })
  .meta({ id: 'StockLotHolds', description: 'Lots that reservations hold.' });
export type StockLotHolds = z.output<typeof StockLotHolds>;
