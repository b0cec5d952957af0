/** The schema of supplier parts in an import definition. */
import { z } from 'zod';
import { isNumbered, NUMBERED_MAX } from './numbered.ts';
import { columnsOfSource } from './supplier-parts.ts';

const Column = z.string().trim().min(1).max(255);
const SOURCES_MAX = 10;

const SupplierPartSource = z
  .strictObject({
    supplier: Column.optional().meta({ description: 'The name or code of the supplier.' }),
    supplierName: z.string().trim().min(1).max(200).optional().meta({
      description:
        'The supplier of all lines, for a file that has no column for it. Takes the place of `supplier`.',
    }),
    sku: Column.optional().meta({ description: "The supplier's number." }),
    manufacturer: Column.optional(),
    mpn: Column.optional().meta({ description: "The manufacturer's number." }),
    packQuantity: Column.optional().meta({ description: 'How much is in a pack.' }),
    minimum: Column.optional().meta({ description: 'The least that is ordered at once.' }),
    multiple: Column.optional().meta({ description: 'What an order is a multiple of.' }),
    leadTimeDays: Column.optional().meta({
      description: 'Days from the order to the receipt; "2 weeks" counts as 14.',
    }),
    price: Column.optional().meta({ description: 'The price for one, in `currency` or with its currency.' }),
    priceFrom: z.union([Column, z.number().positive()]).optional().meta({
      description: 'From which quantity the price applies: a column or a number. Default: 1.',
    }),
    currency: Column.optional().meta({ description: 'The currency code (ISO 4217), or a sign such as €.' }),
    currencyCode: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capitals, such as EUR' })
      .optional()
      .meta({
        description:
          'The currency of prices beside which the file names none. Default: that of the supplier.',
        examples: ['EUR'],
      }),
  })
  .refine(
    ({ supplier, supplierName }) => (supplier === undefined) !== (supplierName === undefined),
    'A supplier part has either "supplier", a column, or "supplierName".',
  )
  .refine(
    ({ sku, mpn }) => sku !== undefined || mpn !== undefined,
    'A supplier part has "sku" or "mpn", or both.',
  )
  .refine(
    (source) =>
      !columnsOfSource(source).some(isNumbered) ||
      isNumbered(source.supplier ?? source.sku ?? source.mpn ?? ''),
    'Where a column has {n}, the column of the supplier has it too; without such a column that of "sku", else of "mpn".',
  );
export type SupplierPartSource = z.output<typeof SupplierPartSource>;

export const SupplierPartSources = z
  .array(SupplierPartSource)
  .max(SOURCES_MAX)
  .default([])
  .meta({
    description: `Who sells the part of a line: at most ${SOURCES_MAX} entries. With \`{n}\` in its columns an entry is one supplier part for each number from 1 to ${NUMBERED_MAX} that the file has; \`Supplier\` counts as \`Supplier 1\`, and a column without \`{n}\` holds for all numbers. Columns with \`{n}\` may be missing. A line states a supplier part where its supplier is filled.`,
    examples: [
      [
        {
          supplier: 'Supplier {n}',
          sku: 'Supplier Part Number {n}',
          mpn: 'MPN',
          price: 'Supplier Unit Price {n}',
          currency: 'Supplier Currency {n}',
        },
      ],
    ],
  });
