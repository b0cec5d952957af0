/** The suggestion of a definition for a table: what it is made from, and what it says. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import type { PropertyHint } from './suggest-properties.ts';

/** The context of the rows: the workspace, and the text that they come from. */
export interface WorkspaceHints {
  properties?: readonly PropertyHint[];
  /** Keys of categories. */
  categories?: readonly string[];
  /** Names of categories by key. */
  categoryNames?: Readonly<Record<string, string>>;
  /** The sign between the columns of a text. */
  delimiter?: string | undefined;
}

export interface SuggestionNote {
  code:
    | 'no_quantities'
    | 'kept_apart'
    | 'by_name'
    | 'placeholders'
    | 'parents_created'
    | 'parents_filled'
    | 'lines_differ'
    | 'phantom_lines'
    | 'line_numbers'
    | 'decimal_unknown'
    | 'other_sheet'
    | 'category_values'
    | 'unit_converted'
    | 'unit_unfit'
    | 'unit_unknown';
  message: string;
}

export interface Suggestion {
  definition: ImportDefinitionInput;
  /** Place of the header among the rows, from 0. */
  headerAt: number;
  /** Columns that the definition makes nothing of. */
  unused: string[];
  /** Rules that somebody may want otherwise. */
  warnings: SuggestionNote[];
  /** The questions to settle before the table is read: it would be read wrongly otherwise. */
  problems: { code: 'structure_unclear'; message: string }[];
  /** The tool that writes tables like this one, where it is known. */
  tool: string | null;
  /** Values of the column of categories that are no categories of the workspace. */
  categories: { column: string; values: string[] } | null;
}
