/** Saved views as the API shows them. */
import { z } from 'zod';
import { mapOf } from '../../http/map-of.ts';
import { oneLine } from '../../http/one-line.ts';
import { readOnly } from '../../http/read-only.ts';
import { entityTitles, PROPERTY_TITLE } from '../lists/export-entities.ts';

const NAME_CHARS_MAX = 255;
const FILTERS_MAX = 20;
const FILTER_CHARS_MAX = 100;
const VALUES_MAX = 20;
const VALUE_CHARS_MAX = 1000;
const COLUMNS_MAX = 200;
const TITLE_CHARS_MAX = 300;
const VIEW_CHARS_MAX = 32 * 1024;

const lists = [
  'entities',
  'positions',
  'ledger',
  'orders',
  'lines',
  'requirements',
  'suppliers',
  'supplierParts',
  'imports',
] as const;

export const ViewList = z.enum(lists).meta({
  description: 'The list that the view shows. The service checks and applies views of `entities`.',
  examples: ['entities'],
});

const Value = z.string().min(1).max(VALUE_CHARS_MAX);

const Filters = mapOf(
  z.union([Value.transform((one) => [one]), z.array(Value).min(1).max(VALUES_MAX)]),
  FILTERS_MAX,
)
  .refine((filters) => Object.keys(filters).every((name) => name !== '' && name.length <= FILTER_CHARS_MAX), {
    error: `must have names of 1 to ${FILTER_CHARS_MAX} characters`,
  })
  .meta({
    description:
      'Parameters of the list with their values. Of `entities`: `category`, `state`, `role`, `number`, `archived`, `q` and `where`.',
    examples: [{ category: ['part'], where: ['Mass:lt:0.5'] }],
  });

const Sort = z
  .string()
  .min(1)
  .max(TITLE_CHARS_MAX)
  .nullable()
  .default(null)
  .meta({
    description:
      'Sort order; null for that of the list. Of `entities` as in `GET /entities`, without `best`.',
    examples: ['properties.Mass'],
  });
const Order = z.enum(['asc', 'desc']).nullable().default(null);
const Columns = z
  .array(z.string().min(1).max(TITLE_CHARS_MAX))
  .min(1)
  .max(COLUMNS_MAX)
  .nullable()
  .default(null)
  .meta({
    description: `Columns, in order; null for those of the list. Of \`entities\` the titles of its CSV: ${entityTitles.map((title) => `\`${title}\``).join(', ')} and \`${PROPERTY_TITLE}KEY\`.`,
    examples: [['number', 'name', 'properties.Mass']],
  });

export const ViewId = z.uuid().describe('Id of the saved view.');
/** The parameter `view` of a list of entities. */
export const byView = {
  view: ViewId.optional().describe(
    'Id of a saved view of `entities`, whose filters and order count; a filter or order given beside it replaces that of the view.',
  ),
};
export const ViewParams = z.strictObject({ id: ViewId });

const Name = oneLine(NAME_CHARS_MAX).meta({ examples: ['Light brackets'] });

export const SavedView = z
  .object({
    id: ViewId,
    name: Name,
    list: ViewList,
    shared: z.boolean().meta({ description: 'Whether all callers of the workspace see it.' }),
    filters: z.record(z.string(), z.array(z.string())),
    sort: z.string().nullable(),
    order: z.enum(['asc', 'desc']).nullable(),
    columns: z.array(z.string()).nullable(),
    owner: z
      .object({ id: z.uuid(), name: z.string() })
      .meta({ description: 'The caller that saved it, with its name at that time.' }),
    mine: z.boolean().meta({ description: 'Whether the caller of this request saved it.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SavedView', description: 'Filters, order and columns of a list under a name.' });
export type SavedView = z.output<typeof SavedView>;

const shared = z
  .boolean()
  .default(false)
  .meta({ description: 'Whether all callers of the workspace see it.' });

const isShort = (view: object) => JSON.stringify(view).length <= VIEW_CHARS_MAX;
const tooLong = { error: `must have at most ${VIEW_CHARS_MAX} characters as JSON` };

export const NewView = z
  .strictObject({
    name: Name,
    list: ViewList,
    shared,
    filters: Filters.default({}),
    sort: Sort,
    order: Order,
    columns: Columns,
  })
  .refine(isShort, tooLong)
  .meta({ id: 'NewSavedView' });
export type NewView = z.output<typeof NewView>;

export const ViewReplacement = z
  .strictObject({
    name: Name,
    shared,
    filters: Filters.default({}),
    sort: Sort,
    order: Order,
    columns: Columns,
    ...readOnly(SavedView, ['id', 'list', 'owner', 'mine', 'createdAt', 'updatedAt'], {
      drifting: ['updatedAt'],
    }),
  })
  .refine(isShort, tooLong)
  .meta({ id: 'SavedViewReplacement' });
export type ViewReplacement = z.output<typeof ViewReplacement>;
