/** One row of a table as a line of a bill of materials, by a definition. */
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import { expandNumbered } from '../definition/numbered.ts';
import type { Findings, Place } from '../findings.ts';
import { isGuid } from '../guid.ts';
import { readReferences } from '../kicad/references.ts';
import { type Cell, cellName, type SheetRow } from '../xlsx/read-workbook.ts';
import { cellText } from './header.ts';
import { plainNumber, readBoolean, readDate, readNumber, saysNo } from './read-value.ts';

export interface Line {
  key: string;
  guid: string;
  number: string;
  name: string;
  category: string;
  /** Null where it could not be read; 1 where there is no such column. */
  quantity: number | null;
  /** Where the quantity stands, and what stands there. */
  quantityCell: { place: Place; text: string };
  /** As it stands, with its blanks: level, item, indentation, dots. */
  level: string;
  parent: string;
  findNumber: string;
  referenceDesignators: string[];
  unit: string;
  note: string;
  properties: Record<string, string>;
  /** Whether a rule of the definition leaves it out, and why. */
  excluded: string | null;
  /** Whether something was found that says who it is and cannot be read. */
  isUnreadable: boolean;
  place: Place;
  textOf(column: string): string;
}

export class LineReader {
  readonly #definition: ImportDefinition;
  readonly #places: ReadonlyMap<string, number>;
  readonly #findings: Findings;
  readonly #sheet: string | undefined;
  /** With the numbers of columns that this table has. */
  readonly #properties: [key: string, source: ImportDefinition['properties'][string]][];
  readonly #nothing: ReadonlySet<string>;
  readonly #above = new Map<string, Cell>();
  /** The unit that stood first in a column of numbers without units in the definition. */
  readonly #units = new Map<string, string>();
  readonly #numeric = new Set<string>();

  constructor(
    definition: ImportDefinition,
    places: ReadonlyMap<string, number>,
    findings: Findings,
    sheet: string | undefined,
  ) {
    this.#definition = definition;
    this.#places = places;
    this.#findings = findings;
    this.#sheet = sheet;
    this.#properties = expandNumbered(definition.properties, (column) => places.has(column));
    this.#nothing = new Set(['', ...definition.nothing.map((word) => word.trim().toLowerCase())]);
  }

  /** Null for a row without a key: titles, sums, remarks, empty rows. */
  read(row: SheetRow): Line | null {
    const { columns } = this.#definition;
    const cells = this.#filled(row);
    if (cells === null) return null;
    const cell = (column: string | undefined): Cell => {
      const at = column === undefined ? undefined : this.#places.get(column);
      return at === undefined ? '' : (cells[at] ?? '');
    };
    const text = (column: string | undefined) => this.#text(row, column, cell(column));
    const keyColumns = [columns.key ?? columns.number ?? columns.name ?? []].flat();
    const joined = (names: readonly string[]) =>
      names
        .map(text)
        .filter((part) => part !== '')
        .join(' ')
        .normalize('NFC');
    const key = joined(keyColumns) || joined([columns.keyElse ?? []].flat());
    const references = readReferences(text(columns.references));
    const place = this.#place(row);
    if (key === '') {
      this.#noteNoKey(row, text(columns.name), text(columns.quantity));
      return null;
    }
    for (const column of [...keyColumns, columns.number]) this.#noteNumeric(row, column, cell(column));
    const guid = text(columns.guid);
    const isWrongGuid = guid !== '' && !isGuid(guid);
    if (isWrongGuid) {
      this.#findings.add('error', 'guid_invalid', this.#place(row, columns.guid), `"${guid}" is no GUID.`);
    }
    return {
      key,
      guid: isWrongGuid ? '' : guid,
      number: text(columns.number) || key,
      name: text(columns.name) || text(columns.number) || key,
      category: text(columns.category),
      quantity: this.#quantity(row, cell(columns.quantity), references),
      quantityCell: { place: this.#place(row, columns.quantity), text: cellText(cell(columns.quantity)) },
      level: cellText(cell(columns.level)),
      parent: text(columns.parent).normalize('NFC'),
      findNumber: text(columns.findNumber),
      referenceDesignators: references,
      unit: text(columns.unit),
      note: text(columns.note),
      properties: this.#values(row, cell),
      excluded: this.#exclusion(text),
      isUnreadable: isWrongGuid,
      place,
      textOf: text,
    };
  }

  /** The cells with what is filled down from above; null where nothing stands. */
  #filled(row: SheetRow): readonly Cell[] | null {
    if (row.cells.every((cell) => cellText(cell).trim() === '')) return null;
    const { fillDown } = this.#definition;
    if (fillDown.length === 0) return row.cells;
    const cells = [...row.cells];
    for (const column of fillDown) {
      const at = this.#places.get(column) as number;
      if (cellText(cells[at]).trim() === '') cells[at] = this.#above.get(column) ?? '';
      else this.#above.set(column, cells[at] as Cell);
    }
    return cells;
  }

  #text(row: SheetRow, column: string | undefined, cell: Cell): string {
    if (typeof cell !== 'string' && 'isError' in cell) {
      this.#findings.add(
        'warning',
        'cell_error',
        this.#place(row, column),
        `The formula failed: ${cell.text}.`,
      );
      return '';
    }
    const text = cellText(cell).trim();
    return this.#nothing.has(text.toLowerCase()) ? '' : text;
  }

  #quantity(row: SheetRow, cell: Cell, references: readonly string[]): number | null {
    const { columns, decimal } = this.#definition;
    if (columns.quantity === undefined) return references.length > 0 ? references.length : 1;
    const place = this.#place(row, columns.quantity);
    const text = this.#text(row, columns.quantity, cell);
    const read = text === '' ? null : readNumber(cell, decimal);
    if (read === null) return null;
    if (references.length > 0 && references.length !== read.value && read.value !== 0) {
      const message = `The quantity is ${read.value}, but ${references.length} references stand beside it.`;
      this.#findings.add('warning', 'references_differ', place, message);
    }
    return read.value;
  }

  #values(row: SheetRow, cell: (column: string) => Cell): Record<string, string> {
    const properties: Record<string, string> = {};
    for (const [key, source] of this.#properties) {
      const column = typeof source === 'string' ? source : source.column;
      const own = cell(column);
      const text = this.#text(row, column, own);
      if (text === '') continue;
      const value = typeof source === 'string' ? text : this.#typed(row, source, own, text);
      if (value !== null) properties[key] = value;
    }
    return properties;
  }

  #typed(
    row: SheetRow,
    source: Exclude<ImportDefinition['properties'][string], string>,
    cell: Cell,
    text: string,
  ): string | null {
    const { column, type } = source;
    const value =
      type === 'numeric'
        ? this.#number(source, cell)
        : type === 'date'
          ? readDate(cell, this.#definition.dates)
          : type === 'boolean'
            ? readBoolean(cell)
            : text;
    if (value === null) {
      const message = `"${text}" is no ${type === 'numeric' ? 'number' : type} that can be read: the value is left out.`;
      this.#findings.add('warning', `${type}_unreadable`, this.#place(row, column), message);
    }
    return value;
  }

  /** Without units in the definition a column must have one throughout: grams among kilograms would be wrong figures. */
  #number(
    { column, units }: { column: string; units?: Record<string, number> | undefined },
    cell: Cell,
  ): string | null {
    const read = readNumber(cell, this.#definition.decimal);
    if (read === null) return null;
    if (units !== undefined) {
      const factor = Object.hasOwn(units, read.unit) ? units[read.unit] : read.unit === '' ? 1 : undefined;
      return factor === undefined ? null : plainNumber(read.value * factor);
    }
    const first = this.#units.get(column) ?? read.unit;
    this.#units.set(column, first);
    return first === read.unit ? plainNumber(read.value) : null;
  }

  #exclusion(text: (column: string) => string): string | null {
    const rule = this.#definition.exclude.find(({ column, values }) => {
      const value = text(column);
      return values === undefined
        ? !saysNo(value)
        : values.some((one) => one.toLowerCase() === value.toLowerCase());
    });
    return rule === undefined ? null : `${rule.column} is "${text(rule.column)}"`;
  }

  /** A part number in a numeric cell has lost its leading zeros, if it had any. Said once for each column. */
  #noteNumeric(row: SheetRow, column: string | undefined, cell: Cell): void {
    if (column === undefined || typeof cell === 'string' || !('value' in cell) || this.#numeric.has(column))
      return;
    this.#numeric.add(column);
    const message = `"${column}" has numbers where texts belong: taken as they are shown, such as ${cell.text}. Leading zeros may be lost.`;
    this.#findings.add('warning', 'number_as_text', this.#place(row, column), message);
  }

  #noteNoKey(row: SheetRow, name: string, quantity: string): void {
    const isSuspicious = name !== '' && quantity !== '';
    this.#findings.add(
      isSuspicious ? 'warning' : 'note',
      'no_key',
      this.#place(row),
      isSuspicious ? `"${name}" has no key: the line is left out.` : 'The line has no key: it is left out.',
    );
  }

  #place(row: SheetRow, column?: string): Place {
    const at = column === undefined ? undefined : this.#places.get(column);
    if (this.#sheet !== undefined) {
      return {
        sheet: this.#sheet,
        ...(at === undefined ? { line: row.line } : { cell: cellName(at, row.line) }),
      };
    }
    return { line: row.line, ...(column === undefined ? {} : { cell: column }) };
  }
}
