/** Carries out actions of a planning run: new orders and changes of lines, all or nothing. And dismisses actions. */
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { numbersOf } from '../../configuration/number-blocks.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Mover } from '../../entities/transition-entity.ts';
import { AppError } from '../../errors.ts';
import { singleCall, singleDone } from '../../group-commit/gathering.ts';
import { createLines } from '../../procurement/lines/create-lines.ts';
import type { CreatedLines } from '../../procurement/lines/drafts.ts';
import type { Line } from '../../procurement/records/line.ts';
import { lockEntities, lockOrdersOfLines } from '../../procurement/records/procured-entities.sql.ts';
import { lockReorder } from '../../procurement/reorder/planning.sql.ts';
import { microOfDecimal } from '../../quantity.ts';
import { type Basis, type BasisScope, readBases, readBasesByLines } from '../input/basis.ts';
import { readLocations } from '../input/input-choice.ts';
import type { ActionName } from '../netting/plan-actions.ts';
import { changePlannedLine } from './change-planned-line.ts';
import { type ActionRow, findRun, optionsOf, type RunRow, requireCompleted, storedIn } from './find-run.ts';
import {
  lockActions,
  lockSeries,
  selectSubstituteBases,
  updateActions,
  updateBases,
  updateSubstituteBases,
} from './planning-actions.sql.ts';
import { ACTIONS_MAX, type PlanningCommit } from './planning-run.schema.ts';

/** Actions that are committed where none is named. */
const creating: readonly ActionName[] = ['order', 'make'];

export interface Committed {
  created: CreatedLines[];
  changed: Line[];
}

/**
 * Carries out actions. One caller at a time orders from plans and from the reorder list, so that nothing is ordered twice. An action whose item has moved since
 * the run is refused as `plan_stale`. Throws `planning_run_not_found`, `planning_run_not_ready`, `plan_stale`, `validation_failed`, and what
 * `createLines`, `changeLine` and `endLine` throw.
 */
export async function commitRun(
  tx: Tx,
  by: Mover,
  id: string,
  {
    actions: numbers = null,
    ...commit
  }: Omit<PlanningCommit, 'actions'> & { actions?: number[] | null | undefined },
): Promise<Committed> {
  await tx.query(lockReorder, [tx.workspaceId]);
  const run = await findRun(tx, id);
  requireReady(run);
  const stored = storedIn(run);
  await lockSeriesOf(tx, stored);
  const actions = await readActions(tx, stored, numbers);
  for (const [index, one] of actions.entries()) requireOpen(one, numbers === null ? null : index);
  const lines = [...new Set(actions.flatMap(({ line_id: line }) => line ?? []))].sort();
  await lockLines(tx, lines);
  const rests = {
    day: run.day as string,
    locations: await readLocations(tx, optionsOf(run).scope?.locationEntityId ?? null),
  };
  const bases = await requireSame(tx, stored, actions, rests);
  const old = await readBasesByLines(tx, lines, rests);
  const note = commit.note ?? null;
  const changed = new Map<string, Line>();
  for (const [line, own] of Map.groupBy(actions, ({ line_id: line }) => line))
    if (line !== null) changed.set(line, await changePlannedLine(tx, by, line, { actions: own, note }));
  const created: CreatedLines[] = [];
  const orderOf = new Map<number, string>();
  const creations = actions.filter(({ action }) => creating.includes(action));
  for (const own of Map.groupBy(
    creations,
    ({ action, supplier }) => `${action} ${supplier ?? ''}`,
  ).values()) {
    const [{ action, supplier }] = own as [ActionRow];
    const type = action === 'make' ? ('manufacturingOrder' as const) : ('purchaseOrder' as const);
    const lines = own.map((one) => lineOf(one, commit));
    const request = { by, type, order: null, supplier, lines, isList: false };
    const order = singleDone(await createLines(tx, numbersOf(tx), [request], singleCall()));
    for (const { ordinal } of own) orderOf.set(ordinal, order.order.id);
    created.push(order);
  }
  const ordinals = actions.map(({ ordinal }) => ordinal);
  const orders = ordinals.map((ordinal) => orderOf.get(ordinal) ?? null);
  await tx.query(updateActions, [tx.workspaceId, ...stored, ordinals, 'committed', orders]);
  const own = [...lines, ...created.flatMap((order) => order.lines.map(({ line }) => line.id))];
  await keepFresh(tx, stored, {
    items: itemsOf(actions),
    bases,
    old,
    by: await readBasesByLines(tx, own, rests),
  });
  return { created, changed: [...changed.values()] };
}

/** Throws `planning_run_not_found`, `planning_run_not_ready`, `validation_failed`. */
export async function dismissActions(
  tx: Tx,
  id: string,
  { actions: numbers, dismissed }: { actions: number[]; dismissed: boolean },
): Promise<ActionRow[]> {
  const run = await findRun(tx, id);
  requireReady(run);
  const stored = storedIn(run);
  await lockSeriesOf(tx, stored);
  const actions = await readActions(tx, stored, numbers);
  for (const [index, { status, ordinal }] of actions.entries())
    if (status === 'committed') throw refused(index, `Action ${ordinal} was committed.`);
  const status = dismissed ? ('dismissed' as const) : ('open' as const);
  const ordinals = actions.map(({ ordinal }) => ordinal);
  await tx.query(updateActions, [tx.workspaceId, ...stored, ordinals, status, ordinals.map(() => null)]);
  return actions.map((one) => ({ ...one, status }));
}

function requireReady(run: RunRow): void {
  requireCompleted(run);
  const { id, is_what_if: isWhatIf } = run;
  if (isWhatIf)
    throw new AppError(
      'planning_run_not_ready',
      `Planning run ${id} is a what-if run: its actions rest on demand that does not exist. Start a run without \`whatIf\`.`,
    );
}

type StoredIn = ReturnType<typeof storedIn>;

/** A run that is stored meanwhile ends actions of the series, too. */
async function lockSeriesOf(tx: Tx, [series]: StoredIn): Promise<void> {
  await tx.query(lockSeries, [tx.workspaceId, series]);
}

async function readActions(tx: Tx, stored: StoredIn, numbers: number[] | null): Promise<ActionRow[]> {
  const distinct = numbers === null ? null : [...new Set(numbers)];
  const params = [tx.workspaceId, ...stored, distinct, creating, ACTIONS_MAX + 1];
  const rows = await tx.query<ActionRow>(lockActions, params);
  if (rows.length > ACTIONS_MAX)
    throw new AppError('validation_failed', {
      detail: `The run has more than ${ACTIONS_MAX} open actions. Name those to commit.`,
    });
  if (numbers === null) return rows;
  const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
  return numbers.map((number, index) => {
    const row = byOrdinal.get(number);
    if (row === undefined) throw refused(index, `The run has no action ${number}.`);
    if (numbers.indexOf(number) < index) throw refused(index, `Action ${number} is named twice.`);
    return row;
  });
}

function requireOpen({ ordinal, status, action }: ActionRow, index: number | null): void {
  if (status !== 'open') throw refused(index, `Action ${ordinal} is ${status}.`);
  if (action === 'none') throw refused(index, `Action ${ordinal} is an exception that proposes nothing.`);
  if (action === 'useSubstitute')
    throw refused(
      index,
      `Action ${ordinal} uses stock of a substitute, which no order can do: name the substitute when components are reserved or issued.`,
    );
}

/**
 * Locks the lines that actions change before anything is compared, so that nothing is received or shipped between the comparison and the change: in
 * the order of transition-effect.ts, configuration, orders, lines.
 */
async function lockLines(tx: Tx, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await configurationForWriting(tx);
  await tx.query(lockOrdersOfLines.single, [tx.workspaceId, lines]);
  await tx.query(lockEntities.single, [tx.workspaceId, lines]);
}

/** Returns on what the actions' items rest now. */
async function requireSame(
  tx: Tx,
  stored: StoredIn,
  actions: readonly ActionRow[],
  rests: BasisScope,
): Promise<Map<string, Basis>> {
  const items = itemsOf(actions);
  const uses = await tx.query<{ item_id: string; substitute_id: string; basis: string }>(
    selectSubstituteBases,
    [tx.workspaceId, ...stored, items],
  );
  const restOn = [...new Set([...items, ...uses.map((use) => use.substitute_id)])];
  const bases = await readBases(tx, restOn, rests);
  // A quantity that a substitute covers is not ordered: if its stock has gone, too little would be.
  const lacking = new Set(
    uses.flatMap((use) => (bases.get(use.substitute_id)?.text() === use.basis ? [] : [use.item_id])),
  );
  const moved = actions.filter(
    ({ item_id: item, basis }) => bases.get(item)?.text() !== basis || lacking.has(item),
  );
  const [first] = moved;
  if (first === undefined) return bases;
  const others = moved.length === 1 ? '' : ` and ${moved.length - 1} more`;
  throw new AppError('plan_stale', {
    detail: `Stock, orders, needs or planning of ${first.item_number ?? first.item_id}${others} have changed since the run. Plan again.`,
    extensions: { actions: moved.map(({ ordinal }) => ordinal) },
  });
}

/**
 * Makes further actions of the items rest on what they rested on before, with the lines as they are now in place of the old ones. What others have moved
 * since is not read, so it makes these actions stale.
 */
async function keepFresh(
  tx: Tx,
  stored: StoredIn,
  {
    items,
    bases,
    old,
    by,
  }: { items: readonly string[] } & Record<'bases' | 'old' | 'by', ReadonlyMap<string, Basis>>,
): Promise<void> {
  const before = items.map((item) => bases.get(item)?.text());
  for (const item of items) bases.get(item)?.replace(old.get(item), by.get(item));
  const after = items.map((item) => bases.get(item)?.text());
  for (const statement of [updateBases, updateSubstituteBases])
    await tx.query(statement, [tx.workspaceId, ...stored, items, after, before]);
}

function itemsOf(actions: readonly ActionRow[]): string[] {
  return [...new Set(actions.map(({ item_id: item }) => item))];
}

function lineOf(one: ActionRow, { as, locationEntityId, note }: Omit<PlanningCommit, 'actions'>) {
  const location = one.location_id ?? locationEntityId ?? null;
  if (location === null) {
    const message = `The planning of ${one.item_number ?? one.item_id} names no location. Say where it is received (\`locationEntityId\`; \`--at\` on the command line).`;
    throw new AppError('validation_failed', {
      detail: message,
      errors: [{ pointer: '/locationEntityId', code: 'required', message }],
    });
  }
  return {
    item: one.item_id,
    location,
    amount: microOfDecimal(one.quantity),
    supplierPartId: one.action === 'order' ? one.supplier_part_id : undefined,
    requiredBy: one.needed_on,
    state: as === 'ordered' ? ('Ordered' as const) : ('Draft' as const),
    note: note ?? null,
  };
}

function refused(index: number | null, message: string): AppError {
  const errors = index === null ? [] : [{ pointer: `/actions/${index}`, code: 'validation_failed', message }];
  return new AppError('validation_failed', { detail: message, errors });
}
