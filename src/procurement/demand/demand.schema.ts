/** Schemas of an item's demand, and of an entity's summary. */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { amount, dateOrNull, idOf, idOrNull, numberText } from '../records/schemas/text.schema.ts';

export const DemandParams = z.strictObject({ id: EntityRef.meta({ description: 'The item.' }) });
export const SummaryParams = z.strictObject({ id: EntityRef.meta({ description: 'The entity.' }) });

/** Lines and requirements of an item that are looked at, the newest first. */
export const LOOKED_MAX = 500;

export const demandKinds = ['requirement', 'salesOrder', 'purchaseOrder', 'manufacturingOrder'] as const;
export type DemandKind = (typeof demandKinds)[number];

const stock = {
  onHand: amount('On hand at all locations.', 120),
  reserved: amount('The reserved part of it.', 20),
  onOrder: amount('On order at all locations.', 50),
  available: amount('onHand − reserved.', 100),
  inTransit: amount('The part of onOrder that was sent from one location to another and has not arrived.', 0),
};
const partial = z
  .boolean()
  .describe(`Whether there are more than the newest ${LOOKED_MAX} of a kind, which were looked at.`)
  .meta({ examples: [false] });

export const ItemDemand = z
  .object({
    itemEntityId: idOf('The item.'),
    ...stock,
    entries: z
      .array(
        z.object({
          kind: z
            .enum(demandKinds)
            .describe('The requirement or order line.')
            .meta({ examples: ['requirement'] }),
          id: idOf('The requirement or line, which is an entity too.'),
          number: numberText('Its number.', 'MR-000031'),
          forId: idOrNull('Its project or order.'),
          forNumber: numberText('The present number of that project or order.', 'PRJ-0001'),
          requiredBy: dateOrNull(
            'Its date; null if it has none. A purchase line that was promised in parts has an entry for each part, on the promised day.',
          ),
          quantity: amount(
            'Quantity to come (positive), or to go beyond what is reserved for it (negative).',
            -8,
          ),
          availableAfter: amount('Available after it and all before it.', 92),
        }),
      )
      .describe('By date, those without one last; on the same date, supply first.'),
    shortFrom: dateOrNull(
      'The date from which stock is insufficient; null if it suffices, or if no date is known.',
    ),
    shortBy: amount('The largest missing quantity; 0 if nothing is missing.', 0),
    isPartial: partial,
  })
  .describe('Future supply and demand of an item, and how long its stock lasts.')
  .meta({ id: 'ItemDemand' });
export type ItemDemand = z.output<typeof ItemDemand>;

const counted = (what: string) =>
  z
    .int()
    .min(0)
    .describe(what)
    .meta({ examples: [2] });

/** Bound on counted rows. */
export const COUNTED_MAX = 1000;

/** Positions of a location that are looked at for something on hand or on order, for which there is no index. */
export const STOCKED_LOOKED_MAX = 5000;

export const EntitySummary = z
  .object({
    entityId: idOf('The entity.'),
    stock: z
      .object({
        ...stock,
        locations: counted('Locations with a position of it.'),
        stockedLocations: counted('Locations with stock of it.'),
        isPartial: partialPositions(),
      })
      .nullable()
      .describe('For an item; otherwise null.'),
    demand: z
      .object({
        openRequirements: counted('Requirements with an open quantity.'),
        openQty: amount('Their open quantity.', 8),
        requiredBy: dateOrNull('The earliest required date of them.'),
        isPartial: partial,
      })
      .nullable()
      .describe('For an item or a project; otherwise null.'),
    orders: z
      .object({
        comingLines: counted('Lines of purchase and manufacturing orders with an open quantity.'),
        comingQty: amount('Quantity still to come.', 50),
        comingBy: dateOrNull('The earliest date of them.'),
        goingLines: counted('Lines of sales orders with an open quantity.'),
        goingQty: amount('Quantity still to go out.', 3),
        isPartial: partial,
      })
      .nullable()
      .describe('For an item; otherwise null.'),
    items: counted(`Items with a position there; of a location, counted up to ${COUNTED_MAX}.`).nullable(),
    stockedItems: counted(
      `Items of which something is on hand there; of a location, counted up to ${COUNTED_MAX} among its first ${STOCKED_LOOKED_MAX} positions.`,
    ).nullable(),
    orderedItems: counted('Items on order to a location; counted likewise.').nullable(),
    uses: counted(`Children of its structure, counted up to ${COUNTED_MAX}.`),
    usedIn: counted(`Parents that use it, counted up to ${COUNTED_MAX}.`),
  })
  .describe('Summary of an entity.')
  .meta({ id: 'EntitySummary' });
export type EntitySummary = z.output<typeof EntitySummary>;

function partialPositions() {
  return z
    .boolean()
    .describe(
      `Whether it has positions at more than ${COUNTED_MAX * 10} locations, of which so many are summed up.`,
    )
    .meta({ examples: [false] });
}
