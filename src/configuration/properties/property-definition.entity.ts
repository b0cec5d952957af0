/** The `property_definition` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../../db/stamped-columns.ts';
import type { PropertyType } from './property-value.ts';

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
    ...stampedColumns(),
  },
});
export type PropertyDefinitionRow = InferEntity<typeof PropertyDefinitionRow>;
