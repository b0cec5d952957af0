/** Describes the values of a column, independently of its title. */
import { isReferences } from '../designators/read-references.ts';
import { isGuid } from '../guid.ts';
import { meansNotFitted, saysNotFitted } from '../not-fitted.ts';
import { isPlaceholder } from '../placeholders.ts';
import { onlySign, readDecimal } from '../read-decimal.ts';
import { pathSigns, plainItem } from '../table/line-depth.ts';
import { saysNo } from '../table/read-value.ts';
import { isTotalWord } from './column-titles.ts';

/** Texts in the column of quantities that mean "as much as is needed". */
const asRequired =
  /^(?:a\/?r|a\.r\.|as req(?:uired|'?d)?\.?|as needed|by need|n\.?b\.?|ref\.?|reference|nach bedarf|n\. ?b\.|s\.?b\.|au besoin|a\.b\.|q\.?s\.?|según necesidad|secondo necessità|naar behoefte|wg potrzeb|по потребности|适量|適量)$/i;

export function isAsRequired(text: string): boolean {
  return asRequired.test(text.trim());
}

const dotted = /^\d+(?:\.\d+)*\.?$/;
const index = /^[A-Za-z0-9]{1,4}(?:[.\-/][A-Za-z0-9]{1,4})*\.?$/;
const stepsOf = (item: string) => item.split(/[.\-/]/);

/** Whether the indices are all different, and those that are deeper than the first have the one above them earlier in the list. */
function isTree(items: readonly string[]): boolean {
  const base = stepsOf(items[0] ?? '').length;
  if (items.length < 2 || new Set(items).size !== items.length) return false;
  const seen = new Set<string>();
  return items.every((item) => {
    seen.add(item);
    return stepsOf(item).length <= base || seen.has(item.replace(/[.\-/][^.\-/]*$/, ''));
  });
}

/** The text before the last sign of a path: `A-1` of `A-1/P-1`. Empty where there is none. */
function pathAbove(text: string): string {
  const at = Math.max(...pathSigns.map((sign) => text.lastIndexOf(sign)));
  return at < 1 || at === text.length - 1 ? '' : text.slice(0, at).trim();
}

/** A position: `1`, `010`, `A3`, `1.2`. */
const position = /^[A-Za-z]?\d{1,6}(?:[.-]\d{1,4})*\.?$/;

export class ColumnFacts {
  readonly at: number;
  readonly title: string;
  /** The texts of all lines with their blanks; empty cells among them. */
  readonly all: readonly string[];
  /** The texts that are not empty, without blanks around them. */
  readonly texts: readonly string[];

  constructor(at: number, title: string, all: readonly string[]) {
    this.at = at;
    this.title = title;
    this.all = all;
    this.texts = all.map((text) => text.trim()).filter((text) => text !== '');
  }

  get isEmpty(): boolean {
    return this.texts.length === 0;
  }

  get distinct(): number {
    return new Set(this.texts).size;
  }

  /** The share of the filled cells that are so, from 0 to 1. */
  share(is: (text: string) => boolean): number {
    return this.texts.length === 0 ? 0 : this.texts.filter(is).length / this.texts.length;
  }

  /**
   * Whether the column counts its lines: 1, 2, 3, or 10, 20, 30, with gaps, or again from the beginning in each assembly, which
   * may stand between the lines of the assembly above it. Such a column identifies nothing.
   */
  get isCounting(): boolean {
    const numbers = this.texts.map((text) => (/^0*\d{1,6}\.?$/.test(text) ? Number.parseInt(text, 10) : -1));
    if (numbers.length === 0 || numbers.includes(-1)) return false;
    const [first = 0] = numbers;
    if (first > 10 || Math.max(...numbers) > 10 * (numbers.length + 2)) return false;
    const open: number[] = [];
    for (const number of numbers) {
      if (open.length > 0 && number > Math.max(1, first)) {
        while (open.length > 0 && (open.at(-1) as number) >= number) open.pop();
        if (open.pop() === undefined) return false;
      }
      open.push(number);
    }
    return true;
  }

  /** Whether every text is an index such as 1.2.3 and each stands below an earlier one. */
  get isDottedIndex(): boolean {
    const items = this.texts.map(plainItem);
    return (
      this.texts.every((text) => dotted.test(text)) &&
      items.some((item) => item.includes('.')) &&
      isTree(items)
    );
  }

  /** Recognises indices with letters and with other signs: `A.1`, `1-2`, `1/2/1`. */
  get isIndex(): boolean {
    const items = this.texts.map(plainItem);
    const depth = (item: string) => stepsOf(item).length;
    return (
      this.texts.every((text) => index.test(text)) &&
      items.some((item) => depth(item) > depth(items[0] ?? '')) &&
      isTree(items)
    );
  }

  /** Whether each line has a text of its own that goes on from the text of another: `A-1`, `A-1/P-1`, `A-1/P-1/P-2`. */
  get isPath(): boolean {
    const { texts, all } = this;
    const own = new Set(texts);
    if (own.size < all.length || this.isLinks) return false;
    const below = texts.filter((text) => own.has(pathAbove(text)));
    return below.length >= Math.max(1, (texts.length - 1) / 2);
  }

  /** Whether most texts have several steps: `Frame/Leg`, `Frame > Leg`. */
  get hasSteps(): boolean {
    return this.share((text) => pathAbove(text) !== '') >= 0.5;
  }

  /** Texts with a fraction behind a dot, as indices have them. */
  get hasDots(): boolean {
    return this.texts.some((text) => /^\s*\d+(?:\.\d+)+\.?\s*$/.test(text));
  }

  get isPosition(): boolean {
    return this.share((text) => position.test(text)) >= 0.8;
  }

  get isReferences(): boolean {
    return this.share(isReferences) >= 0.6;
  }

  /** Numbers, with units or without, and the words that stand in their place. */
  get isQuantity(): boolean {
    const counted = this.texts.filter((text) => !isTotalWord(text));
    return counted.length > 0 && counted.filter(isQuantityText).length >= 0.6 * counted.length;
  }

  get isPlainNumbers(): boolean {
    return this.share((text) => readDecimal(text, '.') !== null || readDecimal(text, ',') !== null) >= 0.9;
  }

  get isGuid(): boolean {
    return !this.isEmpty && this.texts.every(isGuid);
  }

  get isLinks(): boolean {
    return this.share((text) => /^(?:https?:\/\/|www\.)/i.test(text)) >= 0.5;
  }

  get isYesOrNo(): boolean {
    return (
      this.share((text) => saysNo(text) || /^(?:yes|true|x|y|1|ja|j|oui|s[ií]|да|是)$/i.test(text)) >= 0.9
    );
  }

  get hasNotFittedValues(): boolean {
    return this.texts.some(meansNotFitted);
  }

  /** Codes such as manufacturers give: letters and digits without blanks, most of them different. */
  get isCodes(): boolean {
    const codes = this.texts.filter((text) => !isPlaceholder(text) && !saysNotFitted(text));
    if (codes.length === 0) return false;
    const fits = codes.filter((text) => /^[A-Za-z0-9][\w.,/+#()-]{5,}$/.test(text) && /\d/.test(text));
    const mixed = fits.filter((text) => /[A-Za-z]/.test(text) || /^\d{8,}$/.test(text));
    return mixed.length >= codes.length * 0.7 && !this.isLinks && !this.isReferences;
  }

  /** Several words, as descriptions have them. */
  get isWords(): boolean {
    return this.share((text) => /\p{L}{2,}/u.test(text)) >= 0.6;
  }

  /** Blanks before the text: the first line stands at the margin, and a tenth of the others do not. */
  get isIndented(): boolean {
    const [first = ' ', ...others] = this.all.filter((text) => text.trim() !== '');
    return !/^\s/.test(first) && others.filter((text) => /^\s+\S/.test(text)).length > others.length / 10;
  }

  /** Dots, plus signs or dashes before the text in place of blanks, and never in the first line. */
  get isMarked(): boolean {
    const [first = '.', ...others] = this.texts;
    const isMark = (text: string) => /^(?:[.+>*·•|└├─]|-(?!\d)|\s)+[^\s.+>*·•|└├─-]/.test(text);
    return (
      !isMark(first) &&
      others.filter(isMark).length > others.length / 4 &&
      !this.isPlainNumbers &&
      this.isWords
    );
  }
}

function isQuantityText(text: string): boolean {
  return (
    readDecimal(text, '.') !== null ||
    readDecimal(text, ',') !== null ||
    isAsRequired(text) ||
    meansNotFitted(text)
  );
}

/**
 * The decimal sign that numbers show by themselves. Null where none has a sign that can be read in one way only; `mixed` where
 * they contradict each other.
 */
export function decimalOfNumbers(texts: readonly string[]): '.' | ',' | 'mixed' | null {
  const votes = { '.': 0, ',': 0 };
  for (const text of texts) {
    const figures = /^\D{0,2}([-+]?[\d.,'\s\u2019]*\d)\s*\D{0,6}$/.exec(text.trim())?.[1];
    if (figures === undefined || !/[.,]/.test(figures)) continue;
    if (readDecimal(figures, 'unambiguous') === null) continue;
    const sign = onlySign(figures.trim());
    if (sign !== null) votes[sign] += 1;
  }
  if (votes['.'] > 0 && votes[','] > 0) return 'mixed';
  return votes['.'] > 0 ? '.' : votes[','] > 0 ? ',' : null;
}
