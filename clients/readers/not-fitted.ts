/**
 * The words for a component that is not fitted. Strong words mean nothing else, so they count in any column of a line and
 * beside other text; weak ones (NC, NP …) are also words of other trades and count only where a column speaks of fitting or
 * of a component's value.
 */

const acronyms = 'dnp|dnf|dni|dnl|dnm|dnpop|nopop|nostuff|nofit|noload|d\\.n\\.p\\.?|d\\.n\\.f\\.?';
const phrases = [
  '(?:do|does)[ _-]?not[ _-]?(?:populate|place|fit|load|install|mount|stuff|assemble|use)',
  "don'?t[ _-](?:populate|place|fit|load|install|mount|stuff|assemble)",
  '(?:not|un)[ _-]?(?:populated|placed|fitted|loaded|installed|mounted|stuffed|assembled)',
  'no[ _-](?:populate|pop|fit|load|stuff|mount|place)',
  'excluded? from b\\.?o\\.?m\\.?',
  'nicht[ _-](?:bestückt|bestuckt|bestueckt|bestücken|bestuecken|einbauen|montieren)',
  'unbestückt',
  'non[ _-](?:monté|monte|implanté|câblé)',
  'no (?:montar|montado|poblado)',
  'non (?:montare|montato)',
  'não (?:montar|montado)',
  'niet (?:plaatsen|geplaatst|monteren)',
  'nie montować',
  'не (?:устанавливать|установлен|монтировать)',
  '不贴装?|不焊接?|不安装|空贴|未実装|非実装|実装しない',
].join('|');

const whole = new RegExp(`^\\(?\\s*(?:${acronyms}|${phrases})\\s*\\)?$`, 'iu');
const within = new RegExp(`(?<![\\p{L}\\p{N}])(?:${acronyms}|${phrases})(?![\\p{L}\\p{N}])`, 'iu');
const weak =
  /^\(?\s*(?:nc|n\.c\.|np|n\.p\.|nm|nf|n\.f\.|n\.m\.|nu|n\.u\.|dns|dnc|ns|no connect|not used|unused|omit|omitted|none fitted)\s*\)?$/i;

const LONGEST = 40;

/** Whether the text as a whole means "not fitted", wherever it stands. */
export function saysNotFitted(text: string): boolean {
  return text.length >= 2 && text.length <= LONGEST && whole.test(text.trim());
}

/** Whether a value, quantity or flag means "not fitted": `DNP`, `NC`, `1 (DNF)`, `1k DNP`. */
export function meansNotFitted(text: string): boolean {
  return text.length >= 2 && (within.test(text) || weak.test(text.trim()));
}

/** The first characters of the strong words: the rest of a table is passed over by them. */
const beginnings = new Set([...'dDnNuUeE(нН不空未非実'].map((letter) => letter.charCodeAt(0)));

/** The same as `saysNotFitted` for every cell of a large table: most are told apart by length and first letter. */
export function cellSaysNotFitted(text: string): boolean {
  if (text.length < 2 || text.length > LONGEST) return false;
  const first = text.charCodeAt(0);
  return (beginnings.has(first) || first === 0x20) && whole.test(text.trim());
}
