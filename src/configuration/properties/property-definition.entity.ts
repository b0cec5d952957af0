/** The `property_definition` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import type { PropertyType } from './property-definition.schema.ts';

export const PropertyDefinitionRow = defineEntity({
  name: 'PropertyDefinitionRow',
  tableName: 'property_definition',
  properties: {
    workspaceId: p.uuid().primary(),
    key: p.string().primary(),
    name: p.string(),
    type: p.string().$type<PropertyType>(),
    /** Set by `markPropertiesUsed`, never through the unit of work. */
    used: p.boolean().default(false),
    version: p.integer().version(),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
  },
});
export type PropertyDefinitionRow = InferEntity<typeof PropertyDefinitionRow>;
