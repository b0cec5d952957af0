/** Looks at a file's first rows and suggests a definition; for formats that say by themselves what they hold, the plain one. */
import type { FileFormat } from '../detect-format.ts';
import type { FileSource } from '../file-source.ts';
import { assembliesApart } from './assemblies-apart.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { mostUnderstood } from './most-understood.ts';
import { type Suggestion, suggestDefinition, type WorkspaceHints } from './suggest-definition.ts';
import { tableBeginnings } from './table-beginning.ts';

export async function suggestForFile(
  file: FileSource,
  hints: WorkspaceHints = {},
): Promise<{ format: FileFormat; suggestion: Suggestion | null }> {
  const { format, beginnings } = await tableBeginnings(file);
  if (beginnings.length === 0 && format !== 'xlsx') {
    const isElements = format === 'json' || format === 'ndjson';
    const definition = {
      format: plainFormat(format),
      ...(isElements ? {} : assembliesApart(hints.categories)),
    };
    return { format, suggestion: { definition, headerAt: 0, unused: [], warnings: [] } };
  }
  const suggestions = beginnings.map(({ about, rows }) => {
    const suggestion = suggestDefinition(rows, hints);
    return suggestion && { ...suggestion, definition: { ...suggestion.definition, ...about } };
  });
  const at = mostUnderstood(suggestions.map((one) => one?.definition));
  return { format, suggestion: suggestions[at] ?? null };
}

function plainFormat(format: FileFormat): NonNullable<ImportDefinitionInput['format']> {
  return format === 'json' || format === 'ndjson' || format === 'csv' || format === 'xlsx' ? 'auto' : format;
}
