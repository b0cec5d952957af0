/** Exchange rates as the API shows and takes them (contract §4.16), and what was converted by them. */
import { z } from 'zod';
import { Day } from '../../http/day.ts';
import { ListQuery } from '../../http/list.ts';
import { readOnly } from '../../http/read-only.ts';
import { Currency, shownMoney } from '../../money/money.ts';

const day = Day.meta({
  description: 'The first day on which the rate applies, until the next one begins.',
  examples: ['2026-12-01'],
});

const key = {
  from: Currency.describe('The currency that is converted.'),
  to: Currency.describe('The currency that it is converted into.'),
  validFrom: day,
};

const rate = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, {
    error: 'must be a decimal such as "0.9231", with at most 9 integer and 9 fractional digits',
  })
  .refine((text) => /[1-9]/.test(text), { error: 'must be above 0' })
  .meta({
    description: 'How much of `to` one unit of `from` is worth: a decimal as text, so that it stays exact.',
    examples: ['0.9231'],
  });

export const ExchangeRate = z
  .object({ ...key, rate })
  .describe('An exchange rate, from a day on.')
  .meta({ id: 'ExchangeRate' });
export type ExchangeRate = z.output<typeof ExchangeRate>;

export const NewExchangeRate = z
  .strictObject({ rate, ...readOnly(ExchangeRate, ['from', 'to', 'validFrom']) })
  .meta({ id: 'NewExchangeRate' });

export const ExchangeRateParams = z.strictObject(key);
export type RateKey = z.output<typeof ExchangeRateParams>;

export const ExchangeRateQuery = ListQuery.extend({
  from: Currency.optional().describe('Only rates of this currency.'),
  to: Currency.optional().describe('Only rates into this currency.'),
});
export type ExchangeRateQuery = z.output<typeof ExchangeRateQuery>;

export const intoCurrency = Currency.optional().describe(
  'A currency that the totals are converted into, by the exchange rates of the workspace.',
);

const AppliedRate = z.object({
  currency: Currency.describe('The currency that was converted.'),
  rate: z.string().meta({
    description:
      'How much of the other currency one unit of it is worth. An inverse rate is rounded to nine fractional digits here; amounts are converted exactly.',
    examples: ['0.9231'],
  }),
  validFrom: z.iso
    .date()
    .meta({ description: 'The day from which the rate applies.', examples: ['2026-12-01'] }),
});

export const conversionFields = {
  currency: Currency.describe('The currency that was asked for.'),
  rates: z.array(AppliedRate).describe('The rates that were applied.'),
  missing: z
    .array(Currency)
    .describe(
      'Currencies without a rate on that day. Their amounts are not in the converted ones, which are complete if there are none.',
    )
    .meta({ examples: [['CHF']] }),
};

export const ConvertedAmount = z
  .object({
    ...conversionFields,
    amount: shownMoney('The converted amounts, summed up; null if none is known.', '41.2').nullable(),
  })
  .meta({ id: 'ConvertedAmount', description: 'Amounts in several currencies, converted into one.' });
export type ConvertedAmount = z.output<typeof ConvertedAmount>;
