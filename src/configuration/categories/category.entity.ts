/** The `category` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../../db/stamped-columns.ts';
import type { Behaviour, ConsumeMode, UnreleasedChildren } from './behaviour.ts';
import type { Category, Numbering, Role } from './category.schema.ts';

export const CategoryRow = defineEntity({
  name: 'CategoryRow',
  tableName: 'category',
  properties: {
    workspaceId: p.uuid().primary(),
    key: p.string().primary(),
    name: p.string(),
    numbering: p.json<Numbering>(),
    lifecycle: p.string(),
    role: p.string().$type<Role>(),
    behaviour: p.string().$type<Behaviour>(),
    hiddenFromNew: p.boolean(),
    tabs: p.json<Category['tabs']>(),
    properties: p.json<Category['properties']>().default('[]'),
    consume: p.string().$type<ConsumeMode>().nullable(),
    unreleasedChildren: p.string().$type<UnreleasedChildren>(),
    ...stampedColumns(),
  },
});
export type CategoryRow = InferEntity<typeof CategoryRow>;
