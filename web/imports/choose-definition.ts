/** By what a file is read: a definition of the workspace that fits it, or one that the service suggests. */

import { assembliesApart } from '../../clients/readers/definition/assemblies-apart.ts';
import { mostUnderstood } from '../../clients/readers/definition/most-understood.ts';
import { isList, otherSheet } from '../../clients/readers/definition/suggest-for-file.ts';
import { columnsOf, headerAmong } from '../../clients/readers/table/header.ts';
import { page } from '../client/ask.ts';
import type { ImportDefinition, ImportMapping } from '../client/operations.ts';
import { call } from '../client/request.ts';
import type { FileLook, TableLook } from './read-file.ts';

/** A definition beside the table that it is for. */
export interface Choice {
  /** Of a definition of the workspace; null: suggested. */
  name: string | null;
  mapping: ImportMapping;
  /** Null where the file is no table. */
  table: TableLook | null;
  /** Which of its rows is the header. */
  headerAt: number;
  /** What the definition names and the file does not have. */
  missing: readonly string[];
  /** Whether the person has set it before: it is neither a definition nor suggested. */
  isKept?: boolean;
  /** Rules of the suggestion that the person may want otherwise. */
  notes?: readonly string[];
  /** Columns that the suggestion leaves out, because their unit does not convert. */
  unfit?: readonly string[];
  /** What must be settled before the table is read. */
  problems?: readonly string[];
  /** Values of the column of categories that are no categories of the workspace. */
  categories?: { column: string; values: string[] } | null;
}

/** What of the file a definition of the workspace would be used on. */
export function choiceOf(
  { name, mapping }: Pick<ImportDefinition, 'name' | 'mapping'>,
  look: FileLook,
): Choice {
  const wanted = mapping.format ?? 'auto';
  if (look.tables.length === 0) {
    const missing = wanted === 'auto' || wanted === look.format ? [] : [`a file of the format ${wanted}`];
    return { name, mapping, table: null, headerAt: 0, missing };
  }
  const isTable = wanted === 'auto' || wanted === 'table';
  const tables = look.tables.filter(
    ({ about }) => isTable && (mapping.sheet === undefined || about.sheet === mapping.sheet),
  );
  const found = tables
    .map((table) => ({ table, header: headerAmong(table.rows, mapping) }))
    .toSorted((a, b) => lacks(a.header) - lacks(b.header))[0];
  const missing = isTable
    ? (found?.header?.missing ?? (found === undefined ? [`the sheet ${mapping.sheet}`] : columnsOf(mapping)))
    : ['a table'];
  const table = found?.table ?? look.tables[0] ?? null;
  return { name, mapping, table, headerAt: found?.header?.at ?? 0, missing };
}

function lacks(header: { missing: readonly string[] } | null): number {
  return header === null ? Number.POSITIVE_INFINITY : header.missing.length;
}

/**
 * Of the definitions that fit the one that understands most columns; of a file that says by itself what it holds one that is for
 * this format and no other. Null where there is none.
 */
export function bestChoice(definitions: readonly ImportDefinition[], look: FileLook): Choice | null {
  if (look.tables.length === 0) {
    const own = definitions.find(({ mapping }) => mapping.format === look.format);
    return own === undefined ? null : choiceOf(own, look);
  }
  const counts = definitions.map((definition) => {
    const { missing } = choiceOf(definition, look);
    return missing.length === 0 ? columnsOf(definition.mapping).length : 0;
  });
  const best = definitions[counts.indexOf(Math.max(1, ...counts))];
  return best === undefined ? null : choiceOf(best, look);
}

const ROWS_CHARACTERS_MAX = 1_000_000;
const CELL_CHARACTERS_MAX = 1000;
const CELLS_MAX = 500;

/** What the service makes of the first rows; where it finds no header in any, a mapping that is to be filled in. */
export async function suggestedChoice(look: FileLook): Promise<Choice> {
  if (look.tables.length === 0) {
    const { items } = await page('listCategories', {}, { limit: 1000, cursor: undefined });
    const mapping = assembliesApart(items.map(({ key }) => key));
    return { name: null, mapping, table: null, headerAt: 0, missing: [] };
  }
  const suggestions = await Promise.all(
    look.tables.map(({ about, rows }) =>
      rows.length === 0
        ? null
        : call('suggestImportDefinition', { body: { rows: sendableRows(rows), delimiter: about.delimiter } }),
    ),
  );
  const at = Math.max(0, mostUnderstood(suggestions.map((one) => one?.mapping)));
  const table = look.tables[at] as TableLook;
  const suggestion = suggestions[at];
  return {
    name: null,
    mapping: { format: 'table', ...suggestion?.mapping, ...table.about },
    table,
    headerAt:
      suggestion?.headerRow ??
      Math.max(
        0,
        table.rows.findIndex((cells) => cells.some(Boolean)),
      ),
    missing: [],
    notes: [
      ...(suggestion?.tool == null ? [] : [`It looks like a list of ${suggestion.tool}.`]),
      // The page tells of units that the present mapping converts.
      ...(suggestion?.warnings ?? [])
        .filter(({ code }) => !code.startsWith('unit_'))
        .map(({ message }) => message),
      ...others(suggestions, look, at),
    ],
    unfit: (suggestion?.warnings ?? [])
      .filter(({ code }) => code === 'unit_unfit')
      .map(({ message }) => message),
    problems: (suggestion?.problems ?? []).map(({ message }) => message),
    categories: suggestion?.categories ?? null,
  };
}

/** Other sheets that look like lists too. */
function others(
  suggestions: readonly ({ mapping: ImportMapping | null } | null)[],
  look: FileLook,
  chosen: number,
): string[] {
  return suggestions.flatMap((one, at) =>
    at !== chosen && one?.mapping != null && isList(one.mapping)
      ? otherSheet(look.tables[at]?.about.sheet ?? '').message
      : [],
  );
}

function sendableRows(rows: readonly string[][]): string[][] {
  let characters = 0;
  const sent: string[][] = [];
  for (const row of rows) {
    const cells = row.slice(0, CELLS_MAX).map((cell) => cell.slice(0, CELL_CHARACTERS_MAX).toWellFormed());
    characters += cells.reduce((sum, cell) => sum + cell.length + 3, 0);
    if (characters > ROWS_CHARACTERS_MAX && sent.length > 0) break;
    sent.push(cells);
  }
  return sent;
}
