/** Columns of a table from which a definition stores nothing. A list of them is shown before a file is sent. */
import { columnsOf, numberedColumnsOf, plainName } from '../table/header.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';

/** A column that only tells parts apart is compared and not stored, so it is among them. */
export function unusedColumns(definition: ImportDefinitionInput, titles: readonly string[]): string[] {
  const used = new Set([...columnsOf(definition), ...numberedColumnsOf(definition)].map(plainName));
  return titles.filter((title) => !used.has(plainName(title)));
}
