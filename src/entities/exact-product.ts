/** Products of decimal quantities along a path, exact however deep it is. */

/** `digits` times ten to the power of minus `scale`; no trailing zeros behind the point. */
export interface Exact {
  digits: bigint;
  scale: number;
}

export const one: Exact = { digits: 1n, scale: 0 };

/** Times a decimal in PostgreSQL's text form. */
export function timesDecimal({ digits, scale }: Exact, decimal: string): Exact {
  const [whole, fraction = ''] = decimal.split('.') as [string, string?];
  const significant = fraction.replace(/0+$/, '');
  let product = digits * BigInt(whole + significant);
  let places = scale + significant.length;
  while (places > 0 && product % 10n === 0n) {
    product /= 10n;
    places--;
  }
  return { digits: product, scale: places };
}

/** As JSON writes a number, every digit of it. */
export function exactText({ digits, scale }: Exact): string {
  if (scale === 0) return String(digits);
  const text = String(digits).padStart(scale + 1, '0');
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
