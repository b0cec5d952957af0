/** Reference designators as tools list them: `C4, C3, C2, `, `R1 R2`, `R1-R4`. */

const RANGE_MAX = 10_000;

export function readReferences(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .filter((one) => one !== '')
    .flatMap(expandRange);
}

/** `R1-R4` and `R1-4` are four. What only looks like a range is one. */
function expandRange(text: string): string[] {
  const range = /^([A-Za-z_]+)(\d+)[-–](?:\1)?(\d+)$/.exec(text);
  if (range === null) return [text];
  const [, letters = '', first = '', last = ''] = range;
  const count = Number(last) - Number(first) + 1;
  if (count < 2 || count > RANGE_MAX) return [text];
  return Array.from({ length: count }, (_, at) => `${letters}${Number(first) + at}`);
}
