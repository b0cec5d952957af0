/** The `automation` table as MikroORM maps it: the workspace's own ones. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../db/stamped-columns.ts';

export const AutomationRow = defineEntity({
  name: 'AutomationRow',
  tableName: 'automation',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text(),
    contextType: p.smallint(),
    script: p.text(),
    scriptVersion: p.integer(),
    enabled: p.boolean(),
    /** Since when; events that happened before are not for it. */
    enabledAt: p.datetime().nullable(),
    ...stampedColumns(),
  },
});
export type AutomationRow = InferEntity<typeof AutomationRow>;
