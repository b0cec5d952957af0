/** The form of the files in this folder: how one tool writes its lists. A new tool is a file here and a sample in the tests. */
import type { ImportDefinitionInput } from '../import-definition.schema.ts';
import type { ColumnRole } from '../titles/title-list.ts';

export interface ToolProfile {
  /** As people call it. */
  tool: string;
  /** Headers that only this tool writes: all titles of one of them stand in the table. */
  headers: readonly (readonly string[])[];
  /** Titles that mean something else with this tool than elsewhere. */
  roles?: Readonly<Record<string, ColumnRole | 'nothing'>>;
  /** Titles of columns of parents that are filled in the first line of each parent only. */
  merged?: readonly string[];
  /** Rules of the definition. */
  rules?: Partial<ImportDefinitionInput>;
}
