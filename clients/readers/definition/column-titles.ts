/** The titles of columns in all languages, put together from the lists in `titles`, and how a title is compared with them. */
import { chinese } from './titles/chinese.ts';
import { dutch } from './titles/dutch.ts';
import { english } from './titles/english.ts';
import { french } from './titles/french.ts';
import { german } from './titles/german.ts';
import { italian } from './titles/italian.ts';
import { japanese } from './titles/japanese.ts';
import { polish } from './titles/polish.ts';
import { portuguese } from './titles/portuguese.ts';
import { russian } from './titles/russian.ts';
import { spanish } from './titles/spanish.ts';
import type { ColumnRole, TitleList } from './titles/title-list.ts';

/** A list that has no column of quantities is read with this warning. */
export const NO_QUANTITIES = 'No column of quantities is named: a line in an assembly counts as 1.';

export const titleLists: Readonly<Record<string, TitleList>> = {
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  russian,
  chinese,
  japanese,
};

const lists = Object.values(titleLists);

/** In lower case, without colons. */
const totalWords: ReadonlySet<string> = new Set(lists.flatMap(({ totals }) => words(totals)));

/** Tells whether a text is the title of a row of totals: `Total:`. */
export function isTotalWord(text: string): boolean {
  return totalWords.has(text.toLowerCase().replace(/(?<![\s:])[\s:]+$/, ''));
}

/** Tells whether a text begins as the title of a row of totals: `Subtotal screws`, `Total parts: 12`. */
export function beginsAsTotal(text: string): boolean {
  const [first = ''] = text.trim().split(/[\s:]/, 1);
  return first !== '' && first.length < text.trim().length && isTotalWord(first);
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

/** A title without case, accents, blanks and signs, in any script. */
export function bareTitle(text: string): string {
  return text
    .replace(/n[°º]/gi, 'no ')
    .replaceAll('#', ' no ')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßøłæœđı]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Bare title to roles, each with its rank: the lower, the plainer. */
const byTitle = new Map<string, Map<ColumnRole, number>>();
for (const list of lists) {
  for (const [role, text] of Object.entries(list)) {
    if (role === 'decimal' || role === 'totals') continue;
    for (const [rank, word] of words(text).entries()) {
      const bare = bareTitle(word);
      const roles = byTitle.get(bare) ?? new Map<ColumnRole, number>();
      byTitle.set(bare, roles);
      const known = roles.get(role as ColumnRole);
      roles.set(role as ColumnRole, Math.min(known ?? rank, rank));
    }
  }
}

/** How well a title fits a role. */
export interface TitleFit {
  role: ColumnRole;
  /** 0: the whole title. 1: with a 1 behind it. 2: a part of it, set off by a sign. 3: a word within it. */
  by: 0 | 1 | 2 | 3;
  rank: number;
}

const SET_OFF = /[/()[\]|;:\n]|\s[-–]\s/;

/** The roles that a title speaks of. */
export function rolesOfTitle(title: string): TitleFit[] {
  const fits: TitleFit[] = [];
  const add = (bare: string, by: TitleFit['by']) => {
    for (const [role, rank] of byTitle.get(bare) ?? []) {
      if (!fits.some((fit) => fit.role === role)) fits.push({ role, by, rank });
    }
  };
  const bare = bareTitle(title);
  if (bare === '') return fits;
  add(bare, 0);
  if (/\D1$/.test(bare)) add(bare.slice(0, -1), 1);
  for (const piece of title.split(SET_OFF)) {
    const own = bareTitle(piece);
    if (own !== '' && own !== bare) add(own, 2);
  }
  for (const [role, within] of wordsWithin) {
    if (fits.some((fit) => fit.role === role)) continue;
    if (!within.some((word) => bare.includes(word)) || otherMatters.test(bare)) continue;
    if (role === 'number' && otherParts.test(bare)) continue;
    fits.push({ role, by: 3, rank: 0 });
  }
  return fits;
}

/**
 * Words that tell a column within a longer title, such as `Komponentenmenge`, for the roles without which a list is read
 * wrongly and not just less fully.
 */
const wordsWithin: readonly [ColumnRole, readonly string[]][] = [
  [
    'number',
    words(
      'part number, part no, item number, Teilenummer, Artikelnummer, Materialnummer, numéro pièce, número de pieza, codice articolo, onderdeelnummer, numer części, 料号, 物料编码, 品番, 部品番号, номер детали',
    ).map(bareTitle),
  ],
  [
    'level',
    words('level, Stufe, Ebene, niveau, livello, nivel, poziom, уровень, 层级, 阶层, 階層, レベル').map(
      bareTitle,
    ),
  ],
  [
    'quantity',
    words(
      'quantity, quantité, quantità, qty, Menge, Anzahl, cantidad, quantidade, aantal, hoeveelheid, ilość, количество, 数量, 用量, 数量, 員数',
    ).map(bareTitle),
  ],
  [
    'notFitted',
    words(
      'do not place, do not populate, do not fit, do not load, do not install, not fitted, not populated, exclude from bom, nicht bestückt',
    ).map(bareTitle),
  ],
];

/** Titles that speak of the number of another line. */
const otherParts = /parent|assembly|ubergeordnet|baugruppe|next|ensemble|conjunto|assieme/;

/** Titles that speak of other matters: `Order quantity`, `Lagermenge`, `Supplier Part Number`, `Revision Level`. */
export const otherMatters =
  /price|preis|prix|prezzo|precio|preco|prijs|cena|цена|单价|价格|cost|kosten|stock|bestand|lager|inventory|onhand|available|order|bestell|total|gesamt|minimum|maximum|spare|scrap|unit|einheit|supplier|vendor|lieferant|customer|kunde|revision|version|release|approv|access|status|库存|在庫/;

/** The decimal sign of the languages that the titles are in; null where they are in languages of both kinds, or in none. */
export function decimalOfTitles(titles: readonly string[]): '.' | ',' | null {
  const votes = { '.': 0, ',': 0 };
  for (const title of titles) {
    const bare = bareTitle(title);
    const speaking = lists.filter((list) => {
      const own = ownTitles.get(list) ?? new Set();
      return own.has(bare);
    });
    // Words of several languages say nothing.
    const signs = new Set(speaking.map(({ decimal }) => decimal));
    if (signs.size === 1) votes[[...signs][0] as '.' | ','] += 1;
  }
  if (votes[','] > votes['.']) return ',';
  return votes['.'] > 0 && votes[','] === 0 ? '.' : null;
}

const ownTitles = new Map<TitleList, Set<string>>(
  lists.map((list) => [
    list,
    new Set(
      Object.entries(list)
        .filter(([role]) => role !== 'decimal')
        .flatMap(([, text]) => words(text).map(bareTitle)),
    ),
  ]),
);
