/** Suggests a definition by the first rows of a file; formats that say by themselves what they hold get the plain one. */
import { type FileFormat, isTable } from '../detect-format.ts';
import type { FileSource } from '../file-source.ts';
import { FileFault } from '../findings.ts';
import { assembliesApart } from './assemblies-apart.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { mostUnderstood } from './most-understood.ts';
import { describeTable, suggestDefinition } from './suggest-definition.ts';
import type { Suggestion, SuggestionNote, WorkspaceHints } from './suggestion.ts';
import { type TableBeginning, tableBeginnings } from './table-beginning.ts';

export async function suggestForFile(
  file: FileSource,
  hints: WorkspaceHints = {},
): Promise<{ format: FileFormat; suggestion: Suggestion | null; beginnings: TableBeginning[] }> {
  const { format, beginnings } = await tableBeginnings(file);
  if (!isTable(format)) {
    const isElements = format === 'json' || format === 'ndjson';
    const definition = {
      format: isElements ? ('auto' as const) : format,
      ...(isElements ? {} : assembliesApart(hints.categories)),
    };
    const plain = { headerAt: 0, unused: [], warnings: [], problems: [], tool: null, categories: null };
    return { format, suggestion: { definition, ...plain }, beginnings };
  }
  return { format, suggestion: suggestForTables(beginnings, hints), beginnings };
}

/** The suggestion for the table that is understood best; other sheets that look like lists are named. */
function suggestForTables(beginnings: readonly TableBeginning[], hints: WorkspaceHints): Suggestion | null {
  const suggestions = beginnings.map(({ about, rows }) => {
    const suggestion = suggestDefinition(rows, { ...hints, delimiter: about.delimiter });
    return suggestion && { ...suggestion, definition: { ...suggestion.definition, ...about } };
  });
  const at = mostUnderstood(suggestions.map((one) => one?.definition));
  const chosen = suggestions[at];
  if (chosen == null) return null;
  const others = suggestions.flatMap((one, place) =>
    place !== at && one !== null && isList(one.definition) ? one : [],
  );
  const warnings = [
    ...chosen.warnings,
    ...others.map(({ definition }) => otherSheet(definition.sheet ?? '')),
  ];
  return { ...chosen, warnings };
}

/** Parts with how many of them, and not just a column with a familiar title. */
export function isList({ columns = {} }: Pick<ImportDefinitionInput, 'columns'>): boolean {
  const { quantity, references, key, number } = columns;
  return (key ?? number) !== undefined && (quantity ?? references) !== undefined;
}

export function otherSheet(sheet: string): SuggestionNote {
  return {
    code: 'other_sheet',
    message: `The sheet "${sheet}" looks like a list of parts too and is not read. Name the sheet that is meant.`,
  };
}

/** The fault for a table that no definition can be suggested for: what was seen, and how to go on. */
export function tableUnclear(
  beginnings: readonly TableBeginning[],
  problems: Suggestion['problems'] = [],
): FileFault {
  const [problem] = problems;
  if (problem !== undefined) return new FileFault(problem.code, problem.message);
  const seen = beginnings.map(({ about, rows }) =>
    [about.sheet === undefined ? '' : `Sheet "${about.sheet}": `, describeTable(rows)].join(''),
  );
  const start =
    '{ "format": "table", "columns": { "number": "TITLE", "name": "TITLE", "quantity": "TITLE" } }';
  return new FileFault(
    'table_unclear',
    `No row of the table is understood as a header. ${seen.slice(0, 3).join(' ')} Write a definition, such as ${start}, into a file and name it with --definition.`,
  );
}
