/** Chooses among several tables of a file the one that is a list of parts. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';

/** The place of the definition that understands most columns; -1 where none understands any. */
export function mostUnderstood(
  definitions: readonly (Pick<ImportDefinitionInput, 'columns'> | null | undefined)[],
): number {
  const counts = definitions.map((one) => Object.keys(one?.columns ?? {}).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}
