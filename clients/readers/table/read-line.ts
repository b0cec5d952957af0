/** Reads one row of a table as a line of a bill of materials, by a definition. */

import type { BuildFields } from '../bom.ts';
import { beginsAsTotal, isTotalWord } from '../definition/column-titles.ts';
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import { expandNumbered } from '../definition/numbered.ts';
import { oddReferences, readReferences } from '../designators/read-references.ts';
import type { Findings, Place } from '../findings.ts';
import { isGuid } from '../guid.ts';
import { cellSaysNotFitted, meansNotFitted, saysNotFitted } from '../not-fitted.ts';
import { isPlaceholder } from '../placeholders.ts';
import { bothReadings } from '../read-decimal.ts';
import { type Cell, cellName, type SheetRow } from '../xlsx/read-workbook.ts';
import { cellText } from './header.ts';
import { marksBefore } from './line-depth.ts';
import { readBuildFields } from './read-build-fields.ts';
import { type ReadSupplierPart, SupplierPartReader } from './read-supplier-parts.ts';
import { plainNumber, readBoolean, readDate, readNumber, saysNo } from './read-value.ts';

type TypedSource = Exclude<ImportDefinition['properties'][string], string>;

/** Why a line is left out: the code of the note, and a clause for people. */
export interface LeftOut {
  code: 'excluded' | 'not_fitted' | 'as_required' | 'total_row' | 'quantity_zero';
  why: string;
}

export interface Line {
  key: string;
  guid: string;
  number: string;
  name: string;
  category: string;
  picture: string;
  /** Key or GUID of the location around; empty where nothing is said of it. */
  parentLocation: string;
  /** Null where it could not be read; 1 where there is no such column. */
  quantity: number | null;
  /** Whether the reader has reported already why the quantity is null. */
  isQuantityReported: boolean;
  /** The cell of the quantity, and its text. */
  quantityCell: { place: Place; text: string };
  /** The text with its blanks: level, item, indentation, dots. */
  level: string;
  parent: string;
  parentName: string;
  /** Identifies the row; empty where there is no such column. */
  row: string;
  findNumber: string;
  referenceDesignators: string[];
  unit: string;
  note: string;
  build: BuildFields;
  supplierParts: ReadSupplierPart[] | undefined;
  properties: Record<string, string>;
  /** Texts that must agree wherever the key stands again. */
  identity: readonly string[];
  /** Texts that should agree wherever the key stands again; empty where a text says nothing. */
  watched: readonly string[];
  leftOut: LeftOut | null;
  /** Whether the key is the name, because the line has no number. */
  isKnownByName: boolean;
  /** Whether a text that identifies the line cannot be read. */
  isUnreadable: boolean;
  place: Place;
  textOf(column: string): string;
}

/** Sums of the quantities of a table: by the column of quantities, and by counting designators. */
export interface QuantityTotals {
  byQuantity: number;
  byReferences: number;
  linesWithBoth: number;
}

/** Behind a name: `v3`, `v12 (1)`, `(2)`. */
const versionBehind = /(?<!\s)(?:\s+v\d+)?(?:\s*\(\d+\))?$/i;
const WORDS_OF_A_REMARK = 4;
const CELLS_OF_A_TOTAL = 3;
/** Lines of a tree before a text. */
const drawn = /^[\s│]*[├└]/;
const timesSigns = new Set(['x', '×', '*']);

export class LineReader {
  readonly #definition: ImportDefinition;
  readonly #places: ReadonlyMap<string, number>;
  readonly #findings: Findings;
  readonly #sheet: string | undefined;
  /** With the numbers of columns that this table has. */
  readonly #properties: [key: string, source: ImportDefinition['properties'][string]][];
  readonly #suppliers: SupplierPartReader;
  readonly #nothing: ReadonlySet<string>;
  readonly #placeholders: ReadonlySet<string>;
  readonly #words: ReadonlyMap<string, number>;
  readonly #keyColumns: readonly string[];
  readonly #above = new Map<string, Cell>();
  /** The first unit in a column of numbers without units in the definition. */
  readonly #units = new Map<string, string>();
  readonly #numeric = new Set<string>();
  /** Cells of the header, and how many more the first line has. */
  readonly #width: number;
  #surplus: number | null = null;
  readonly totals: QuantityTotals = { byQuantity: 0, byReferences: 0, linesWithBoth: 0 };

  constructor(
    definition: ImportDefinition,
    places: ReadonlyMap<string, number>,
    findings: Findings,
    { sheet, header }: { sheet: string | undefined; header: SheetRow },
  ) {
    const { columns, nothing, placeholders, quantityWords, properties } = definition;
    const plain = (word: string) => word.trim().toLowerCase();
    this.#definition = definition;
    this.#places = places;
    this.#findings = findings;
    this.#sheet = sheet;
    this.#width = header.cells.findLastIndex((cell) => cellText(cell).trim() !== '') + 1;
    this.#properties = expandNumbered(properties, (column) => places.has(column));
    this.#suppliers = new SupplierPartReader(definition, (column) => places.has(column));
    this.#nothing = new Set(['', ...nothing.map(plain)]);
    this.#placeholders = new Set(placeholders.map(plain));
    this.#words = new Map(Object.entries(quantityWords).map(([word, value]) => [plain(word), value]));
    const named = columns.key ?? columns.number;
    this.#keyColumns = [named ?? (columns.levels === undefined ? columns.name : undefined) ?? []].flat();
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
    const deepest = this.#deepest(cell);
    const own = this.#keyOf(this.#keyColumns, text);
    const isPlaceholder = own !== '' && this.#placeholders.has(own.toLowerCase());
    const numbered = isPlaceholder ? '' : own || (this.#keyColumns.length === 0 ? (deepest?.text ?? '') : '');
    const key = numbered || this.#keyOf([columns.keyElse ?? []].flat(), text);
    const place = this.#place(row);
    const name = this.#withoutVersion(text(columns.name));
    if (key === '' || isTotal(cells, key) || this.#isRemark(cells, cell)) {
      const why = this.#leftOut(row, cells, cell, text);
      if (why?.code === 'not_fitted') {
        const message = `The line is left out: ${why.why}.`;
        this.#findings.add(
          'note',
          why.code,
          place,
          message,
          text(columns.references) || name || key || undefined,
        );
      } else this.#noteNoKey(row, cells, name, text(columns.quantity));
      return null;
    }
    for (const column of [...this.#keyColumns, columns.number]) this.#noteNumeric(row, column, cell(column));
    const guid = text(columns.guid);
    const isWrongGuid = guid !== '' && !isGuid(guid);
    if (isWrongGuid) {
      this.#findings.add('error', 'guid_invalid', this.#place(row, columns.guid), `"${guid}" is no GUID.`);
    }
    const isKnownByName = numbered === '' && columns.number !== undefined;
    const number = isPlaceholder ? '' : text(columns.number);
    const references = readReferences(text(columns.references));
    const leftOut = this.#leftOut(row, cells, cell, text);
    const amount = leftOut === null ? this.#quantity(row, cell(columns.quantity), references) : nothingRead;
    return {
      key,
      guid: isWrongGuid ? '' : guid,
      number: number || key,
      name: name || number || key,
      category: text(columns.category),
      picture: text(columns.picture).toLowerCase(),
      parentLocation: text(columns.parentLocation).normalize('NFC'),
      quantity: amount.value,
      isQuantityReported: amount.isReported,
      quantityCell: { place: this.#place(row, columns.quantity), text: cellText(cell(columns.quantity)) },
      level: deepest === null ? cellText(cell(columns.level)) : String(deepest.at),
      parent: text(columns.parent).normalize('NFC'),
      parentName: text(columns.parentName),
      row: text(columns.row).normalize('NFC'),
      findNumber: text(columns.findNumber),
      referenceDesignators: references,
      unit: amount.unit || plainUnit(text(columns.unit)),
      note: text(columns.note),
      build: this.#build(row, cell),
      supplierParts: leftOut === null ? this.#supplierParts(row, cell) : undefined,
      properties: this.#values(row, cell),
      identity: columns.identity === undefined ? none : columns.identity.map(text),
      watched: this.#definition.watch?.map((column) => tellingText(text(column))) ?? none,
      leftOut: leftOut ?? amount.leftOut,
      isKnownByName,
      isUnreadable: this.#isShifted(row) || isWrongGuid,
      place,
      textOf: text,
    };
  }

  /** A sentence, or a word with a colon, alone in its row, in a table with quantities: people write remarks below a list. */
  #isRemark(cells: readonly Cell[], cell: (column: string) => Cell): boolean {
    const { quantity } = this.#definition.columns;
    if (quantity === undefined || cellText(cell(quantity)).trim() !== '') return false;
    const [text = '', ...others] = filledIn(cells);
    return others.length === 0 && (/\w:(?:\s|$)/.test(text) || text.split(/\s+/).length >= WORDS_OF_A_REMARK);
  }

  /**
   * Whether a line of a text has more cells than the others: the sign between the columns stands within a text that has no quotes, so
   * the texts behind it are in wrong columns. Where all lines have more cells than the header, the last columns have no title.
   */
  #isShifted(row: SheetRow): boolean {
    if (this.#sheet !== undefined) return false;
    const surplus = Math.max(
      0,
      row.cells.findLastIndex((cell) => cellText(cell).trim() !== '') + 1 - this.#width,
    );
    const isFirst = this.#surplus === null;
    this.#surplus ??= surplus;
    if (surplus === 0 || (surplus === this.#surplus && !isFirst)) return false;
    const cells = `${surplus} ${surplus === 1 ? 'cell' : 'cells'} more than the header`;
    if (isFirst) {
      const message = `The line has ${cells}: columns without a title are not read. If a text contains the sign between the columns, put it in quotes.`;
      this.#findings.add('warning', 'cells_untitled', this.#place(row), message);
      return false;
    }
    const message = `The line has ${cells}: a text contains the sign between the columns. Put it in quotes.`;
    this.#findings.add('error', 'cells_shifted', this.#place(row), message);
    return true;
  }

  #keyOf(columns: readonly string[], text: (column: string) => string): string {
    const joined = columns
      .map(text)
      .filter((part) => part !== '')
      .join(' ')
      .normalize('NFC');
    return this.#withoutVersion(joined);
  }

  #withoutVersion(text: string): string {
    return this.#definition.withoutVersion ? text.replace(versionBehind, '') || text : text;
  }

  /** The last filled one of the columns that are levels; null where the definition has none. */
  #deepest(cell: (column: string) => Cell): { at: number; text: string } | null {
    const { levels } = this.#definition.columns;
    if (levels === undefined) return null;
    const at = levels.findLastIndex((column) => cellText(cell(column)).trim() !== '');
    return { at, text: at === -1 ? '' : cellText(cell(levels[at] as string)).trim() };
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
    const { structure, columns } = this.#definition;
    const shown = cellText(cell);
    const text = (
      column !== undefined && column === columns.level && (structure === 'dots' || drawn.test(shown))
        ? shown.slice(marksBefore(shown).length)
        : shown
    ).trim();
    return this.#nothing.has(text.toLowerCase()) ? '' : text;
  }

  #quantity(row: SheetRow, cell: Cell, references: readonly string[]): Amount {
    const { columns, decimal } = this.#definition;
    if (columns.quantity === undefined) {
      const odd = oddReferences(references);
      if (odd.length > 0) {
        const message = `"${odd[0]}" is no reference designator: the quantity is counted as ${references.length}.`;
        this.#findings.add('warning', 'references_unclear', this.#place(row, columns.references), message);
      }
      this.totals.byReferences += references.length;
      return amountOf(references.length > 0 ? references.length : 1);
    }
    const place = this.#place(row, columns.quantity);
    const text = this.#text(row, columns.quantity, cell);
    if (text === '') return nothingRead;
    const word = this.#words.get(text.toLowerCase());
    if (word === 0)
      return { ...nothingRead, leftOut: { code: 'as_required', why: `its quantity is "${text}"` } };
    const read = word === undefined ? readNumber(cell, decimal) : { value: word, unit: '' };
    if (read === null) {
      const readings = decimal === 'unambiguous' ? bothReadings(text) : null;
      if (readings === null) return nothingRead;
      const message = `"${text}" can be ${readings[0]} or ${readings[1]}. Say which sign is the decimal one: "decimal" in the definition, or --decimal.`;
      this.#findings.add('error', 'number_ambiguous', place, message);
      return { ...nothingRead, isReported: true };
    }
    this.totals.byQuantity += read.value;
    if (references.length > 0) {
      this.totals.byReferences += references.length;
      this.totals.linesWithBoth += 1;
    }
    if (references.length > 0 && references.length !== read.value && read.value !== 0) {
      const message = `The quantity is ${read.value}, but ${references.length} references stand beside it.`;
      this.#findings.add('warning', 'references_differ', place, message);
    }
    return { ...amountOf(read.value), unit: timesSigns.has(read.unit.toLowerCase()) ? '' : read.unit };
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

  #build(row: SheetRow, cell: (column: string) => Cell): BuildFields {
    const { columns, decimal } = this.#definition;
    return readBuildFields(columns, decimal, {
      cell,
      text: (column) => this.#text(row, column, cell(column)),
      unreadable: (column, kind, text) => this.#noteUnreadable(row, column, kind, text),
    });
  }

  #supplierParts(row: SheetRow, cell: (column: string) => Cell): ReadSupplierPart[] | undefined {
    return this.#suppliers.read({
      has: (column) => this.#places.has(column),
      cell,
      text: (column) => this.#text(row, column, cell(column)),
      warn: (column, code, message) => this.#findings.add('warning', code, this.#place(row, column), message),
    });
  }

  #noteUnreadable(row: SheetRow, column: string, kind: string, text: string): void {
    const [wanted, verb] =
      kind === 'substitutes'
        ? ['list of substitutes such as "R-1; R-2=2"', 'they are']
        : [kind === 'numeric' ? 'number' : kind, 'the value is'];
    const message = `"${text}" is no ${wanted} that can be read: ${verb} left out.`;
    this.#findings.add('warning', `${kind}_unreadable`, this.#place(row, column), message);
  }

  #typed(row: SheetRow, source: TypedSource, cell: Cell, text: string): string | null {
    const { column, type } = source;
    const value =
      type === 'numeric'
        ? this.#number(source, cell)
        : type === 'date'
          ? readDate(cell, this.#definition.dates)
          : type === 'boolean'
            ? readBoolean(cell)
            : text;
    if (value === null) this.#noteUnreadable(row, column, type, text);
    return value;
  }

  /** Without units in the definition a column must have one throughout: grams among kilograms would be wrong figures. */
  #number(
    { column, units, withUnit, unit }: Pick<TypedSource, 'column' | 'units' | 'withUnit' | 'unit'>,
    cell: Cell,
  ): string | null {
    const read = readNumber(cell, this.#definition.decimal);
    if (read === null) return null;
    if (units !== undefined) {
      const factor = Object.hasOwn(units, read.unit) ? units[read.unit] : read.unit === '' ? 1 : undefined;
      return factor === undefined ? null : plainNumber(read.value * factor);
    }
    if (withUnit === true && unit !== undefined) return `${plainNumber(read.value)} ${read.unit || unit}`;
    const first = this.#units.get(column) ?? read.unit;
    this.#units.set(column, first);
    // The service knows the units; a number without one among others has one that nobody knows.
    if (withUnit === true && first !== '' && read.unit !== '')
      return `${plainNumber(read.value)} ${read.unit}`;
    return first === read.unit ? plainNumber(read.value) : null;
  }

  #leftOut(
    row: SheetRow,
    cells: readonly Cell[],
    cell: (column: string) => Cell,
    text: (column: string) => string,
  ): LeftOut | null {
    const { exclude, notFitted, columns } = this.#definition;
    for (const { column, values, says = 'yes' } of exclude) {
      const value = text(column);
      const isMet =
        values !== undefined
          ? values.some((one) => one.toLowerCase() === value.toLowerCase())
          : says === 'yes'
            ? !saysNo(value)
            : says === 'no'
              ? value !== '' && (saysNo(value) || meansNotFitted(value))
              : meansNotFitted(value);
      if (!isMet) continue;
      const code = values === undefined || meansNotFitted(value) ? 'not_fitted' : 'excluded';
      return { code, why: `${column} is "${value}"` };
    }
    if (notFitted === 'keep') return null;
    const quantity = columns.quantity === undefined ? '' : cellText(cell(columns.quantity));
    if (quantity !== '' && meansNotFitted(quantity)) {
      return { code: 'not_fitted', why: `its quantity is "${quantity.trim()}"` };
    }
    const at = cells.findIndex((one) => cellSaysNotFitted(typeof one === 'string' ? one : ''));
    if (at === -1) return null;
    const [column] = [...this.#places].find(([, place]) => place === at) ?? [this.#place(row, at).cell];
    return { code: 'not_fitted', why: `${column ?? 'a cell'} is "${cellText(cells[at]).trim()}"` };
  }

  /** A part number in a numeric cell has lost its leading zeros, if it had any; a spreadsheet may have made it a date or rounded it. */
  #noteNumeric(row: SheetRow, column: string | undefined, cell: Cell): void {
    if (column === undefined || this.#numeric.has(column)) return;
    const message = lossOf(cell, column);
    if (message === null) return;
    this.#numeric.add(column);
    this.#findings.add('warning', 'number_as_text', this.#place(row, column), message);
  }

  #noteNoKey(row: SheetRow, cells: readonly Cell[], name: string, quantity: string): void {
    const place = this.#place(row);
    if (cells.some((cell) => isTotalWord(cellText(cell).trim()) || beginsAsTotal(cellText(cell)))) {
      this.#findings.add('note', 'total_row', place, 'The line is a row of totals: it is left out.');
      return;
    }
    const isSuspicious = name !== '' && quantity !== '';
    const message = isSuspicious
      ? `"${name}" has no number: the line is left out. With "keyElse" in the definition its name becomes the key.`
      : 'The line has no key: it is left out.';
    this.#findings.add(isSuspicious ? 'warning' : 'note', 'no_key', place, message);
  }

  #place(row: SheetRow, column?: string | number): Place {
    const at = typeof column === 'string' ? this.#places.get(column) : column;
    if (this.#sheet !== undefined) {
      return {
        sheet: this.#sheet,
        ...(at === undefined ? { line: row.line } : { cell: cellName(at, row.line) }),
      };
    }
    if (typeof column === 'number') return { line: row.line, cell: cellName(column, row.line) };
    return { line: row.line, ...(column === undefined ? {} : { cell: column }) };
  }
}

interface Amount {
  value: number | null;
  unit: string;
  leftOut: LeftOut | null;
  isReported: boolean;
}

/** Whether the word stands in place of a key, or in a row with few cells begins it: `Subtotal screws`. */
function isTotal(cells: readonly Cell[], key: string): boolean {
  return isTotalWord(key) || (beginsAsTotal(key) && filledIn(cells).length <= CELLS_OF_A_TOTAL);
}

/** The texts of the cells that are not empty. */
function filledIn(cells: readonly Cell[]): string[] {
  return cells.map((cell) => cellText(cell).trim()).filter((text) => text !== '');
}

/** The text, or nothing where it stands in place of one. */
function tellingText(text: string): string {
  return isPlaceholder(text) || saysNotFitted(text) ? '' : text;
}

const none: readonly string[] = [];
const nothingRead: Amount = { value: null, unit: '', leftOut: null, isReported: false };

function amountOf(value: number): Amount {
  return { value, unit: '', leftOut: null, isReported: false };
}

/** A unit stands alone: a text with digits is a quantity with a unit, such as Inventor's `1250,000 mm`. */
function plainUnit(text: string): string {
  return /^[-+]?[\d.,]+\s/.test(text) ? '' : text;
}

/** Says what a spreadsheet may have done to a part number; null if nothing shows. */
function lossOf(cell: Cell, column: string): string | null {
  if (typeof cell !== 'string') {
    if (!('value' in cell)) return null;
    if (/^\d{4}-\d{2}-\d{2}/.test(cell.text)) {
      return `"${column}" has dates where numbers belong, such as ${cell.text}: a spreadsheet has changed them.`;
    }
    if (Math.abs(cell.value) > Number.MAX_SAFE_INTEGER) {
      return `"${column}" has numbers of more than 15 digits, such as ${cell.text}: a spreadsheet has rounded them.`;
    }
    return `"${column}" has numbers where texts belong: taken as they are shown, such as ${cell.text}. Leading zeros may be lost.`;
  }
  if (/^\d(?:[.,]\d+)?E\+\d+$/i.test(cell.trim())) {
    return `"${column}" has numbers in exponents, such as ${cell.trim()}: a spreadsheet has rounded them.`;
  }
  return null;
}
