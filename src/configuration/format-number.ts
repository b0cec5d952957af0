/** Turns a counter's value into a number by the category's pattern. */

const run = /\{(0+)\}/;

/**
 * `formatNumber('PRT-{000000}', 42)` is `PRT-000042`. The run of zeros is the least width: a value with more
 * digits is written whole.
 */
export function formatNumber(pattern: string, value: number): string {
  return pattern.replace(run, (_, zeros: string) => String(value).padStart(zeros.length, '0'));
}
