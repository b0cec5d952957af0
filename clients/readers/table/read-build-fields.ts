/** Reads the cells of a line that say what a build takes: losses, phantom, substitutes. */
import type { BuildFields, NamedSubstitute } from '../bom.ts';
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import type { DecimalRule } from '../read-decimal.ts';
import type { Cell } from '../xlsx/read-workbook.ts';
import { cellText } from './header.ts';
import { readBoolean, readNumber } from './read-value.ts';

type Columns = ImportDefinition['columns'];

interface Reading {
  cell(column: string): Cell;
  /** The text of a cell; empty where it says nothing. */
  text(column: string): string;
  /** Is told of a cell that cannot be read: its value is left out. */
  unreadable(column: string, kind: 'numeric' | 'boolean' | 'substitutes', text: string): void;
}

/** Returns nothing where the definition has no such columns, or their cells are empty. */
export function readBuildFields(columns: Columns, decimal: DecimalRule, reading: Reading): BuildFields {
  const fields: BuildFields = {};
  for (const field of ['lossPercent', 'lossFixed'] as const) {
    const column = columns[field];
    if (column === undefined || reading.text(column) === '') continue;
    const value = lossOf(reading.cell(column), field, decimal);
    if (value === null) reading.unreadable(column, 'numeric', reading.text(column));
    else fields[field] = value;
  }
  const { phantom, substitutes } = columns;
  if (phantom !== undefined && reading.text(phantom) !== '') {
    const value = readBoolean(reading.cell(phantom));
    if (value === null) reading.unreadable(phantom, 'boolean', reading.text(phantom));
    else fields.phantom = value === 'true';
  }
  if (substitutes !== undefined && reading.text(substitutes) !== '') {
    const named = substitutesOf(reading.text(substitutes), decimal);
    if (named === null) reading.unreadable(substitutes, 'substitutes', reading.text(substitutes));
    else fields.substitutes = named;
  }
  return fields;
}

/** A percentage may have its sign; a cell that a spreadsheet shows as one holds a hundredth of it. */
function lossOf(cell: Cell, field: 'lossPercent' | 'lossFixed', decimal: DecimalRule): number | null {
  const read = readNumber(cell, decimal);
  if (read === null || read.value < 0) return null;
  if (field === 'lossFixed') return read.unit === '' ? read.value : null;
  const isShared = typeof cell !== 'string' && cellText(cell).trim().endsWith('%');
  if (isShared) return Number((read.value * 100).toFixed(6));
  return read.unit === '' || read.unit === '%' ? read.value : null;
}

/** Reads `KEY`, `KEY=RATIO` and GUIDs, between semicolons, commas or ends of lines. */
function substitutesOf(text: string, decimal: DecimalRule): NamedSubstitute[] | null {
  // A comma may be the decimal sign of a ratio: then only one with a blank behind it stands between substitutes.
  const parts = text
    .split(decimal === '.' ? /[;,\n]/ : /[;\n]|,(?=\s)/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const named = parts.map((part): NamedSubstitute | null => {
    const at = part.lastIndexOf('=');
    const key = (at === -1 ? part : part.slice(0, at)).trim().normalize('NFC');
    if (at === -1) return { key, ratio: 1 };
    const ratio = readNumber(part.slice(at + 1).trim(), decimal);
    return key === '' || ratio === null || ratio.unit !== '' || ratio.value <= 0
      ? null
      : { key, ratio: ratio.value };
  });
  return named.every((one) => one !== null) ? named : null;
}
