/** The exchange rates of a day into one currency, as every conversion of money reads them. */
import type { Tx } from '../db/transaction.ts';
import { type Rational, rational } from '../units/rational.ts';
import { selectRatesInto } from './exchange-rates.sql.ts';
import type { Money } from './money.ts';

/** Rates have nine fractional digits. */
export const RATE_SCALE = 9;
export const RATE_ONE = 10n ** BigInt(RATE_SCALE);

interface Applied {
  readonly factor: Rational;
  readonly validFrom: string;
}

/** The rates into one currency. */
export interface Rates {
  readonly into: string;
  readonly of: ReadonlyMap<string, Applied>;
}

interface FoundRow {
  code: string;
  is_direct: boolean;
  rate: string;
  valid_from: string;
}

/** Returns the rates that apply on the day: the newest of both directions. */
export async function readRates(
  tx: Tx,
  { currencies, into, day }: { currencies: readonly string[]; into: string; day: string },
): Promise<Rates> {
  const others = [...new Set(currencies)].filter((code) => code !== into);
  const rows =
    others.length === 0 ? [] : await tx.query<FoundRow>(selectRatesInto, [tx.workspaceId, others, into, day]);
  const applied = rows.map(({ code, is_direct: isDirect, rate, valid_from: validFrom }) => {
    const digits = BigInt(rate.replace('.', ''));
    const factor = isDirect ? rational(digits, RATE_ONE) : rational(RATE_ONE, digits);
    return [code, { factor, validFrom }] as const;
  });
  return { into, of: new Map(applied) };
}

/** Converts money exactly, and rounds half up to a millionth. */
export function converted(amount: Money, { numerator, denominator }: Rational): Money {
  return (2n * amount * numerator + denominator) / (2n * denominator);
}
