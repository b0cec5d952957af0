/** Prices and amounts of money: exact decimals with at most 6 fractional digits, in millionths. In JSON they are texts. */
import { z } from 'zod';
import { decimalOf, type Micro, microOfDecimal } from '../quantity.ts';
import type { Rational } from '../units/rational.ts';

/** Millionths of a currency. A price has at most 9 integer digits, an amount more. */
export type Money = bigint;

const priceForm = /^\d{1,9}(\.\d{1,6})?$/;

export const givenPrice = (what: string) =>
  z
    .string()
    .regex(priceForm, {
      error: 'must be a decimal such as "0.0123", with at most 9 integer and 6 fractional digits',
    })
    .describe(`${what} A decimal as text, so that it stays exact: at most 9 integer and 6 fractional digits.`)
    .meta({ examples: ['0.0123'] });

export const shownMoney = (what: string, example = '12.5') =>
  z
    .string()
    .describe(`${what} A decimal as text.`)
    .meta({ examples: [example] });

export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be a currency code of three capitals, such as EUR' })
  .meta({ description: 'Currency code (ISO 4217).', examples: ['EUR'] });

/** Reads a decimal that has passed `givenPrice`, or that PostgreSQL wrote. */
export function moneyOf(text: string): Money {
  const [whole = '0', fraction = ''] = text.split('.');
  return microOfDecimal(`${whole}.${fraction.padEnd(6, '0')}`);
}

/** Returns the shortest decimal of the money: `12.5`, `0.0123`, `100`. */
export function moneyText(money: Money): string {
  return decimalOf(money).replace(/\.?0+$/, '');
}

/** Returns what a quantity costs at a price for one unit of `factor` base units, rounded half up to a millionth. */
export function amountAt(price: Money, quantity: Micro, { numerator, denominator }: Rational): Money {
  const [dividend, divisor] = [price * quantity * denominator, numerator * 1_000_000n];
  return (2n * dividend + divisor) / (2n * divisor);
}

/** Reads a price that a call may leave out, or clear with null. */
export function moneyGiven(text: string | null | undefined): Money | null | undefined {
  return text == null ? text : moneyOf(text);
}
