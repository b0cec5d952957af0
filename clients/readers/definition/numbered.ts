/**
 * Columns that stand several times under a number, such as `Supplier 1`, `Supplier 2`: lists of electronics have as many as
 * their longest line needs. A definition names them once, with `{n}` for the number, and takes those that a file has.
 */
export const NUMBER_SIGN = '{n}';
/** From 1. */
export const NUMBERED_MAX = 50;

/** A column, or a column with what its values are. */
type Source = string | { column: string };

export function isNumbered(source: Source): boolean {
  return (typeof source === 'string' ? source : source.column).includes(NUMBER_SIGN);
}

export function atNumber(text: string, n: number): string {
  return text.replaceAll(NUMBER_SIGN, String(n));
}

/** The properties with the numbers for which there are columns; the others as they stand. */
export function expandNumbered<Of extends Source>(
  properties: Readonly<Record<string, Of>>,
  has: (column: string) => boolean,
): [key: string, source: Of][] {
  return Object.entries(properties).flatMap(([key, source]): [string, Of][] => {
    if (!isNumbered(source)) return [[key, source]];
    return Array.from({ length: NUMBERED_MAX }, (_, at) => at + 1).flatMap((n): [string, Of][] => {
      const column = atNumber(typeof source === 'string' ? source : source.column, n);
      if (!has(column)) return [];
      const own = typeof source === 'string' ? column : { ...(source as { column: string }), column };
      return [[atNumber(key, n), own as Of]];
    });
  });
}
