/** Text from a script, made fit for a JSON column: PostgreSQL takes neither U+0000 nor half characters. */

const REPLACEMENT = '\u{fffd}';

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** A copy of parsed JSON with clean keys and values. Throws a RangeError where it is nested more than `depthMax` deep. */
export function cleanJson(value: unknown, depthMax: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depthMax === 0) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, depthMax - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), cleanJson(item, depthMax - 1)]),
  );
}
