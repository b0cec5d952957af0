/** The `workspace` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

export const WorkspaceRow = defineEntity({
  name: 'WorkspaceRow',
  tableName: 'workspace',
  properties: {
    id: p.uuid().primary(),
    slug: p.string(),
    name: p.string(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});
export type WorkspaceRow = InferEntity<typeof WorkspaceRow>;
