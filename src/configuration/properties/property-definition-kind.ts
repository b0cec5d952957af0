/** Property definitions as one kind of configuration. */
import type { Kind } from '../kind.ts';
import { PropertyDefinitionRow } from './property-definition.entity.ts';
import type { PropertyDefinition } from './property-definition.schema.ts';

export function showPropertyDefinition({ key, name, type }: PropertyDefinitionRow): PropertyDefinition {
  return { key, name, type };
}

export const propertyDefinitionKind: Kind<PropertyDefinitionRow, PropertyDefinition> = {
  noun: 'property definition',
  subjectType: 'propertyDefinition',
  collection: 'property-definitions',
  table: 'property_definition',
  limit: 'propertyDefinitions',
  long: ['key', 'name'],
  find: ({ em, workspaceId }, keys) =>
    em.find(PropertyDefinitionRow, { workspaceId, key: { $in: [...keys] } }, { orderBy: { key: 'asc' } }),
  show: showPropertyDefinition,
};
