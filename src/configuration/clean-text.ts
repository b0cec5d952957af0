/** Cleans the texts of entities on their way in: Unicode normalisation, blanks at both ends, and characters that nobody sees. */

/** Text of printable ASCII needs no normalisation and hides nothing. */
const plain = /^[\x20-\x7e]*$/;
const SPACE = 0x20;

/** Characters that override the direction of the text around them, so that it is read in another order than it is stored. */
const overrides = '\\u202a-\\u202e\\u2066-\\u2069';
/** Everything that a single line cannot show: control characters, line breaks, and direction overrides. */
const hiddenInLine = new RegExp(`[\\p{Cc}\\u2028\\u2029${overrides}]`, 'u');
const directionOverrides = new RegExp(`[${overrides}]`, 'gu');
const lineBreaks = /[\p{Cc}\u2028\u2029]+/gu;
/** In an identifier also characters of no width, which make two numbers that look equal. */
const hiddenInNumber = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const noWidth = /\p{Cf}+/gu;
/** A longer text may have line breaks and tabs. */
const hiddenInText = new RegExp(`[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f${overrides}]`, 'u');
const hiddenInTextAll = new RegExp(hiddenInText.source, 'gu');

/** A name: one line, normalised (NFC) and without blanks at its ends. */
export function cleanName(text: string): string {
  if (plain.test(text)) return trimmed(text);
  return text.normalize('NFC').replace(directionOverrides, '').replace(lineBreaks, ' ').trim();
}

/** A number: as a name, and without characters that have no width. */
export function cleanNumber(text: string): string {
  if (plain.test(text)) return trimmed(text);
  return text.normalize('NFC').replace(noWidth, '').replace(lineBreaks, ' ').trim();
}

/** The value of a text property: normalised (NFC), with its blanks, line breaks and tabs. */
export function cleanText(text: string): string {
  if (plain.test(text)) return text;
  return text.normalize('NFC').replace(hiddenInTextAll, '');
}

/** Whether cleaning takes characters out of the text that are more than blanks at its ends. */
export const isCleanName = (text: string) => plain.test(text) || !hiddenInLine.test(text.trim());
export const isCleanNumber = (text: string) => plain.test(text) || !hiddenInNumber.test(text.trim());
export const isCleanText = (text: string) => plain.test(text) || !hiddenInText.test(text);

function trimmed(text: string): string {
  const { length } = text;
  const hasBlanks = text.charCodeAt(0) === SPACE || text.charCodeAt(length - 1) === SPACE;
  return hasBlanks ? text.trim() : text;
}

/** How many characters a text has; a character outside of the basic plane counts once. */
export function charsOf(text: string, enough: number): number {
  // Two units at most make a character, and most texts are far below the limit.
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}
