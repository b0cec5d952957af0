/** Which of several tables in a file is the one that a list of parts stands in. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';

/** Of what was made of each the place of the one of which most columns are understood; -1 where none of any is. */
export function mostUnderstood(
  definitions: readonly (Pick<ImportDefinitionInput, 'columns'> | null | undefined)[],
): number {
  const counts = definitions.map((one) => Object.keys(one?.columns ?? {}).length);
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}
