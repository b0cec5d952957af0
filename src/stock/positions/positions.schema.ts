/** Lists of positions, as the interface shows and takes them (contract §4.4). */
import { z } from 'zod';
import { EntityPicture, RevisionLabel } from '../../entities/entities.schema.ts';
import { EntityRef } from '../../entities/resolve-entity.ts';
import { SEARCH_RULE, searchText } from '../../entities/search-text.ts';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { baseUnitShown } from '../entries/given-quantity.ts';
import { Moment, StockPosition } from '../entries/stock.schema.ts';

const quantity = (what: string, value: number) => z.number().meta({ description: what, examples: [value] });

const BLOCKED =
  'The part of Reserved that no order or requirement has: stock of lots in quarantine, or rejected.';

const itemRevision = RevisionLabel.describe('Label of the current revision of the item.');

export const ListedStockPosition = StockPosition.extend({
  itemPicture: EntityPicture,
  itemRevision,
  unit: baseUnitShown,
  blocked: quantity(BLOCKED, 0),
  inLots: quantity(
    'The part of On Hand that is in lots; null for an item that is not tracked, and for a past time.',
    12,
  ).nullable(),
  locationPath: z.array(z.string()).meta({
    description: 'Names of the locations that the location lies in, the outermost first.',
    examples: [['Main warehouse']],
  }),
  lastCountedAt: z.iso
    .datetime()
    .nullable()
    .meta({
      description: 'When it was last counted; null if never.',
      examples: ['2026-11-20T09:30:00.000Z'],
    }),
}).meta({
  id: 'ListedStockPosition',
  description: 'A position with its blocked stock, the place of its location and its last count.',
});
export type ListedStockPosition = z.output<typeof ListedStockPosition>;

export const StockSum = z
  .object({
    ...StockPosition.pick({ itemEntityId: true, itemNumber: true, itemName: true }).shape,
    itemPicture: EntityPicture,
    itemRevision,
    unit: baseUnitShown,
    onHand: quantity('On Hand, summed over the locations.', 12.5),
    reserved: quantity('Reserved, likewise.', 2),
    blocked: quantity(BLOCKED, 0),
    onOrder: quantity('On Order, likewise.', 40),
    available: quantity('On Hand minus Reserved.', 10.5),
    positions: z.int().meta({ description: 'Number of positions that are summed.', examples: [3] }),
  })
  .meta({
    id: 'StockSum',
    description: 'Sums of one item over a location and all locations that lie in it.',
  });
export type StockSum = z.output<typeof StockSum>;

const below = z.enum(['true', 'false']).default('false').meta({
  description:
    'Also positions at all locations that lie in the location, at any level. Positions are then in order of locations and items.',
});

const PositionsQuery = ListQuery.extend({
  asOf: Moment.optional().meta({
    description:
      'Positions at the end of that millisecond; only those that had an entry by then. Cannot be combined with `below` or `location`.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  effectiveAsOf: Day.optional().meta({
    description:
      'Positions at the end of that day (UTC), with what was recorded later as of that day or an earlier one (`effectiveOn`). On Hand may be below 0. Cannot be combined with `asOf`, `below` or `location`.',
    examples: ['2026-10-31'],
  }),
  stocked: z.enum(['true', 'false']).default('false').meta({
    description: 'Only positions with stock: On Hand is above 0.',
  }),
});

export const PositionsByLocationQuery = PositionsQuery.extend({ below });

const location = EntityRef.optional().meta({ description: 'Only positions at this location.' });

export const PositionsByItemQuery = PositionsQuery.extend({ location, below });

export const AllPositionsQuery = ListQuery.extend({
  q: searchText(`Only items with this text in their number or name. ${SEARCH_RULE}`, 'bolt'),
  short: z.enum(['true', 'false']).default('false').meta({
    description: 'Only positions with nothing available: Available is 0 or less.',
  }),
  countedBefore: Moment.optional().meta({
    description: 'Only positions that were never counted, or last counted before this time.',
    examples: ['2026-11-01T00:00:00Z'],
  }),
  location,
  below,
});
export type AllPositionsQuery = z.output<typeof AllPositionsQuery>;

/** Bound on counted rows. */
export const COUNTED_MAX = 10_000;

const total = (what: string, example: number) =>
  z.object({
    count: z.int().meta({ description: `Number of ${what}.`, examples: [example] }),
    isAtLeast: z.boolean().meta({
      description: `Whether there are more than ${COUNTED_MAX}, of which so many are counted.`,
      examples: [false],
    }),
  });

export const StockTotals = z
  .object({ positions: total('positions', 812), entries: total('ledger entries', 4310) })
  .meta({ id: 'StockTotals', description: 'Totals of the lists of positions and of the ledger.' });
export type StockTotals = z.output<typeof StockTotals>;

export const TotalsQuery = z.strictObject({
  item: EntityRef.optional().meta({ description: 'Only those of this item.' }),
  location: EntityRef.optional().meta({
    description: 'Only those at this location. Cannot be combined with `item`.',
  }),
});
