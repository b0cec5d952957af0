/** The `property_definition` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../../db/stamped-columns.ts';
import type { PropertyDefinition } from './property-definition.schema.ts';
import type { PropertyType } from './property-value.ts';

/** Fields of a definition as far as they are set. */
export type PropertyDetails = Partial<
  Pick<
    PropertyDefinition,
    'choices' | 'unit' | 'default' | 'pattern' | 'requiredFrom' | 'group' | 'description'
  >
>;

export const PropertyDefinitionRow = defineEntity({
  name: 'PropertyDefinitionRow',
  tableName: 'property_definition',
  properties: {
    workspaceId: p.uuid().primary(),
    key: p.string().primary(),
    name: p.string(),
    type: p.string().$type<PropertyType>(),
    details: p.json<PropertyDetails>().default('{}'),
    filterable: p.boolean().default(false),
    searchable: p.boolean().default(false),
    /** The state of its index, which `find` of its kind reads. */
    isIndexed: p.boolean().persist(false).nullable(),
    /** Set by `markPropertiesUsed`, never through the unit of work. */
    used: p.boolean().default(false),
    ...stampedColumns(),
  },
});
export type PropertyDefinitionRow = InferEntity<typeof PropertyDefinitionRow>;
