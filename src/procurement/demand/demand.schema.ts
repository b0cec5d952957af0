/** What is to come and what is to go of an item, and an entity at one look. */
import { z } from 'zod';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { amount, dateOrNull, idOf, idOrNull, numberText } from '../records/text.schema.ts';

export const DemandParams = z.strictObject({ id: EntityRef.meta({ description: 'The item.' }) });
export const SummaryParams = z.strictObject({ id: EntityRef.meta({ description: 'The entity.' }) });

/** Lines and requirements of an item that are looked at, the newest first. */
export const LOOKED_MAX = 500;

export const demandKinds = ['requirement', 'salesOrder', 'purchaseOrder', 'manufacturingOrder'] as const;
export type DemandKind = (typeof demandKinds)[number];

const stock = {
  onHand: amount('On hand over all locations.', 120),
  reserved: amount('Of that, reserved.', 20),
  onOrder: amount('On order over all locations.', 50),
  available: amount('onHand − reserved.', 100),
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
            .describe('What asks for it or brings it: a requirement, or a line of an order.')
            .meta({ examples: ['requirement'] }),
          id: idOf('The requirement or the line, which is an entity too.'),
          number: numberText('Its number.', 'MR-000031'),
          forId: idOrNull('The project or the order that it belongs to.'),
          forNumber: numberText("That one's present number.", 'PRJ-0001'),
          requiredBy: dateOrNull('When it goes or comes; null where nobody said.'),
          quantity: amount(
            'What still comes (above 0), or what still goes beyond what is reserved for it (below 0).',
            -8,
          ),
          availableAfter: amount('Available when it has happened, and all before it.', 92),
        }),
      )
      .describe('By date, what has none last; of one day what comes first.'),
    shortFrom: dateOrNull(
      'The day from which it does not suffice; null where it does, or where no day is known.',
    ),
    shortBy: amount('How much is missing at the worst point; 0 where nothing is.', 0),
    isPartial: partial,
  })
  .describe('What still comes and goes of an item, and how far what is available goes.')
  .meta({ id: 'ItemDemand' });
export type ItemDemand = z.output<typeof ItemDemand>;

const counted = (what: string) =>
  z
    .int()
    .min(0)
    .describe(what)
    .meta({ examples: [2] });

/** Of what is counted to a bound. */
export const COUNTED_MAX = 1000;

/** Positions of a location that are looked at for those of which something is on hand: no index knows. */
export const STOCKED_LOOKED_MAX = 5000;

export const EntitySummary = z
  .object({
    entityId: idOf('The entity.'),
    stock: z
      .object({
        ...stock,
        locations: counted('Locations where it has a position.'),
        stockedLocations: counted('Of these, locations where something of it is on hand.'),
        isPartial: partialPositions(),
      })
      .nullable()
      .describe('Of an item; null of what is none.'),
    demand: z
      .object({
        openRequirements: counted('Requirements that something is open of.'),
        openQty: amount('How much is open of them.', 8),
        requiredBy: dateOrNull('The earliest day that one of them is needed.'),
        isPartial: partial,
      })
      .nullable()
      .describe('Of an item or a project; null of what is neither.'),
    orders: z
      .object({
        comingLines: counted('Lines of purchase and manufacturing orders that something is open of.'),
        comingQty: amount('How much still comes.', 50),
        comingBy: dateOrNull('The earliest day that one of them is due.'),
        goingLines: counted('Lines of sales orders that something is open of.'),
        goingQty: amount('How much still goes out.', 3),
        isPartial: partial,
      })
      .nullable()
      .describe('Of an item; null of what is none.'),
    items: counted(`Items with a position there; of a location, counted up to ${COUNTED_MAX}.`).nullable(),
    stockedItems: counted(
      `Items of which something is on hand there; of a location, counted up to ${COUNTED_MAX} among its first ${STOCKED_LOOKED_MAX} positions.`,
    ).nullable(),
    uses: counted(`Children of its structure, counted up to ${COUNTED_MAX}.`),
    usedIn: counted(`Parents that use it, counted up to ${COUNTED_MAX}.`),
  })
  .describe('What the head of a page about an entity shows.')
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
