/** A property definition as the API shows it. */
import type { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { PropertyDefinition } from './property-definition.schema.ts';

export function showPropertyDefinition(row: PropertyDefinitionRow): PropertyDefinition {
  return { key: row.key, name: row.name, type: row.type };
}
