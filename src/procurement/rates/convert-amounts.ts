/** Converts amounts into one currency by the rates of a day. A currency without a rate is named, and never counts as zero. */
import { type Money, moneyText } from '../../money/money.ts';
import { converted, RATE_ONE, RATE_SCALE, type Rates } from '../../money/read-rates.ts';
import type { Rational } from '../../units/rational.ts';

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
    /** It is null if no amount is known in the currency, or can be converted into it. */
    amounts:
      inIt === undefined && applied.length === 0
        ? null
        : (Object.fromEntries(amounts) as Record<Figure, Money>),
  };
}

/** Converts amounts by currency into one. */
export function convertedAmount(rates: Rates, amounts: readonly { currency: string; amount: Money }[]) {
  const sums = new Map<string, { amount: Money }>();
  for (const { currency, amount } of amounts)
    sums.set(currency, { amount: (sums.get(currency)?.amount ?? 0n) + amount });
  const { amounts: totals, ...how } = convert(rates, sums, ['amount']);
  return { ...how, amount: totals === null ? null : moneyText(totals.amount) };
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
