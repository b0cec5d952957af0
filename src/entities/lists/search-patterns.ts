/** How a text that is searched for is matched. */

/**
 * What the text is matched by, over number, space, name. A text of one or two characters has no trigram
 * inside a word, but one at its beginning: it is looked for there. A number stands first.
 */
export function patternsOf(q: string): string[] {
  const number = numberSought(q);
  if (number !== null) return [`${literalOf(number)} %`];
  const literal = literalOf(q);
  return [...q].length > 2 ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
}

function literalOf(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** Whether the index can narrow the text down at all: `--` or `a/b` have no three characters it knows. */
export function hasTrigram(q: string): boolean {
  return [...q].length > 2
    ? /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(q)
    : /^[\p{L}\p{N}]/u.test(q);
}

const NUMBER_PREFIX = 'number:';

/** `number:` and a number, as counts name an entity too: exactly that one is meant. Null where the text says something else. */
export function numberSought(q: string | undefined): string | null {
  if (q?.startsWith(NUMBER_PREFIX) !== true) return null;
  const number = q.slice(NUMBER_PREFIX.length).trim();
  return number === '' ? null : number;
}

/** The filters with the number that the text names; null where it is another than the one that is asked for, so that nothing fits. */
export function withNumberSought<Filters extends { q?: string | undefined; number?: string | undefined }>(
  filters: Filters,
): Filters | null {
  const number = numberSought(filters.q);
  if (number === null) return filters;
  if (filters.number !== undefined && filters.number !== number) return null;
  return { ...filters, number, q: undefined };
}
