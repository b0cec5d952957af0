/** The template of printed orders, as the API shows and takes it. */
import { z } from 'zod';
import { documentLimits } from '../../config.ts';

/** The columns that a printed order can have, each with its title by default. */
const documentColumns = {
  position: 'Pos.',
  itemNumber: 'Part',
  itemName: 'Description',
  itemRevision: 'Revision',
  sku: 'Your part no.',
  manufacturer: 'Manufacturer',
  mpn: 'MPN',
  quantity: 'Quantity',
  unit: 'Unit',
  packs: 'Packs',
  packQuantity: 'Per pack',
  price: 'Price',
  currency: 'Currency',
  amount: 'Amount',
  requiredBy: 'Required by',
  location: 'Deliver to',
  lineNumber: 'Line',
  state: 'State',
} as const;
export type DocumentField = keyof typeof documentColumns;
const fields = Object.keys(documentColumns) as [DocumentField, ...DocumentField[]];

const defaultFields = [
  'position',
  'itemNumber',
  'itemName',
  'sku',
  'mpn',
  'quantity',
  'unit',
  'price',
  'amount',
  'requiredBy',
] as const satisfies readonly DocumentField[];

/** The words that a printed order consists of, each by default in English. */
const defaultWords = {
  purchaseOrder: 'Purchase order',
  salesOrder: 'Sales order',
  manufacturingOrder: 'Manufacturing order',
  date: 'Date',
  supplier: 'Supplier',
  customer: 'Customer',
  ourReference: 'Our reference',
  theirReference: 'Your reference',
  total: 'Total',
  unprinted: 'Characters that this document cannot print',
} as const;
export type DocumentWord = keyof typeof defaultWords;

const title = z.string().trim().min(1).max(documentLimits.titleCharsMax);
const text = (what: string, example: string) =>
  z
    .string()
    .max(documentLimits.textCharsMax)
    .meta({ description: what, examples: [example] });

const words = z
  .strictObject(
    Object.fromEntries(
      Object.entries(defaultWords).map(([key, word]) => [
        key,
        title.default(word).meta({ description: `Instead of "${word}".`, examples: [word] }),
      ]),
    ) as Record<DocumentWord, z.ZodDefault<typeof title>>,
  )
  .describe('The words on the document, such as in the language of the suppliers.');

const column = z.strictObject({
  field: z.enum(fields).meta({ description: 'What the column shows.', examples: ['sku'] }),
  title: title.meta({ description: 'Its title.', examples: ['Your part no.'] }),
});

const columns = z
  .array(column)
  .min(1)
  .max(documentLimits.columnsMax)
  .refine((given) => new Set(given.map(({ field }) => field)).size === given.length, {
    error: 'must not show a field twice',
  })
  .describe(`The columns of the lines, 1 to ${documentLimits.columnsMax}, from left to right.`);

const sender = text(
  'Name and address of the sender; the first line is printed bold.',
  'Rover Works AB\nPlant road 4\n123 45 Town',
);
const header = text('Text above the lines.', 'Please confirm this order within two days.');
const footer = text('Text at the foot of each page.', 'VAT SE123456789001');
const paper = z.enum(['A4', 'Letter']).meta({ description: 'The size of the pages.', examples: ['A4'] });
const decimalSign = z.enum(['.', ',']).meta({
  description: 'The decimal sign of quantities and prices in PDF; CSV always has a point.',
  examples: ['.'],
});

export const OrderTemplate = z
  .strictObject({
    sender,
    header,
    footer,
    paper,
    decimalSign,
    columns,
    words: z.strictObject(
      Object.fromEntries(Object.entries(words.shape).map(([key, word]) => [key, word.unwrap()])) as Record<
        DocumentWord,
        typeof title
      >,
    ),
  })
  .describe('How the workspace prints its orders.')
  .meta({ id: 'OrderTemplate' });
export type OrderTemplate = z.output<typeof OrderTemplate>;

export const NewOrderTemplate = z
  .strictObject({
    sender: sender.default(''),
    header: header.default(''),
    footer: footer.default(''),
    paper: paper.default('A4'),
    decimalSign: decimalSign.default('.'),
    columns: columns.default(() => defaultFields.map((field) => ({ field, title: documentColumns[field] }))),
    words: words.default(() => ({ ...defaultWords })),
  })
  .describe('How the workspace is to print its orders. Fields that are omitted are reset to their defaults.')
  .meta({ id: 'NewOrderTemplate' });

/** The template of a workspace that has none. */
export const plainTemplate: OrderTemplate = NewOrderTemplate.parse({});
