/** Amounts of money as the command line, the app and printed documents show them. */

const digitsOf = new Map<string, number>();

/** Returns an exact amount with at least the fractional digits of its currency: `25.00`, `0.0125`; it is never rounded. */
export function amountDigits(amount: string, currency: string | null): string {
  const least = fractionalDigits(currency ?? 'EUR');
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(least, '0');
  return `${whole}${digits === '' ? '' : `.${digits}`}`;
}

/** Returns the same with the currency behind it: `25.00 EUR`. */
export function amountText(amount: string, currency: string | null): string {
  return `${amountDigits(amount, currency)}${currency === null ? '' : ` ${currency}`}`;
}

function fractionalDigits(currency: string): number {
  const known = digitsOf.get(currency);
  if (known !== undefined) return known;
  const { minimumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  digitsOf.set(currency, minimumFractionDigits);
  return minimumFractionDigits;
}
