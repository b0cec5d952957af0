/** Shows values of callers in messages. */

/** Characters without a width, and those that change the direction of the text around them: a message shows their codes. */
const invisible = /[\p{Cf}\u2028\u2029]/gu;

/** The value as JSON, short enough for a message and safe to print. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return shown.toWellFormed().replace(invisible, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`;
}
