/** The `lifecycle` table as MikroORM maps it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../../db/stamped-columns.ts';
import type { LifecycleState, LifecycleTransition } from './lifecycle.schema.ts';

export const LifecycleRow = defineEntity({
  name: 'LifecycleRow',
  tableName: 'lifecycle',
  properties: {
    workspaceId: p.uuid().primary(),
    key: p.string().primary(),
    name: p.string(),
    initialState: p.string(),
    states: p.json<LifecycleState[]>(),
    transitions: p.json<LifecycleTransition[]>(),
    ...stampedColumns(),
  },
});
export type LifecycleRow = InferEntity<typeof LifecycleRow>;
