/** Reads planning runs and their actions, and shows them. */
import { rfc3339 } from '../../db/time.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError, fieldError } from '../../errors.ts';
import { moneyOf, moneyText } from '../../money/money.ts';
import { microOfDecimal, numberOf } from '../../quantity.ts';
import { type PlanningOptions, standardOptions } from '../options/planning-options.schema.ts';
import { selectServedKnown } from './planning-actions.sql.ts';
import type { PlanningAction, PlanningRun } from './planning-run.schema.ts';
import { lockRun, selectNewestPlans, selectRun } from './planning-runs.sql.ts';

export interface RunRow {
  id: string;
  status: PlanningRun['status'];
  options: PlanningOptions;
  is_what_if: boolean;
  day: string | null;
  items: number | null;
  links: number | null;
  counts: Pick<PlanningRun, 'actions' | 'exceptions'> | null;
  is_truncated: boolean;
  failure: PlanningRun['failure'];
  /** The run before it that found the same. */
  stored_run_id: string | null;
  /** A run of an earlier version, or one that is not completed, has none. */
  series_id: string | null;
  generation: number;
  actor_type: string;
  actor_id: string;
  actor_name: string;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Depth of the event of its end. */
  depth: number;
  cause_run_id: string | null;
  cause_root_id: string | null;
}

/** Throws `planning_run_not_found`. */
export async function findRun(tx: Tx, id: string, { lock = false } = {}): Promise<RunRow> {
  const [row] = await tx.query<RunRow>(lock ? lockRun : selectRun, [tx.workspaceId, id]);
  if (row === undefined)
    throw new AppError('planning_run_not_found', `There is no planning run ${id} in this workspace.`);
  return row;
}

/** Returns the series with which its actions are stored, and its generation in that. */
export function storedIn(run: RunRow): [series: string, generation: number] {
  return [run.series_id ?? run.stored_run_id ?? run.id, run.generation];
}

/** Orders of items outside a scope are not stored. The holdings of a project are told apart only where its whole structure is planned anew. */
export function storesAllOrders(run: RunRow): boolean {
  const { scope, projects } = optionsOf(run);
  return scope === null && projects.length === 0 && !run.is_truncated;
}

/** Returns the newest run that stores all orders and plans things as they are, if it is among the last ones. */
export async function findNewestPlan(tx: Tx): Promise<RunRow | null> {
  const rows = await tx.query<RunRow>(selectNewestPlans, [tx.workspaceId]);
  return rows.find(storesAllOrders) ?? null;
}

/** Throws `planning_run_not_ready`. */
export function requireCompleted({ id, status }: RunRow): void {
  if (status !== 'completed')
    throw new AppError(
      'planning_run_not_ready',
      `Planning run ${id} is ${status}. Only a completed run has actions.`,
    );
}

/** A run of an earlier version does not know it, and none does whose needs are too many. Throws `validation_failed`. */
export async function requireServedKnown(tx: Tx, run: RunRow): Promise<void> {
  const [first] = await tx.query<{ is_known: boolean }>(selectServedKnown, [
    tx.workspaceId,
    ...storedIn(run),
  ]);
  if (first === undefined || first.is_known) return;
  const message = `Planning run ${run.id} does not know which projects its actions serve: an earlier version computed it, or projects need too much for it. Plan again, or plan the project alone with \`scope.projects\`.`;
  throw fieldError('validation_failed', '/project', message);
}

/** Returns the options of a run. A run of an earlier version lacks some. */
export function optionsOf({ options }: Pick<RunRow, 'options'>): PlanningOptions {
  return { ...standardOptions, ...options };
}

export function showRun(row: RunRow): PlanningRun {
  const moment = (text: string | null) => (text === null ? null : rfc3339(text));
  const { id, status, day, items, links, counts, failure } = row;
  return {
    id,
    status,
    ...optionsOf(row),
    isWhatIf: row.is_what_if,
    day,
    items,
    links,
    actions: counts?.actions ?? {},
    exceptions: counts?.exceptions ?? {},
    isTruncated: row.is_truncated,
    sameAs: row.stored_run_id,
    by: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    failure,
    createdAt: rfc3339(row.created_at),
    startedAt: moment(row.started_at),
    finishedAt: moment(row.finished_at),
  };
}

export interface ActionRow {
  ordinal: number;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  action: PlanningAction['action'];
  exceptions: PlanningAction['exceptions'];
  line_id: string | null;
  line_number: string | null;
  line_date: string | null;
  part_on: string | null;
  needed_on: string;
  starts_on: string;
  quantity: string;
  late_days: number;
  supplier_part_id: string | null;
  supplier: string | null;
  substitute_id: string | null;
  substitute_number: string | null;
  substitute_quantity: string | null;
  location_id: string | null;
  amount: string | null;
  currency: string | null;
  basis: string;
  status: PlanningAction['status'];
  order_id: string | null;
}

export function showAction(row: ActionRow): PlanningAction {
  return {
    number: row.ordinal,
    itemEntityId: row.item_id,
    itemNumber: row.item_number,
    itemName: row.item_name ?? '',
    action: row.action,
    exceptions: row.exceptions,
    lineId: row.line_id,
    lineNumber: row.line_number,
    lineDate: row.line_date,
    partOn: row.part_on,
    neededOn: row.needed_on,
    startsOn: row.starts_on,
    quantity: numberOf(microOfDecimal(row.quantity)),
    lateDays: row.late_days,
    supplierPartId: row.supplier_part_id,
    supplier: row.supplier,
    substitute:
      row.substitute_id === null
        ? null
        : {
            itemEntityId: row.substitute_id,
            itemNumber: row.substitute_number,
            quantity: numberOf(microOfDecimal(row.substitute_quantity ?? '0')),
          },
    locationEntityId: row.location_id,
    amount: row.amount === null ? null : moneyText(moneyOf(row.amount)),
    currency: row.currency,
    status: row.status,
    orderId: row.order_id,
  };
}
