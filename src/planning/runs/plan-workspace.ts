/**
 * Computes a planning run: reads one snapshot, nets it, and stores the actions. It runs in a thread. A thread that ends at any moment has
 * stored all or nothing, and the next worker begins anew.
 */
import { dateOf, today } from '../../calendar/days.ts';
import { calendarOf } from '../../calendar/working-calendar.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { type Money, moneyText } from '../../money/money.ts';
import { readParts } from '../../procurement/records/suppliers/find-offers.ts';
import { offerOf } from '../../procurement/records/suppliers/supplier-part.ts';
import { decimalOf } from '../../quantity.ts';
import { readChoice } from '../input/input-choice.ts';
import { wholeWorkspace } from '../input/input-source.ts';
import { type ReadInput, type ReadLimits, readInput } from '../input/read-input.ts';
import { TooLargeError } from '../input/too-large.ts';
import { netItems } from '../netting/net-items.ts';
import { exceptionsOf, type PlanAction, type PlanActions } from '../netting/plan-actions.ts';
import type { Ids } from '../netting/planning-input.ts';
import { ServedProjects } from '../netting/served-projects.ts';
import { type Difference, differenceOf, digestsOf, readBaseline } from './differences.ts';
import { optionsOf, type RunRow } from './find-run.ts';
import { endActions, insertActions, keepDismissals, lockSeries } from './planning-actions.sql.ts';
import { completeRun, selectLastGeneration, selectRun, tryLockPlanning } from './planning-runs.sql.ts';
import { endPlanningRun, recordRunEnded } from './record-run-ended.ts';

export interface PlanningLimits extends ReadLimits {
  actionsMax: number;
  /** Days for which runs are kept. */
  retentionDays: number;
}

export interface RunRef {
  workspaceId: string;
  id: string;
}

const ROWS_AT_ONCE = 5000;
const PARTS_AT_ONCE = 500;
/** Actions and projects that they serve, in pairs. */
const SERVED_MAX = 1_000_000;

interface Computed {
  day: string;
  items: number;
  links: number;
  counts: ReturnType<PlanActions['counts']>;
  isTruncated: boolean;
  difference: Difference;
}

type Costs = ReadonlyMap<PlanAction, { amount: Money; currency: string }>;

/** Does nothing if the run has ended, or if another worker computes a run of the workspace. */
export async function planWorkspace(db: Db, ref: RunRef, limits: PlanningLimits): Promise<void> {
  let computed: Computed | null;
  try {
    const reading = { readOnly: true, snapshot: true };
    computed = await inTransaction(db, ref, (tx) => compute(tx, ref.id, limits), reading);
  } catch (error) {
    const isTooLarge =
      error instanceof TooLargeError || (error instanceof AppError && error.code === 'tree_too_large');
    if (!isTooLarge) throw error;
    const failure = { code: 'planning_too_large', message: error.message };
    await inTransaction(db, ref, (tx) => endPlanningRun(tx, ref.id, 'failed', failure));
    return;
  }
  if (computed === null) return;
  await inTransaction(db, ref, (tx) => store(tx, ref.id, computed));
}

/** Writes what differs from the run before. Does nothing if the run has ended. */
async function store(
  tx: Tx,
  id: string,
  { day, items, links, counts, isTruncated, difference }: Computed,
): Promise<void> {
  const { series, generation, written, ended, sameAs } = difference;
  await tx.query(lockSeries, [tx.workspaceId, series]);
  const isChange = written.length + ended.length > 0;
  const [last] = await tx.query<{ generation: number }>(selectLastGeneration, [tx.workspaceId, series]);
  if (isChange && last !== undefined && last.generation !== generation - 1)
    throw new Error(`Another planning run of the series ${series} was stored meanwhile`);
  const [completed] = await tx.query<RunRow>(completeRun, [
    tx.workspaceId,
    id,
    day,
    items,
    links,
    JSON.stringify(counts),
    isTruncated,
    series,
    generation,
    sameAs,
  ]);
  if (completed === undefined) return;
  for (const columns of written)
    await tx.query(insertActions, [tx.workspaceId, series, generation, ...columns]);
  for (let from = 0; from < ended.length; from += ROWS_AT_ONCE)
    await tx.query(endActions, [tx.workspaceId, series, generation, ended.slice(from, from + ROWS_AT_ONCE)]);
  await tx.query(keepDismissals, [tx.workspaceId, id]);
  await recordRunEnded(tx, completed);
}

async function compute(tx: Tx, id: string, limits: PlanningLimits): Promise<Computed | null> {
  const [lock] = await tx.query<{ is_locked: boolean }>(tryLockPlanning, [tx.workspaceId]);
  if (lock?.is_locked !== true) return null;
  const [run] = await tx.query<RunRow>(selectRun, [tx.workspaceId, id]);
  if (run === undefined || run.finished_at !== null) return null;
  const { is_what_if: isWhatIf } = run;
  const options = optionsOf(run);
  const day = today();
  const calendar = calendarOf(options, day, options.horizonDays);
  const source = await wholeWorkspace(tx, day, await readChoice(tx, options));
  const input = await readInput(source, { day, options, limits, calendar });
  const substitutes = options.usesSubstitutes ? input.substitutes : undefined;
  const serving = servingOf(input);
  const found = netItems({ ...options, ...input, calendar, substitutes }, serving).within(input.inScope);
  const counts = found.counts();
  const order = found.sorted(input.items.ids, input.supply, limits.actionsMax);
  const actions = Array.from(order, (at) => found.at(at));
  const isTruncated = found.length > actions.length;
  const costs = await costsOf(tx, input, actions, day);
  const served = serving === null ? undefined : serving.servedBy(found, order, SERVED_MAX);
  const portions: unknown[][][] = [];
  for (let first = 0; first < actions.length; first += ROWS_AT_ONCE)
    portions.push(columnsFrom({ day, input, actions, costs, served }, first));
  const digests = isWhatIf ? null : portions.map(digestsOf);
  const baseline = isWhatIf ? null : await readBaseline(tx, id, limits.retentionDays);
  const difference = differenceOf(id, { counts, isTruncated, digests, portions }, baseline);
  const items = input.itemCount;
  const links = input.links.child.length;
  return { day, items, links, counts, isTruncated, difference };
}

/** Follows what covers the needs of projects; null: no project needs anything. */
function servingOf({
  items: { available },
  projectDemands: projects,
  ...input
}: ReadInput): ServedProjects | null {
  return projects.length === 0 ? null : new ServedProjects({ ...input, available, projects });
}

/** Returns what is ordered costs, at the price of its quantity. */
async function costsOf(
  tx: Tx,
  { offers }: ReadInput,
  actions: readonly PlanAction[],
  day: string,
): Promise<Costs> {
  const costs = new Map<PlanAction, { amount: Money; currency: string }>();
  const ordered = actions.filter(({ action, item }) => action === 'order' && offers.has(item));
  for (let from = 0; from < ordered.length; from += PARTS_AT_ONCE) {
    const some = ordered.slice(from, from + PARTS_AT_ONCE);
    const parts = await readParts(
      tx,
      some.map(({ item }) => offers.parts.at(item) ?? ''),
    );
    for (const action of some) {
      const found = parts.get(offers.parts.at(action.item) ?? '');
      if (found === undefined) continue;
      const { price, amount } = offerOf(found.part, found.factor, BigInt(action.quantity), day);
      if (price !== null && amount !== null) costs.set(action, { amount, currency: price.currency });
    }
  }
  return costs;
}

/** Returns actions as they are stored, in columns. */
function columnsFrom(
  {
    day,
    input,
    actions,
    costs,
    served,
  }: Pick<Computed, 'day'> & {
    input: ReadInput;
    actions: readonly PlanAction[];
    costs: Costs;
    /** Projects that the actions serve; undefined: no project needs anything, null: they could not be found. */
    served: ReturnType<ServedProjects['servedBy']> | undefined;
  },
  first: number,
): unknown[][] {
  const { items, supply, offers, locations, bases, projectDemands } = input;
  const projectsOf = (places: readonly number[]) =>
    places.map((place) => projectDemands[place]?.id ?? '').join(' ');
  const some = actions.slice(first, first + ROWS_AT_ONCE);
  const column = <T>(value: (one: PlanAction) => T) => some.map(value);
  const ofOffer = (ids: Ids) =>
    column(({ action, item }) => (action === 'order' ? (ids.at(item) ?? null) : null));
  const dates = new Map<number, string>();
  const dateAt = (at: number) => {
    const date = dates.get(at) ?? dateOf(day, at);
    dates.set(at, date);
    return date;
  };
  return [
    column(({ item }) => items.ids.at(item)),
    column(({ action }) => action),
    column(({ exceptions }) => exceptionsOf(exceptions).join(' ')),
    column(({ supply: at }) => (at < 0 ? null : supply.ids.at(at))),
    column(({ day: at }) => dateAt(at)),
    column(({ start }) => dateAt(start)),
    column(({ quantity }) => decimalOf(quantity)),
    column(({ lateDays }) => lateDays),
    ofOffer(offers.parts),
    ofOffer(offers.suppliers),
    column(({ item }) => locations.get(item) ?? null),
    column((one) => {
      const cost = costs.get(one);
      return cost === undefined ? null : moneyText(cost.amount);
    }),
    column((one) => costs.get(one)?.currency ?? null),
    // A use of a substitute rests on the stock of that.
    column(({ item, substitute }) => bases.textOf(substitute?.item ?? item)),
    column(({ substitute }) => (substitute === undefined ? null : items.ids.at(substitute.item))),
    column(({ substitute }) => (substitute === undefined ? null : decimalOf(substitute.quantity))),
    column(({ supply: at }) => (supply.isPart[at] === 1 ? dateAt(supply.day[at] as number) : null)),
    some.map((_, at) => (served === null ? null : projectsOf(served?.[first + at] ?? []))),
  ];
}
