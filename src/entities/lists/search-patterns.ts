/** How a text that is searched for is matched. */

/**
 * What the text is matched by, over number, space, name. A text of one or two characters has no trigram
 * inside a word, but one at its beginning: it is looked for there.
 */
export function patternsOf(q: string): string[] {
  const literal = q.replaceAll(/[\\%_]/g, '\\$&');
  return [...q].length > 2 ? [`%${literal}%`] : [`${literal}%`, `% ${literal}%`];
}

/** Whether the index can narrow the text down at all: `--` or `a/b` have no three characters it knows. */
export function hasTrigram(q: string): boolean {
  return [...q].length > 2
    ? /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(q)
    : /^[\p{L}\p{N}]/u.test(q);
}
