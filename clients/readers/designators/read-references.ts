/** Reference designators as tools list them: `C4, C3, C2, `, `R1 R2`, `R1-R4`, `C1..C10`, `D1 to D3`, `R1 & R2`. */

const RANGE_MAX = 10_000;

const DESIGNATOR = '[A-Za-z_]{1,8}\\d{1,6}[A-Za-z]?';
const one = new RegExp(`^${DESIGNATOR}$`);
const words = 'to|thru|through|until|bis|à|a|au|hasta|até|do|tot|по';
const rangeText = new RegExp(
  `(?<![\\w-])([A-Za-z_]{1,8})(\\d{1,6})(?:\\s*(?:-|–|—|~|～|\\.{2,3}|…|至|到|から)\\s*|\\s+(?:${words})\\s+)(?:\\1)?(\\d{1,6})(?![\\w.-])`,
  'gi',
);
const between = /[\s,;]+/;
const otherSigns = /[\s,;|/&+、，；]+|\s(?:and|und|et|y|e|en|i|и|和)\s/;

/** The designators in a text. What only looks like a range stays one text. */
export function readReferences(text: string): string[] {
  if (text === '') return [];
  const spread = text.replaceAll(rangeText, (whole, letters: string, first: string, last: string) => {
    const count = Number(last) - Number(first) + 1;
    if (count < 2 || count > RANGE_MAX) return whole;
    return Array.from({ length: count }, (_, at) => `${letters}${Number(first) + at}`).join(' ');
  });
  const plain = pieces(spread, between);
  if (plain.every((piece) => one.test(piece))) return plain;
  const finer = pieces(spread.replaceAll(/\s(?:and|und|et|y|e|en|i|и|和)\s/gi, ' '), otherSigns);
  // Other signs separate designators only where nothing else stands between them.
  return finer.every((piece) => one.test(piece)) ? finer : plain;
}

function pieces(text: string, separator: RegExp): string[] {
  return text.split(separator).filter((piece) => piece !== '');
}

/** Shorter than what is read as one: part numbers such as BRKT100 are told from designators by it. */
const typical = /^[A-Za-z]{1,5}\d{1,5}[A-Za-z]?$/;

/** Whether every piece of the text is a designator. */
export function isReferences(text: string): boolean {
  const found = readReferences(text);
  return found.length > 0 && found.every((piece) => typical.test(piece));
}

/** The pieces of a text that are no designators; it cannot be counted by them. */
export function oddReferences(references: readonly string[]): string[] {
  return references.filter((piece) => !one.test(piece));
}
