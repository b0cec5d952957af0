/** Suppliers as the API shows and takes them (contract §4.5). */
import { z } from 'zod';

/** So that the key of any name fits into an index. */
const NAME_CHARS_MAX = 200;

export const SupplierName = z
  .string()
  .max(NAME_CHARS_MAX)
  .regex(/\S/, { error: 'must not be blank' })
  .meta({ examples: ['DigiKey'] });

export const Supplier = z
  .object({
    name: z
      .string()
      .describe('As its newest order writes it.')
      .meta({ examples: ['DigiKey'] }),
  })
  .describe('From whom orders are.')
  .meta({ id: 'Supplier' });
export type Supplier = z.output<typeof Supplier>;
