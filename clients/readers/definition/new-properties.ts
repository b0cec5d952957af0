/** Definitions of properties for columns that a workspace has no property for. */
import type { ImportDefinitionInput } from './import-definition.schema.ts';

export interface NewProperty {
  key: string;
  name: string;
  type: 'text';
}

/** Returns a definition for each column: its values are kept as they are written. */
export function newPropertiesOf(columns: readonly string[]): NewProperty[] {
  return columns.map((title) => ({ key: title, name: title, type: 'text' }));
}

/** Returns an import definition that fills these properties, too. Their columns have a meaning now, and are not watched any more. */
export function withProperties<Of extends Pick<ImportDefinitionInput, 'properties' | 'watch'>>(
  definition: Of,
  created: readonly NewProperty[],
): Of {
  const sources = Object.fromEntries(created.map(({ key }) => [key, key]));
  const { watch = [], ...rest } = definition;
  const watched = watch.filter((column) => !Object.hasOwn(sources, column));
  return {
    ...rest,
    properties: { ...definition.properties, ...sources },
    ...(watched.length === 0 ? {} : { watch: watched }),
  } as Of;
}
