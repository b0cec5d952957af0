/** A workspace's automation in the form of the API. */
import { versionTag } from '../configuration/answer-kind.ts';
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

const CLOCK = '.';

/** The version, and the time of the next run or count: a read sees that it has moved on. A change compares only the version. */
export function tagOf(row: AutomationRow): string {
  const { nextRunAt } = row;
  return nextRunAt == null
    ? versionTag(row)
    : `${versionTag(row)}${CLOCK}${nextRunAt.getTime().toString(36)}`;
}

/** The version in a tag, by which changes are compared. */
export function versionOfTag(tag: string): string {
  return tag.split(CLOCK)[0] as string;
}
