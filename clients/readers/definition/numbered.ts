/**
 * Columns that stand several times under a number, such as `Supplier 1`, `Supplier 2`: lists of electronics have as many as
 * their longest line needs. A definition names them once, with `{n}` for the number, and takes those that a file has.
 */
import type { ImportDefinition } from './import-definition.schema.ts';

export const NUMBER_SIGN = '{n}';
/** From 1. */
export const NUMBERED_MAX = 50;

type Properties = ImportDefinition['properties'];
type Source = Properties[string];

export function isNumbered(source: string | { column: string }): boolean {
  return (typeof source === 'string' ? source : source.column).includes(NUMBER_SIGN);
}

export function atNumber(text: string, n: number): string {
  return text.replaceAll(NUMBER_SIGN, String(n));
}

/** The properties with the numbers for which there are columns; the others as they stand. */
export function expandNumbered(
  properties: Properties,
  has: (column: string) => boolean,
): [key: string, source: Source][] {
  return Object.entries(properties).flatMap(([key, source]): [string, Source][] => {
    if (!isNumbered(source)) return [[key, source]];
    return Array.from({ length: NUMBERED_MAX }, (_, at) => at + 1).flatMap((n): [string, Source][] => {
      const column = atNumber(typeof source === 'string' ? source : source.column, n);
      if (!has(column)) return [];
      return [[atNumber(key, n), typeof source === 'string' ? column : { ...source, column }]];
    });
  });
}
