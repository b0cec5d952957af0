/** Reads the first rows of each table in a file, and what they show of it: enough to tell which definition fits. */
import { decodeText } from '../csv/decode-text.ts';
import { guessDelimiter, splitCsv } from '../csv/split-csv.ts';
import { withoutGuards } from '../csv/text-guards.ts';
import { detectFormat, type FileFormat } from '../detect-format.ts';
import type { FileSource } from '../file-source.ts';
import { openSpreadsheet } from '../xlsx/read-ods.ts';
import { type Cell, openWorkbook, type Sheet, type SheetRow } from '../xlsx/read-workbook.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';

export interface TableBeginning {
  /** The settings of a definition for this table, without its columns. */
  about: Pick<ImportDefinitionInput, 'encoding' | 'delimiter' | 'sheet'>;
  rows: Cell[][];
}

const ROWS_LOOKED_AT = 250;
/** The number of sheets of a workbook that are looked at. */
const SHEETS_LOOKED_AT = 20;
const GUESSED_FROM_CHARACTERS = 64 * 1024;

/** One for a text, one for each visible sheet of a workbook, none for a file that is no table. */
export async function tableBeginnings(
  file: FileSource,
): Promise<{ format: FileFormat; beginnings: TableBeginning[] }> {
  const { format, source } = await detectFormat(file);
  if (format === 'csv') return { format, beginnings: [await ofText(source)] };
  if (format === 'xlsx') return { format, beginnings: await ofSheets(await openWorkbook(source)) };
  if (format === 'ods') return { format, beginnings: await ofSheets(await openSpreadsheet(source)) };
  return { format, beginnings: [] };
}

async function ofText(source: FileSource): Promise<TableBeginning> {
  const { encoding, text } = await decodeText(source, 'windows-1252');
  let beginning = '';
  for await (const piece of text()) {
    beginning += piece;
    if (beginning.length > GUESSED_FROM_CHARACTERS) break;
  }
  const delimiter = guessDelimiter(beginning);
  const isNamed = encoding !== 'utf-8' && !encoding.startsWith('utf-16');
  return {
    about: {
      delimiter: delimiter as NonNullable<ImportDefinitionInput['delimiter']>,
      ...(isNamed ? { encoding } : {}),
    },
    rows: await firstRows(withoutGuards(splitCsv(text(), delimiter))),
  };
}

async function ofSheets(all: readonly Sheet[]): Promise<TableBeginning[]> {
  const sheets = all.filter(({ isHidden }) => !isHidden);
  const beginnings: TableBeginning[] = [];
  for (const sheet of sheets.slice(0, SHEETS_LOOKED_AT)) {
    beginnings.push({ about: { sheet: sheet.name }, rows: await firstRows(sheet.rows()) });
  }
  return beginnings;
}

async function firstRows(rows: AsyncIterable<SheetRow>): Promise<Cell[][]> {
  const found: Cell[][] = [];
  for await (const { cells } of rows) {
    found.push(cells);
    if (found.length === ROWS_LOOKED_AT) break;
  }
  return found;
}
