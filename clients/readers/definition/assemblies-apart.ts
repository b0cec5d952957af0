/** The category of what has children, where nobody has said one. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';

const ASSEMBLY = 'assembly';

/**
 * What has children is no part: it gets the category that assemblies have in a new workspace. Left out where the workspace is known
 * to have none of that key, which would refuse each of them.
 */
export function assembliesApart(
  known: readonly string[] | undefined,
): Pick<ImportDefinitionInput, 'categories'> {
  return known === undefined || known.includes(ASSEMBLY) ? { categories: { assembly: ASSEMBLY } } : {};
}
