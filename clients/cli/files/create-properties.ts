/** Columns that the workspace has no property for become properties in one step. */
import { type NewProperty, newPropertiesOf } from '../../readers/definition/new-properties.ts';
import type { Partbook } from '../../typescript/connect.ts';

/** Returns the properties that were created, one for each column. */
export async function createProperties(
  partbook: Partbook,
  columns: readonly string[],
  signal: AbortSignal,
): Promise<NewProperty[]> {
  const created = newPropertiesOf(columns);
  for (const body of created) await partbook('POST /property-definitions', { body }, { signal });
  return created;
}
