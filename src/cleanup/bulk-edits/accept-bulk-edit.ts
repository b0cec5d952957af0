/** Accepts bulk edits, and ends them. The work is done in steps by a worker (advance-bulk-edit.ts). */
import type { Actor } from '../../actor.ts';
import type { Area } from '../../areas.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DAY_MS } from '../../calendar/days.ts';
import type { Config } from '../../config.ts';
import { loadConfiguration } from '../../configuration/current/read-configuration.ts';
import type { WorkspaceConfiguration } from '../../configuration/current/workspace-configuration.ts';
import { newId } from '../../db/ids.ts';
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkProperties } from '../../entities/check-properties.ts';
import { compileConditions } from '../../entities/conditions/compile-conditions.ts';
import { countWhere } from '../../entities/lists/count-where.ts';
import { requireReferences } from '../../entities/require-references.ts';
import { requireEntityIds } from '../../entities/resolve-entity.ts';
import { withView } from '../../entities/views/apply-view.ts';
import { AppError, fieldError } from '../../errors.ts';
import { pointerOf } from '../../http/json-pointer.ts';
import type { BulkEditChange, BulkEditFilter, NewBulkEdit } from './bulk-edit.schema.ts';
import { countUnfinished, endBulkEdit, insertBulkEdit, lockUnfinished } from './bulk-edits.sql.ts';
import { type BulkEditRow, findBulkEdit } from './find-bulk-edit.ts';

interface Caller {
  actor: Actor;
  areas: readonly Area[];
}

/** Types whose values are texts of which a part can be replaced. */
const REPLACEABLE: readonly string[] = ['text', 'choice', 'url'];

/**
 * Throws `too_many_bulk_edits`, `validation_failed`, `unknown_property`, `category_not_found`, `invalid_condition`, `view_not_found`,
 * `entity_not_found`.
 */
export async function acceptBulkEdit(
  tx: Tx,
  caller: Caller,
  { filter, change, dryRun, reason = null }: NewBulkEdit,
  config: Config,
): Promise<BulkEditRow> {
  await checkChange(tx, change, config);
  const { stored, expected } = await resolveFilter(tx, caller, filter);
  return insert(tx, caller.actor, { filter: stored, change, dryRun, reason, expected }, config);
}

/** Makes the bulk edit that applies a dry run, or takes another one back. Throws `bulk_edit_not_found`, `bulk_edit_not_ready`, `too_many_bulk_edits`. */
export async function acceptFollowUp(
  tx: Tx,
  caller: Caller,
  { id, use, reason }: { id: string; use: 'apply' | 'undo'; reason: string | null },
  config: Config,
): Promise<BulkEditRow> {
  const source = await findBulkEdit(tx, id, { lock: true });
  requireReady(source, use, config.BULK_EDIT_RETENTION_DAYS);
  const { change, changed: expected } = source;
  return insert(
    tx,
    caller.actor,
    { filter: {}, change, dryRun: false, reason: reason ?? source.reason, expected, source: { id, use } },
    config,
  );
}

function requireReady(
  { id, status, dry_run: dryRun, finished_at: end }: BulkEditRow,
  use: 'apply' | 'undo',
  daysMax: number,
) {
  const refuse = (message: string) => {
    throw new AppError('bulk_edit_not_ready', `Bulk edit ${id} ${message}`);
  };
  if (use === 'apply' && !dryRun) refuse('is not a dry run: it has changed the entities already.');
  if (use === 'undo' && dryRun) refuse('is a dry run: there is nothing to take back.');
  if (end === null) return refuse(`is ${status}: wait until it has ended, or cancel it.`);
  if (Date.parse(rfc3339(end)) < Date.now() - daysMax * DAY_MS)
    refuse(`ended more than ${daysMax} days ago: its results are being deleted. Make another one.`);
  if (use === 'apply' && status !== 'completed')
    refuse(`is ${status}: only a completed dry run can be applied. Make another one.`);
}

/** Stops what has not been edited; what is done stays done. Throws `bulk_edit_not_found`, `bulk_edit_finished`. */
export async function cancelBulkEdit(tx: Tx, id: string): Promise<BulkEditRow> {
  const { status, finished_at: end } = await findBulkEdit(tx, id, { lock: true });
  if (end !== null)
    throw new AppError('bulk_edit_finished', `Bulk edit ${id} is ${status}: there is nothing to cancel.`);
  const [row] = await tx.query<BulkEditRow>(endBulkEdit, [tx.workspaceId, id, 'cancelled', null]);
  return row as BulkEditRow;
}

interface Accepted {
  filter: object;
  change: BulkEditChange;
  dryRun: boolean;
  reason: string | null;
  expected: number | null;
  source?: { id: string; use: 'apply' | 'undo' };
}

async function insert(tx: Tx, actor: Actor, edit: Accepted, config: Config): Promise<BulkEditRow> {
  const max = config.BULK_EDITS_UNFINISHED_MAX;
  await tx.query(lockUnfinished, [tx.workspaceId]);
  const [unfinished] = await tx.query<{ count: number }>(countUnfinished, [tx.workspaceId]);
  if ((unfinished?.count ?? 0) >= max) {
    throw new AppError('too_many_bulk_edits', {
      detail: `The workspace has ${max} bulk edits that have not ended. Wait for one, or cancel it.`,
      extensions: { max },
    });
  }
  const id = newId();
  const { filter, change, dryRun, reason, expected, source } = edit;
  const [row] = await tx.query<BulkEditRow>(insertBulkEdit, [
    tx.workspaceId,
    id,
    dryRun,
    JSON.stringify(filter),
    JSON.stringify(change),
    source?.id ?? null,
    source?.use ?? null,
    reason,
    expected,
    actor.type,
    actor.id,
    actor.name,
  ]);
  if (!dryRun)
    await recordChange(tx, {
      actor,
      action: 'create',
      subjectType: 'bulkEdit',
      subjectKey: id,
      before: null,
      after: { change, reason, ...(source === undefined ? { filter } : { [source.use]: source.id }) },
    });
  return row as BulkEditRow;
}

async function checkChange(tx: Tx, change: BulkEditChange, config: Config): Promise<void> {
  const { properties = {}, replace = {}, category, state } = change;
  if (Object.keys(properties).length + Object.keys(replace).length === 0 && (category ?? state) === undefined)
    throw invalid('', 'required', 'Name at least one change: properties, replace, category or state.');
  const configuration = await loadConfiguration(tx);
  try {
    const values = checkProperties(properties, configuration, config);
    await requireReferences(tx, configuration, values);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors?.map((one) => ({ ...one, pointer: `/change${one.pointer}` })) ?? [];
    throw new AppError(error.code, { detail: error.message, errors });
  }
  for (const key of Object.keys(replace)) checkReplacement(configuration, properties, key);
  if (category !== undefined && !configuration.categories.has(category))
    throw new AppError('category_not_found', {
      detail: `Category ${JSON.stringify(category)} does not exist.`,
      errors: [
        { pointer: '/change/category', code: 'category_not_found', message: 'The category does not exist.' },
      ],
    });
  const isState = ({ states }: { states: readonly { name: string }[] }) =>
    states.some(({ name }) => name === state);
  if (state !== undefined && ![...configuration.lifecycles.values()].some(isState))
    throw invalid('/state', 'unknown_state', `No lifecycle has a state ${JSON.stringify(state)}.`);
}

function checkReplacement({ properties }: WorkspaceConfiguration, set: object, key: string): void {
  const pointer = pointerOf(['replace', key]);
  const definition = properties.get(key);
  if (definition === undefined) {
    const message = `The workspace defines no property ${JSON.stringify(key)}.`;
    throw fieldError('unknown_property', `/change${pointer}`, message);
  }
  if (!REPLACEABLE.includes(definition.type))
    throw invalid(
      pointer,
      'not_replaceable',
      `Property ${JSON.stringify(key)} is of type ${definition.type}: set its values instead.`,
    );
  if (Object.hasOwn(set, key))
    throw invalid(pointer, 'set_already', `Property ${JSON.stringify(key)} is set by the same change.`);
}

function invalid(pointer: string, code: string, message: string): AppError {
  return new AppError('validation_failed', {
    detail: `The change is not valid. ${message}`,
    errors: [{ pointer: `/change${pointer}`, code, message }],
  });
}

/** Filters are stored as they count: ids for references, and the filters of the view for its id. */
async function resolveFilter(
  tx: Tx,
  caller: Caller,
  { ids: refs, ...given }: BulkEditFilter,
): Promise<{ stored: object; expected: number | null }> {
  if (refs !== undefined) {
    const others = Object.entries(given).filter(
      ([key, value]) => value !== undefined && !(key === 'archived' && value === 'false'),
    );
    if (others.length > 0) {
      const message = 'Name entities by "ids", or find them by the other filters.';
      throw new AppError('validation_failed', {
        detail: `The filter is not valid. ${message}`,
        errors: [{ pointer: '/filter/ids', code: 'unexpected', message }],
      });
    }
    const ids = [...new Set(await requireEntityIds(tx, refs))].toSorted();
    return { stored: { ids }, expected: ids.length };
  }
  const { view, ...filters } = given;
  const { sort, order, ...query } = (await withView(tx, caller, { view, ...filters })) as typeof filters & {
    sort?: string;
    order?: string;
  };
  await compileConditions(tx, query.where ?? []);
  const { items } = await countWhere(tx, query, []);
  // Without any filter nothing is counted: all entities are found.
  const isCounted = items.length > 0 && items.every(({ isAtLeast }) => !isAtLeast);
  return { stored: query, expected: isCounted ? items.reduce((sum, { count }) => sum + count, 0) : null };
}
