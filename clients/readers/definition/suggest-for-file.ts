/** Looks at a file's first rows and suggests a definition; for formats that say by themselves what they hold, the plain one. */
import { decodeText } from '../csv/decode-text.ts';
import { guessDelimiter, splitCsv } from '../csv/split-csv.ts';
import { detectFormat, type FileFormat } from '../detect-format.ts';
import type { FileSource } from '../file-source.ts';
import { type Cell, openWorkbook, type SheetRow } from '../xlsx/read-workbook.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { type Suggestion, suggestDefinition, type WorkspaceHints } from './suggest-definition.ts';

const ROWS_LOOKED_AT = 250;

export async function suggestForFile(
  file: FileSource,
  hints: WorkspaceHints = {},
): Promise<{ format: FileFormat; suggestion: Suggestion | null }> {
  const { format, source } = await detectFormat(file);
  if (format === 'csv') return { format, suggestion: await forText(source, hints) };
  if (format === 'xlsx') return { format, suggestion: await forWorkbook(source, hints) };
  return { format, suggestion: { definition: { format: plainFormat(format) }, headerAt: 0, unused: [] } };
}

function plainFormat(format: FileFormat): NonNullable<ImportDefinitionInput['format']> {
  return format === 'json' || format === 'ndjson' || format === 'csv' || format === 'xlsx' ? 'auto' : format;
}

async function forText(source: FileSource, hints: WorkspaceHints): Promise<Suggestion | null> {
  const { encoding, text } = await decodeText(source, 'windows-1252');
  let beginning = '';
  for await (const piece of text()) {
    beginning += piece;
    if (beginning.length > 64 * 1024) break;
  }
  const delimiter = guessDelimiter(beginning);
  const suggestion = suggestDefinition(await firstRows(splitCsv(text(), delimiter)), hints);
  if (suggestion === null) return null;
  if (encoding !== 'utf-8' && !encoding.startsWith('utf-16')) suggestion.definition.encoding = encoding;
  suggestion.definition.delimiter = delimiter as NonNullable<ImportDefinitionInput['delimiter']>;
  return suggestion;
}

async function forWorkbook(source: FileSource, hints: WorkspaceHints): Promise<Suggestion | null> {
  let best: { suggestion: Suggestion; columns: number } | null = null;
  for (const sheet of await openWorkbook(source)) {
    if (sheet.isHidden) continue;
    const suggestion = suggestDefinition(await firstRows(sheet.rows()), hints);
    const columns = Object.keys(suggestion?.definition.columns ?? {}).length;
    if (suggestion !== null && columns > (best?.columns ?? 0)) {
      suggestion.definition.sheet = sheet.name;
      best = { suggestion, columns };
    }
  }
  return best?.suggestion ?? null;
}

async function firstRows(rows: AsyncIterable<SheetRow>): Promise<Cell[][]> {
  const found: Cell[][] = [];
  for await (const { cells } of rows) {
    found.push(cells);
    if (found.length === ROWS_LOOKED_AT) break;
  }
  return found;
}
