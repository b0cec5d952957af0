/** Columns of a table from which a definition stores nothing. A list of them is shown before a file is sent. */
import { columnsOf, numberedColumnsOf, plainName } from '../table/header.ts';
import type { ImportDefinitionInput } from './import-definition.schema.ts';
import { atNumber, NUMBERED_MAX } from './numbered.ts';

/** A column that only tells parts apart is compared and not stored, so it is among them. */
export function unusedColumns(definition: ImportDefinitionInput, titles: readonly string[]): string[] {
  const { identity: _, ...columns } = definition.columns ?? {};
  const numbered = numberedColumnsOf(definition).flatMap((column) =>
    Array.from({ length: NUMBERED_MAX }, (_, at) => atNumber(column, at + 1)),
  );
  const used = new Set([...columnsOf({ ...definition, columns }), ...numbered].map(plainName));
  return titles.filter((title) => !used.has(plainName(title)));
}
