/** CSV links as the interface shows them. */
import { z } from 'zod';
import { Conditions } from '../entities/conditions/condition.ts';
import { EntityQuery, PropertySort } from '../entities/entities.schema.ts';
import { entityTitles, PROPERTY_TITLE } from '../entities/lists/export-entities.ts';
import { SEARCH_RULE, searchText } from '../entities/search-text.ts';
import { Instant } from '../http/instant.ts';
import { oneLine } from '../http/one-line.ts';
import { LedgerQuery } from '../stock/entries/stock.schema.ts';
import { ledgerTitles } from '../stock/ledger/stream-ledger.ts';
import { lotTitles } from '../stock/lots/export-lots.ts';
import { expiresBefore, lotStatus } from '../stock/lots/lots.schema.ts';
import { positionTitles } from '../stock/positions/export-positions.ts';

const COLUMNS_MAX = 200;
const TITLE_CHARS_MAX = 300;
const FILTER_VALUES_MAX = 20;

const anyOf = (what: string, example: string) =>
  z
    .array(z.string().min(1).max(255))
    .min(1)
    .max(FILTER_VALUES_MAX)
    .optional()
    .meta({ description: `Only entities ${what}, any of these.`, examples: [[example]] });

const columnsOf = (title: z.ZodType<string>, examples: string[]) =>
  z
    .array(title)
    .min(1)
    .max(COLUMNS_MAX)
    .refine((titles) => new Set(titles).size === titles.length, { error: 'names a column twice' })
    .optional()
    .meta({
      description: "Titles of the columns, in order; by default all columns of the list's download.",
      examples: [examples],
    });

const oneOf = (titles: readonly string[]) => z.enum(titles as [string, ...string[]]);

const EntityTable = z.strictObject({
  of: z.literal('entities'),
  view: z.uuid().optional().meta({
    description:
      'Id of a saved view: the table has its filters, order and columns as they are when it is fetched; filters, order and columns given here replace those of the view.',
  }),
  category: anyOf('of the categories with these keys', 'part'),
  state: anyOf('in the states of these names', 'Released'),
  role: EntityQuery.shape.role,
  number: EntityQuery.shape.number,
  q: EntityQuery.shape.q,
  where: Conditions.min(1).optional(),
  sort: z
    .union([z.enum(['created', 'number', 'name', 'updatedAt']), PropertySort])
    .default('created')
    .meta({
      description:
        'Sort order; by default the order of creation. Entities without a number come last. Up to 20 000 are sorted by name or last change: a larger table is refused. `properties.KEY` sorts by a property.',
    }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'Ascending by default.' }),
  columns: columnsOf(
    z
      .string()
      .max(TITLE_CHARS_MAX)
      .refine((title) => entityTitles.includes(title) || title.startsWith(PROPERTY_TITLE), {
        error: `must be one of ${entityTitles.join(', ')}, or ${PROPERTY_TITLE}KEY`,
      }),
    ['number', 'name', 'state', 'properties.Mass'],
  ),
});

const PositionTable = z.strictObject({
  of: z.literal('positions'),
  q: searchText(
    `Only items with this text in their number or name, up to 1000 items. ${SEARCH_RULE}`,
    'bolt',
  ),
  short: z.boolean().optional().meta({
    description: 'Only positions with nothing available: Available is 0 or less.',
  }),
  columns: columnsOf(oneOf(positionTitles), ['itemNumber', 'locationNumber', 'onHand', 'available']),
});

const LedgerTable = z.strictObject({
  of: z.literal('ledger'),
  movementType: LedgerQuery.shape.movementType,
  actorId: z
    .uuid()
    .optional()
    .meta({ description: 'Only movements that this caller made, or that automations made for the caller.' }),
  from: Instant.optional().meta({ description: 'Recorded at this time or later.' }),
  to: Instant.optional().meta({ description: 'Recorded before this time.' }),
  effectiveFrom: LedgerQuery.shape.effectiveFrom,
  effectiveTo: LedgerQuery.shape.effectiveTo,
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'Newest first by default.' }),
  columns: columnsOf(oneOf(ledgerTitles), ['recordedAt', 'movementType', 'itemNumber', 'quantity']),
});

const LotTable = z.strictObject({
  of: z.literal('lots'),
  status: lotStatus.optional().meta({ description: 'Only lots of this status.' }),
  expiresBefore,
  inStock: z.boolean().optional().meta({ description: 'Only lots with something on hand.' }),
  columns: columnsOf(oneOf(lotTitles), ['itemNumber', 'number', 'expiresOn', 'onHand']),
});

export const CsvTable = z
  .discriminatedUnion('of', [EntityTable, PositionTable, LedgerTable, LotTable])
  .refine((table) => table.of !== 'lots' || table.status === undefined || table.expiresBefore === undefined, {
    error: 'cannot be combined with `expiresBefore`',
    path: ['status'],
  })
  .meta({
    id: 'CsvTable',
    description: 'The list that the link shows, with its filters, order and columns.',
  });
export type CsvTable = z.output<typeof CsvTable>;

export const CsvLink = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ examples: ['Stock for the buyers'] }),
    table: CsvTable,
    prefix: z.string().meta({ description: 'Beginning of its secret, to tell links apart.' }),
    createdAt: z.iso.datetime(),
    createdBy: z
      .object({ id: z.uuid(), name: z.string() })
      .meta({ description: 'The API key that created it; its present name.' }),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'When it was last fetched, to the minute.' }),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CsvLink' });
export type CsvLink = z.output<typeof CsvLink>;

export const CreatedCsvLink = CsvLink.extend({
  url: z.string().meta({
    description:
      'The address for the spreadsheet, including the secret. It is shown only once. Anybody who has it can read the table; the service does not log it.',
    examples: ['https://partbook.example/api/wid/acme/csv/pbl_….csv'],
  }),
}).meta({ id: 'CreatedCsvLink' });

export const NewCsvLink = z
  .strictObject({
    name: oneLine(255),
    table: CsvTable,
    expiresAt: Instant.nullable()
      .default(null)
      .meta({ description: 'The link is refused from this time on; null: never.' }),
  })
  .meta({ id: 'NewCsvLink' });
export type NewCsvLink = z.output<typeof NewCsvLink>;
