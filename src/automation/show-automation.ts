/** A workspace's automation in the form of the API. */
import { contextTypeOf } from '../events/record-events.ts';
import type { AutomationRow } from './automation.entity.ts';
import type { Automation } from './automation.schema.ts';

export function showAutomation(row: AutomationRow): Automation {
  const { id, name, description, contextType, script, scriptVersion, enabled } = row;
  return {
    id,
    kind: 'custom',
    name,
    description,
    contextTypeId: contextType,
    contextType: contextTypeOf(contextType),
    script,
    scriptVersion,
    actions: row.actions ?? null,
    button: row.button ?? null,
    filter: row.filter ?? null,
    schedule: row.schedule ?? null,
    threshold: row.threshold ?? null,
    thresholdStatus: row.thresholdStatus ?? null,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    enabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
