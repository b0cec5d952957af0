/** Amounts of money as the command line and the app show them. */

/** Returns an exact amount with at least the fractional digits of its currency: `25.00 EUR`, `0.0125 EUR`. */
export function amountText(amount: string, currency: string | null): string {
  const { minimumFractionDigits: least = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency ?? 'EUR',
  }).resolvedOptions();
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(least, '0');
  return `${whole}${digits === '' ? '' : `.${digits}`}${currency === null ? '' : ` ${currency}`}`;
}
