/** Converts amounts into one currency by the rates of a day. A currency without a rate is named, and never counts as zero. */
import type { Tx } from '../../db/transaction.ts';
import { type Rational, rational } from '../../units/rational.ts';
import { type Money, moneyText } from '../records/money.ts';
import { selectRatesInto } from './exchange-rates.sql.ts';

/** Rates have nine fractional digits. */
const RATE_SCALE = 9;
const RATE_ONE = 10n ** BigInt(RATE_SCALE);

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

/**
 * Converts sums by currency and adds them up. Each sum is converted exactly and rounded half up to a millionth. `figures` names what is summed for
 * each currency.
 */
export function convert<Figure extends string>(
  rates: Rates,
  sums: ReadonlyMap<string, Readonly<Record<Figure, Money>>>,
  figures: readonly Figure[],
) {
  const used = [...sums.keys()].toSorted();
  const applied = used.flatMap((code) => {
    const one = rates.of.get(code);
    return one === undefined ? [] : [{ code, ...one }];
  });
  const inIt = sums.get(rates.into);
  const amounts = figures.map((figure) => {
    const others = applied.map(({ code, factor }) => converted(sums.get(code)?.[figure] ?? 0n, factor));
    return [figure, others.reduce((sum, one) => sum + one, inIt?.[figure] ?? 0n)] as const;
  });
  return {
    currency: rates.into,
    rates: applied.map(({ code, factor, validFrom }) => ({
      currency: code,
      rate: rateText(factor),
      validFrom,
    })),
    missing: used.filter((code) => code !== rates.into && !rates.of.has(code)),
    amounts: Object.fromEntries(amounts) as Record<Figure, Money>,
  };
}

function converted(amount: Money, { numerator, denominator }: Rational): Money {
  return (2n * amount * numerator + denominator) / (2n * denominator);
}

/** Converts amounts by currency into one. */
export function convertedAmount(rates: Rates, amounts: readonly { currency: string; amount: Money }[]) {
  const sums = new Map<string, { amount: Money }>();
  for (const { currency, amount } of amounts)
    sums.set(currency, { amount: (sums.get(currency)?.amount ?? 0n) + amount });
  const { amounts: totals, ...how } = convert(rates, sums, ['amount']);
  return { ...how, amount: moneyText(totals.amount) };
}

/** The shortest decimal of the rate, rounded half up to its nine fractional digits. */
function rateText({ numerator, denominator }: Rational): string {
  const digits = (2n * numerator * RATE_ONE + denominator) / (2n * denominator);
  return shortRate(digits);
}

/** Returns the shortest decimal of a rate as PostgreSQL writes it. */
export function rateOfDecimal(decimal: string): string {
  return shortRate(BigInt(decimal.replace('.', '')));
}

function shortRate(digits: bigint): string {
  const text = String(digits).padStart(RATE_SCALE + 1, '0');
  return `${text.slice(0, -RATE_SCALE)}.${text.slice(-RATE_SCALE)}`.replace(/\.?0+$/, '');
}
