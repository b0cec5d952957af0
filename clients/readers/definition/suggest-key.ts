/** Finds the columns that tell the parts of a table apart: the key, its substitute, and the columns that must agree beside it. */
import { saysNotFitted } from '../not-fitted.ts';
import { isPlaceholder } from '../placeholders.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { Roles } from './column-roles.ts';
import { bareTitle, isTotalWord, otherMatters, rolesOfTitle } from './column-titles.ts';
import { WATCHED_MAX } from './import-definition.schema.ts';

export interface KeyColumns {
  key?: string | string[];
  number?: string;
  keyElse?: string[];
}

/**
 * The number where most lines have one, and for the others value and footprint, as lists of components have them, or the
 * name. Null where no column tells parts apart.
 */
export function keyOf(roles: Roles): KeyColumns | null {
  const number = roles.facts('number');
  const value = roles.title('value') ?? roles.title('name');
  // Parts that have nothing else in common share a footprint.
  const footprint = value === undefined ? undefined : roles.title('footprint');
  const own = roles.title('value') ?? footprint;
  const parts = own === undefined ? [] : [value, footprint].filter((title) => title !== undefined);
  const name = roles.title('name');
  const otherwise = parts.length > 0 ? parts : name === undefined ? [] : [name];
  if (number !== undefined) {
    const lines = linesOf(roles);
    const numbered = lines.filter((line) => isNumber(number.all[line] ?? ''));
    const isMissing = numbered.length < lines.length && otherwise.length > 0;
    // A table on its side has titles where the numbers should be.
    if (number.share(isTitle) >= 0.5) return null;
    const isNamed = numbered.length === 0 && otherwise.length > 0;
    if (!isNamed && (numbered.length >= lines.length / 2 || parts.length === 0)) {
      return isMissing ? { number: number.title, keyElse: otherwise } : { number: number.title };
    }
  }
  if (parts.length > 0) return { key: parts };
  if (name !== undefined) return { key: name };
  return roles.title('parent') !== undefined || hasLevelColumns(roles) ? {} : null;
}

function hasLevelColumns(roles: Roles): boolean {
  return (
    roles.table.filter(({ title }) =>
      /^(?:l|lvl|level|ebene|stufe|niveau|nivel|livello)?\d+$/.test(bareTitle(title)),
    ).length > 1
  );
}

/** The lines of parts, by their place: a quantity, a designator, a number, or a name beside something else. */
function linesOf(roles: Roles): number[] {
  const telling = (['number', 'quantity', 'references'] as const).flatMap((role) => roles.facts(role) ?? []);
  const count = roles.table[0]?.all.length ?? 0;
  const name = roles.facts('name') ?? roles.facts('value');
  return Array.from({ length: count }, (_, line) => line).filter((line) => {
    const text = (column: ColumnFacts | undefined) => column?.all[line]?.trim() ?? '';
    if (roles.table.some((column) => isTotalWord(text(column)))) return false;
    if (roles.table.some((column) => saysNotFitted(text(column)))) return false;
    return (
      telling.some((column) => text(column) !== '' && (text(name) !== '' || name === undefined)) ||
      isNumber(text(roles.facts('number')))
    );
  });
}

function isTitle(text: string): boolean {
  return rolesOfTitle(text).some(({ by }) => by === 0);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && !isPlaceholder(text) && !saysNotFitted(text);
}

/** Words that empty a cell by default, and need no rule. */
const emptyAnyway = new Set(['-', '--', 'n/a', 'no value', '#n/a']);
const NAMES_OF_A_PLACEHOLDER = 3;

/** Texts in the column of numbers that stand for several parts: words for "no number", and one text with many names. */
export function placeholdersOf(roles: Roles): string[] {
  const number = roles.facts('number');
  const name = roles.facts('name') ?? roles.facts('value');
  if (number === undefined || name === undefined || name === number) return [];
  const names = new Map<string, Set<string>>();
  for (const [line, cell] of number.all.entries()) {
    const text = cell.trim();
    if (text === '' || saysNotFitted(text)) continue;
    const of = names.get(text) ?? new Set<string>();
    names.set(text, of.add(name.all[line]?.trim() ?? ''));
  }
  return [...names].flatMap(([text, of]) => {
    if (emptyAnyway.has(text.toLowerCase())) return [];
    if (isPlaceholder(text)) return [text];
    const hasNoFigures = !/\d/.test(text) || /^(\d)\1*$/.test(text);
    return of.size >= NAMES_OF_A_PLACEHOLDER && hasNoFigures ? [text] : [];
  });
}

export interface Identity {
  /** Columns in which lines with one key differ: they belong to the key. */
  apart: string[];
  /** Holds the lines that `keyElse` tells apart. */
  apartElse: string[];
  /** No line of those that were looked at differs there, and the reader refuses one that does. */
  checked: string[];
  /** Columns of no known meaning in which lines with one key differ. */
  differing: string[];
  /** Other columns of no known meaning that may tell parts apart. */
  watched: string[];
}

/** The columns that identify parts beside the key. */
export function identityOf(
  table: readonly ColumnFacts[],
  roles: Roles,
  key: KeyColumns,
  placeholders: readonly string[],
): Identity {
  const keys = new Set([key.key ?? key.number ?? []].flat());
  const isByName = key.key !== undefined;
  const named = [
    ...(roles.facts('mpn') === undefined ? [] : [roles.facts('mpn') as ColumnFacts]),
    ...(['standard', 'size', 'material', 'manufacturer', 'revision'] as const).flatMap((role) =>
      roles.all(role),
    ),
    // A number that too few lines have to be the key still tells parts apart.
    ...(isByName && roles.facts('number') !== undefined ? [roles.facts('number') as ColumnFacts] : []),
  ];
  const coded = isByName
    ? table.filter(
        (column) =>
          !roles.isTaken(column) &&
          !otherMatters.test(bareTitle(column.title)) &&
          (column.isCodes || isMeasured(column)),
      )
    : [];
  const columns = [...new Set([...named, ...coded])].filter(
    ({ title, isEmpty }) =>
      !keys.has(title) && !isEmpty && title !== roles.title('quantity') && title !== roles.title('unit'),
  );
  const textAt = (titles: ReadonlySet<string>) => {
    const own = table.filter(({ title }) => titles.has(title));
    return (line: number) =>
      own
        .map(({ all }) => all[line]?.trim() ?? '')
        .join(' ')
        .trim();
  };
  const keyAt = textAt(keys);
  const isEmptyKey = (text: string) => text === '' || placeholders.includes(text) || isPlaceholder(text);
  const otherwise = textAt(new Set(key.keyElse));
  const differs = (column: ColumnFacts, at: (line: number) => string) => {
    const first = new Map<string, string>();
    return column.all.some((cell, line) => {
      const [own, text] = [at(line), cell.trim()];
      if (own === '' || text === '' || isPlaceholder(text) || saysNotFitted(text)) return false;
      const known = first.get(own);
      if (known === undefined) first.set(own, text);
      return known !== undefined && known !== text;
    });
  };
  const keyed = (line: number) => (isEmptyKey(keyAt(line)) ? '' : keyAt(line));
  const unkeyed = (line: number) => (isEmptyKey(keyAt(line)) ? otherwise(line) : '');
  const apart = isByName ? columns.filter((column) => differs(column, keyed)) : [];
  const apartElse =
    key.keyElse === undefined
      ? []
      : columns
          .filter(({ title }) => !key.keyElse?.includes(title))
          .filter((column) => differs(column, unkeyed));
  const unknown = table.filter(
    (column) =>
      !columns.includes(column) &&
      !roles.isTaken(column) &&
      !keys.has(column.title) &&
      tellsSomething(column),
  );
  const differing = unknown.filter((column) => differs(column, keyed));
  return {
    apart: apart.map(({ title }) => title),
    apartElse: apartElse.map(({ title }) => title),
    differing: differing.map(({ title }) => title).slice(0, 5),
    watched: unknown
      .filter((column) => !differing.includes(column))
      .map(({ title }) => title)
      .slice(0, WATCHED_MAX),
    // A column of measures counts only where it has been seen to tell parts apart.
    checked: columns
      .filter(
        (column) =>
          !apart.includes(column) &&
          !apartElse.includes(column) &&
          (named.includes(column) || column.isCodes),
      )
      .slice(0, 10)
      .map(({ title }) => title),
  };
}

/** Texts that may tell parts apart: no figures, links or prices, and nothing that suppliers or stock are about. */
function tellsSomething(column: ColumnFacts): boolean {
  return (
    !column.isPlainNumbers &&
    !column.isLinks &&
    !column.isReferences &&
    !column.isCounting &&
    !otherMatters.test(bareTitle(column.title))
  );
}

/** Texts such as M6x20 or DIN 912, which are no plain numbers. */
function isMeasured(column: ColumnFacts): boolean {
  return (
    !column.isPlainNumbers &&
    !column.isLinks &&
    !column.isCounting &&
    !column.isReferences &&
    column.share((text) => text.length <= 40 && /\d/.test(text) && /\p{L}/u.test(text)) >= 0.5
  );
}
