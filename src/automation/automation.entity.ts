/** The `automation` table as MikroORM maps it: the workspace's own ones. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { stampedColumns } from '../db/stamped-columns.ts';
import type { AttachedAction } from './built-in/attached-action.schema.ts';
import type { Button } from './button.schema.ts';
import type { Filter } from './filter.schema.ts';
import type { Schedule } from './schedule.schema.ts';
import type { Threshold, ThresholdStatus } from './threshold.schema.ts';

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
    /** The button of an automation of context type 5. */
    button: p.json<Button>().columnType('json').nullable(),
    actions: p.json<AttachedAction[]>().columnType('json').nullable(),
    filter: p.json<Filter>().columnType('json').nullable(),
    schedule: p.json<Schedule>().columnType('json').nullable(),
    threshold: p.json<Threshold>().columnType('json').nullable(),
    /** The last count of the view of its threshold. */
    thresholdStatus: p.json<ThresholdStatus>().columnType('json').nullable(),
    /** The next time of its schedule, or of the next count of its view, while it is enabled. */
    nextRunAt: p.datetime().nullable(),
    enabled: p.boolean(),
    /** Since when; events that happened before are not for it. */
    enabledAt: p.datetime().nullable(),
    ...stampedColumns(),
  },
});
export type AutomationRow = InferEntity<typeof AutomationRow>;
