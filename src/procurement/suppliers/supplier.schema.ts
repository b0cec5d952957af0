/** Suppliers as the API shows and takes them (contract §4.5). */
import { z } from 'zod';
import { LEAD_DAYS_MAX } from '../../calendar/working-calendar.ts';
import { ListQuery } from '../../http/list.ts';
import { oneLine } from '../../http/one-line.ts';
import { readOnly } from '../../http/read-only.ts';
import { Currency } from '../../money/money.ts';
import { SupplierName } from '../records/schemas/suppliers.schema.ts';
import { givenText, idOf, idOrNull, moment } from '../records/schemas/text.schema.ts';

/** Ten years: a longer lead time is a typing error. */
const CODE_CHARS_MAX = 64;
const CONTACT_CHARS_MAX = 2000;

export const leadTimeDays = z
  .int()
  .min(0)
  .max(LEAD_DAYS_MAX)
  .nullable()
  .meta({
    description: `Working days from the order to the receipt, 0 to ${LEAD_DAYS_MAX}; null: not known.`,
    examples: [14],
  });

const fields = {
  name: SupplierName.describe(
    'Its name. It is unique: case and spaces make no difference. Orders keep the name under which they were made.',
  ),
  code: oneLine(CODE_CHARS_MAX)
    .nullable()
    .meta({ description: 'A short code, such as the creditor number. It is unique.', examples: ['DK'] }),
  currency: Currency.nullable().describe('Currency of its prices (ISO 4217); null: not known.'),
  leadTimeDays,
  contact: z
    .string()
    .max(CONTACT_CHARS_MAX)
    .nullable()
    .meta({ description: 'Whom to call or write to.', examples: ['orders@digikey.example'] }),
  state: z.enum(['active', 'inactive']).meta({
    description: '`inactive`: no longer proposed for new orders.',
    examples: ['active'],
  }),
};

export const Supplier = z
  .object({
    id: idOf('The supplier.'),
    ...fields,
    state: z.enum(['active', 'inactive', 'merged']).meta({
      description:
        '`inactive`: no longer proposed for new orders. `merged`: another supplier has its orders and supplier parts now.',
      examples: ['active'],
    }),
    mergedIntoId: idOrNull('The supplier that has its orders and supplier parts now.'),
    createdAt: moment('When it was created.'),
  })
  .describe('A supplier of purchase orders.')
  .meta({ id: 'Supplier' });
export type Supplier = z.output<typeof Supplier>;

export const NewSupplier = z
  .strictObject({
    ...fields,
    code: fields.code.default(null),
    currency: fields.currency.default(null),
    leadTimeDays: leadTimeDays.default(null),
    contact: fields.contact.default(null),
    state: fields.state.default('active'),
  })
  .meta({ id: 'NewSupplier' });
export type NewSupplier = z.output<typeof NewSupplier>;

export const SupplierPatch = z
  .strictObject({
    ...z.object(fields).partial().shape,
    ...readOnly(Supplier, ['id', 'mergedIntoId', 'createdAt']),
  })
  .meta({ id: 'SupplierPatch' });

export const SupplierMerge = z
  .strictObject({
    into: z.uuid().meta({
      description: 'The supplier that remains.',
      examples: ['0199d0f0-0000-7000-8000-000000000002'],
    }),
  })
  .meta({ id: 'SupplierMerge' });

export const SupplierParams = z.strictObject({ id: z.uuid().meta({ description: 'The supplier.' }) });

export const SupplierQuery = ListQuery.extend({
  name: SupplierName.optional().describe(
    'Only the supplier that has this name, or had it before it was renamed or merged.',
  ),
  q: givenText('Only suppliers that have this text in their code or name.'),
  state: z.enum(['active', 'inactive']).optional().describe('Only suppliers in this state; by default both.'),
});
export type SupplierQuery = z.output<typeof SupplierQuery>;
