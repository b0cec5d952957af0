/** Makes an automation of the workspace, replaces what it is made of, or deletes it. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import { newId } from '../db/ids.ts';
import { databaseNow } from '../db/time.ts';
import type { Tx } from '../db/transaction.ts';
import { compileConditions } from '../entities/conditions/compile-conditions.ts';
import { viewOfEntities } from '../entities/views/apply-view.ts';
import type { Viewer } from '../entities/views/find-view.ts';
import { AppError } from '../errors.ts';
import { contextTypeOf, setListening } from '../events/record-events.ts';
import { AutomationRow } from './automation.entity.ts';
import type { Automation, AutomationReplacement, NewAutomation, WithScript } from './automation.schema.ts';
import { insertScriptVersion, saveActor } from './automation.sql.ts';
import type { ScriptPool } from './conductor/script-pool.ts';
import { forgetCrossingsOf } from './crossings.sql.ts';
import { heardBy } from './heard-by.ts';
import { nextRun } from './next-run.ts';
import { showAutomation } from './show-automation.ts';
import type { Threshold } from './threshold.schema.ts';

/**
 * A script is checked before it is kept: nobody should learn from a failed run that a bracket is missing. Throws
 * `script_syntax_error` with the line and the column (contract §5.1).
 */
export async function requireScript(scripts: Pick<ScriptPool, 'checkSyntax'>, source: string): Promise<void> {
  const error = await scripts.checkSyntax(source);
  if (error === null) return;
  const { line, column, message, snippet } = error;
  const where = line === null ? '' : ` in line ${line}${column === null ? '' : `, column ${column}`}`;
  throw new AppError('script_syntax_error', {
    detail: `The script does not compile${where}: ${message}.`,
    errors: [{ pointer: '/script', code: 'script_syntax_error', message, line, column }],
    extensions: { snippet },
  });
}

/** The script has been checked. Throws `configuration_full`. */
export async function createAutomation(
  tx: Tx,
  actor: Actor,
  wanted: WithScript<NewAutomation>,
  limits: { AUTOMATIONS_MAX: number },
): Promise<AutomationRow> {
  await lockConfiguration(tx);
  await compileConditions(tx, wanted.filter?.where ?? []);
  const { workspaceId } = tx;
  const limit = limits.AUTOMATIONS_MAX;
  if ((await tx.em.count(AutomationRow, { workspaceId })) >= limit) {
    throw new AppError('configuration_full', {
      detail: `The workspace has ${limit} automations, which is as many as it can have. Delete some.`,
      extensions: { limit },
    });
  }
  const { contextTypeId: contextType, ...values } = wanted;
  const now = new Date(await databaseNow(tx));
  const row = tx.em.create(AutomationRow, {
    workspaceId,
    id: newId(),
    ...values,
    contextType,
    scriptVersion: 1,
    enabledAt: wanted.enabled ? now : null,
    nextRunAt: wanted.enabled ? firstRun(wanted, now) : null,
  });
  await saveAutomation(tx, actor, row, true);
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'automation',
    subjectKey: row.id,
    before: null,
    after: showAutomation(row),
  });
  return row;
}

/**
 * Another script is another version of it. `row` was read under `lockConfiguration`, and the script has been checked.
 */
export async function replaceAutomation(
  tx: Tx,
  actor: Actor,
  row: AutomationRow,
  wanted: WithScript<AutomationReplacement>,
): Promise<void> {
  const before = showAutomation(row);
  const { name, description, contextTypeId, script, actions, button, filter, enabled } = wanted;
  const { schedule, threshold } = wanted;
  const settings = { actions, button, filter, schedule, threshold };
  const values = { name, description, contextTypeId, script, ...settings, enabled };
  // They are compared as text, because the order of the fields of a form counts.
  if (JSON.stringify({ ...before, ...values }) === JSON.stringify(before)) return;
  const newScript = script !== row.script;
  await compileConditions(tx, filter?.where ?? []);
  // Events from before it listened to them are not for it.
  const listensAnew = enabled && (!row.enabled || contextTypeId !== row.contextType);
  const now = new Date(await databaseNow(tx));
  const clocks = (some: Clocks) => JSON.stringify([some.schedule, some.threshold]);
  const isScheduledAnew = enabled && (!row.enabled || clocks({ schedule, threshold }) !== clocks(before));
  tx.em.assign(row, {
    name,
    description,
    contextType: contextTypeId,
    script,
    ...settings,
    scriptVersion: row.scriptVersion + (newScript ? 1 : 0),
    enabled,
    enabledAt: listensAnew ? now : enabled ? (row.enabledAt ?? null) : null,
    ...(isScheduledAnew || !enabled
      ? { nextRunAt: enabled ? firstRun({ schedule, threshold }, now) : null }
      : {}),
  });
  const isArmedAnew = listensAnew || JSON.stringify(threshold) !== JSON.stringify(before.threshold);
  if (isArmedAnew || !enabled) tx.em.assign(row, { thresholdStatus: null });
  await saveAutomation(tx, actor, row, newScript);
  // This comes after the row is locked, because a count under way may still note a crossing of the former threshold.
  if (isArmedAnew) await tx.query(forgetCrossingsOf, [row.workspaceId, row.id]);
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'automation',
    subjectKey: row.id,
    before,
    after: showAutomation(row),
  });
}

type Clocks = Pick<Automation, 'schedule' | 'threshold'>;

/** A view is counted at once. */
function firstRun({ schedule, threshold }: Clocks, now: Date): Date | null {
  if (threshold?.view !== undefined) return now;
  return schedule === null ? null : nextRun(schedule, now);
}

/** Refuses a threshold on a view that the caller cannot see, or that shows no entities. Throws `validation_failed`. */
export async function requireView(tx: Tx, viewer: Viewer, threshold: Threshold | null): Promise<void> {
  if (threshold?.view === undefined) return;
  try {
    await viewOfEntities(tx, viewer, threshold.view);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'view_not_found') throw error;
    const errors = [{ pointer: '/threshold/view', code: 'view_not_found', message: error.message }];
    throw new AppError('validation_failed', { detail: error.message, errors });
  }
}

/** Its past runs stay until they are too old. `row` was read under `lockConfiguration`. */
export async function deleteAutomation(tx: Tx, actor: Actor, row: AutomationRow): Promise<void> {
  const before = showAutomation(row);
  tx.em.remove(row);
  await tx.em.flush();
  await setListening(tx, before.id, []);
  await tx.query(forgetCrossingsOf, [tx.workspaceId, before.id]);
  await recordChange(tx, {
    actor,
    action: 'delete',
    subjectType: 'automation',
    subjectKey: before.id,
    before,
    after: null,
  });
}

/** Saves what belongs to every change: the row, its actor's name, a new version of its script, the events it listens to. */
async function saveAutomation(tx: Tx, actor: Actor, row: AutomationRow, newScript: boolean): Promise<void> {
  await tx.em.flush();
  await tx.query(saveActor, [row.workspaceId, row.id, row.name]);
  if (newScript) {
    await tx.query(insertScriptVersion, [row.workspaceId, row.id, row.scriptVersion, row.script, actor.id]);
  }
  const heard = row.enabled ? heardBy(row.contextType, row.threshold ?? null) : null;
  await setListening(tx, row.id, heard === null ? [] : [contextTypeOf(heard)]);
}
