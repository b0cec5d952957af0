/** Finds where a table begins: the first row that has all mapped columns, whatever titles stand above it. */
import type { ImportDefinitionInput } from '../definition/import-definition.schema.ts';
import { atNumber, isNumbered, NUMBERED_MAX } from '../definition/numbered.ts';
import { columnsOfSource, numberedTitles } from '../definition/supplier-parts.ts';
import { FileFault } from '../findings.ts';
import type { Cell, SheetRow } from '../xlsx/read-workbook.ts';

const HEADER_ROWS_MAX = 500;

/** Names of columns as they are compared: in any case of letters, blanks and ends of lines counting as one blank. */
export function plainName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return typeof cell === 'string' ? cell : cell.text;
}

/** The titles of a row, each different: the second "Link" is "Link (2)", so that a definition can name it. Empty cells stay empty. */
export function distinctTitles(cells: readonly (Cell | undefined)[]): string[] {
  const seen = new Map<string, number>();
  return Array.from(cells, (cell) => {
    const title = cellText(cell).replaceAll(/\s+/g, ' ').trim();
    if (title === '') return '';
    const plain = plainName(title);
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return count === 1 ? title : `${title} (${count})`;
  });
}

/** All columns that a definition demands. Columns that are only compared may be missing. */
export function columnsOf({
  columns = {},
  properties = {},
  supplierParts = [],
  exclude = [],
  fillDown = [],
  categories,
}: ImportDefinitionInput): string[] {
  const { identity: _, ...demanded } = columns;
  const names = [
    ...Object.values(demanded).flat(),
    ...Object.values(properties).map((source) => (typeof source === 'string' ? source : source.column)),
    ...supplierParts.flatMap(columnsOfSource),
    ...exclude.map(({ column }) => column),
    ...(categories?.rules ?? []).map(({ column }) => column),
    ...fillDown,
  ];
  return [...new Set(names.filter((name) => name !== undefined).filter((name) => !isNumbered(name)))];
}

/** The columns that a definition takes where they are there, with a number in place of `{n}`. */
export function numberedColumnsOf({ properties = {}, supplierParts = [] }: ImportDefinitionInput): string[] {
  const ofProperties = Object.values(properties)
    .filter(isNumbered)
    .map((source) => (typeof source === 'string' ? source : source.column))
    .flatMap((pattern) => Array.from({ length: NUMBERED_MAX }, (_, at) => atNumber(pattern, at + 1)));
  const ofSuppliers = supplierParts.flatMap(columnsOfSource).filter(isNumbered);
  return [...new Set([...ofProperties, ...ofSuppliers.flatMap(numberedTitles)])];
}

/** The row that has most of the columns, and those that it lacks. */
export interface HeaderLike {
  line: number;
  missing: string[];
}

export class HeaderFinder {
  readonly #wanted: string[];
  readonly #optional: readonly string[];
  readonly #watched: readonly string[];
  #rows = 0;
  #closest: HeaderLike | null = null;
  /** Mapped columns that the header has more than once: the first of them counts. */
  readonly twice: string[] = [];

  /** `watched` columns may be missing, and stand there twice. */
  constructor(wanted: readonly string[], optional: readonly string[] = [], watched: readonly string[] = []) {
    this.#wanted = [...wanted];
    this.#optional = optional.filter((name) => !wanted.includes(name));
    this.#watched = watched.filter((name) => !wanted.includes(name) && !optional.includes(name));
  }

  /** Column name to place in a row, when this row is the header. */
  offer(row: SheetRow): ReadonlyMap<string, number> | null {
    this.#rows += 1;
    if (this.#rows > HEADER_ROWS_MAX) throw this.missing();
    const places = new Map<string, number>();
    const again = new Set<string>();
    for (const [at, title] of distinctTitles(row.cells).entries()) {
      const name = plainName(title);
      if (name === '') continue;
      if (!places.has(name)) places.set(name, at);
      if (name !== plainName(cellText(row.cells[at]))) again.add(plainName(cellText(row.cells[at])));
    }
    const missing = this.#wanted.filter((name) => !places.has(plainName(name)));
    if (missing.length === 0) {
      const found = [...this.#wanted, ...this.#optional.filter((name) => places.has(plainName(name)))];
      this.twice.push(...found.filter((name) => again.has(plainName(name))));
      const all = [...found, ...this.#watched.filter((name) => places.has(plainName(name)))];
      return new Map(all.map((name) => [name, places.get(plainName(name)) as number]));
    }
    if (
      missing.length < this.#wanted.length &&
      missing.length < (this.#closest?.missing.length ?? Number.POSITIVE_INFINITY)
    ) {
      this.#closest = { line: row.line, missing };
    }
    return null;
  }

  /** The row closest to a header so far; null if no row has any of the columns. */
  get closest(): HeaderLike | null {
    return this.#closest;
  }

  missing(): FileFault {
    const named = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
    return this.#closest === null
      ? new FileFault('header_missing', `No row has the columns ${named(this.#wanted)}.`)
      : new FileFault(
          'header_missing',
          `The columns ${named(this.#closest.missing)} are missing. The closest row is this one.`,
          {
            line: this.#closest.line,
          },
        );
  }
}

/** The first of these rows that is the header of a definition, or the one that comes closest; null where none has any column of it. */
export function headerAmong(
  rows: readonly (readonly Cell[])[],
  definition: ImportDefinitionInput,
): { at: number; missing: string[] } | null {
  const finder = new HeaderFinder(columnsOf(definition));
  for (const [at, cells] of rows.slice(0, HEADER_ROWS_MAX).entries()) {
    if (finder.offer({ line: at, cells: [...cells] }) !== null) return { at, missing: [] };
  }
  const { closest } = finder;
  return closest === null ? null : { at: closest.line, missing: closest.missing };
}
