/** Finds the timeline of an item in a planning run: needs, supplies, stock by day, and what each supply is for. */
import { dateOf } from '../../calendar/days.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../db/transaction.ts';
import { numberOfMicroDouble } from '../../quantity.ts';
import { findItem } from '../../stock/movements/find-stock-entities.ts';
import type { Coming, NeedSource } from '../netting/covering.ts';
import type { Chain, Need, PegsOf } from '../netting/pegs.ts';
import { NO_DAY } from '../netting/planning-input.ts';
import {
  type ActionRow,
  findRun,
  optionsOf,
  requireCompleted,
  showAction,
  storedIn,
  storesAllOrders,
} from '../runs/find-run.ts';
import { beforeActions, selectActions, selectSubstituteUses } from '../runs/planning-actions.sql.ts';
import { comingOf, type PlannedItems, planItem, type SubstituteUseRow } from './plan-items.ts';
import { daysOf } from './stock-by-day.ts';
import { PEGS_MAX, type PlanningTimeline, TIMELINE_ROWS_MAX } from './timeline.schema.ts';
import { selectNumbers } from './timeline.sql.ts';

/** Uses of substitutes that a timeline looks at. */
const USES_MAX = 10_000;

type Shown = PlanningTimeline;
/** Quantities; numbers of entities are looked up at the end. */
type Pegged = Pick<Shown['supplies'][number], 'pegs' | 'others' | 'surplus'>;

/** Throws `planning_run_not_found`, `planning_run_not_ready`, `entity_not_found`, `not_an_item`, `tree_too_large`. */
export async function findTimeline(
  tx: Tx,
  { id, itemEntityId: ref }: { id: string; itemEntityId: string },
  config: Pick<Config, 'PLANNING_ANCESTORS_MAX'>,
): Promise<Shown> {
  const run = await findRun(tx, id);
  requireCompleted(run);
  const found = await findItem(tx, ref);
  const day = run.day as string;
  const planned = await planItem(tx, { day, options: optionsOf(run) }, found.id, {
    ancestorsMax: config.PLANNING_ANCESTORS_MAX,
    stored: storesAllOrders(run) ? storedIn(run) : null,
    uses: (items) =>
      tx.query<SubstituteUseRow>(selectSubstituteUses, [tx.workspaceId, ...storedIn(run), items, USES_MAX]),
  });
  const params = [
    tx.workspaceId,
    ...storedIn(run),
    ...beforeActions,
    null,
    null,
    found.id,
    null,
    null,
    null,
    null,
    TIMELINE_ROWS_MAX + 1,
  ];
  const actions = await tx.query<ActionRow>(selectActions, params);
  const shown = show(planned, found, { run: { ...run, day }, actions });
  return withNumbers(tx, shown);
}

function show(
  planned: PlannedItems,
  found: { id: string; number: string | null; name: string },
  {
    run,
    actions: rows,
  }: { run: { id: string; day: string; options: { horizonDays: number } }; actions: ActionRow[] },
): Shown {
  const { input, pegs } = planned;
  const item = planned.indexOf(found.id);
  const { day } = run;
  const { horizonDays } = run.options;
  const computed = planned.actionsOf(item);
  const isInScope = input.inScope === null || input.inScope[item] === 1;
  const budget = { pegs: PEGS_MAX };
  const peggedOf = (by: Coming | null, quantity: number): Pegged => {
    const of = by === null ? { chains: [], others: 0 } : pegs.chainsOf(item, by);
    return showPegs(planned, of, { day, quantity, budget });
  };
  const byKey = Map.groupBy(computed, ({ action }) =>
    [
      action.action,
      action.supply < 0 ? '' : input.supply.ids.at(action.supply),
      input.supply.isPart[action.supply] === 1 ? dateOf(day, input.supply.day[action.supply] as number) : '',
      dateOf(day, action.day),
      action.quantity,
    ].join(' '),
  );
  const takeComputed = (row: ActionRow) =>
    byKey
      .get(
        [
          row.action,
          row.line_id ?? '',
          row.part_on ?? '',
          row.needed_on,
          Number(row.quantity.replace('.', '')),
        ].join(' '),
      )
      ?.shift();
  const open = rows.filter(({ status }) => status !== 'committed');
  const matched = new Map(open.map((row) => [row, takeComputed(row)]));
  const all = pegs.needsOf(item);
  const supplies = suppliesOf(planned, item);
  return {
    runId: run.id,
    itemEntityId: found.id,
    itemNumber: found.number,
    itemName: found.name,
    day,
    horizonEndsOn: dateOf(day, horizonDays),
    isCurrent: !planned.isWhole
      ? null
      : matched.size === (isInScope ? computed.length : 0) &&
        [...matched.values()].every((one) => one !== undefined),
    stock: numberOfMicroDouble(input.items.available[item] as number),
    minimum: numberOfMicroDouble(input.items.floor[item] as number),
    needs: needsOf(planned, all.slice(0, TIMELINE_ROWS_MAX), day),
    supplies: supplies.slice(0, TIMELINE_ROWS_MAX).map((at) => {
      const quantity = input.supply.quantity[at] as number;
      return {
        lineId: input.supply.ids.at(at) as string,
        lineNumber: null,
        comesOn: dateOf(day, Math.max(0, input.supply.day[at] as number)),
        quantity: numberOfMicroDouble(quantity),
        ...peggedOf({ supply: at }, quantity),
      };
    }),
    actions: rows.slice(0, TIMELINE_ROWS_MAX).map((row) => {
      const one = matched.get(row);
      const by = one === undefined ? null : comingOf(one);
      return { ...showAction(row), ...peggedOf(by, by === null ? 0 : (one?.action.quantity ?? 0)) };
    }),
    days: daysOf({ input, item, day, horizonDays, needs: pegs.needsOf(item), actions: computed, supplies }),
    isTruncated: [all, supplies, rows].some(({ length }) => length > TIMELINE_ROWS_MAX),
  };
}

function suppliesOf({ input: { supply } }: PlannedItems, item: number): number[] {
  const own = [...supply.item.keys()].filter((at) => supply.item[at] === item);
  return own.sort((a, b) => (supply.day[a] as number) - (supply.day[b] as number));
}

function needsOf(planned: PlannedItems, needs: readonly Need[], day: string): Shown['needs'] {
  const { input } = planned;
  return needs.map((need) => {
    const parent = parentOf(planned, need.source);
    return {
      ...describe(planned, need, day),
      quantity: numberOfMicroDouble(need.quantity),
      covered: numberOfMicroDouble(need.coveredBy.reduce((sum, { quantity }) => sum + quantity, 0)),
      parentEntityId: parent === null ? null : (input.items.ids.at(parent) as string),
      parentNumber: null,
    };
  });
}

function parentOf({ input, supplyAt }: PlannedItems, source: Need['source']): number | null {
  if (typeof source === 'string') return null;
  if ('madeItem' in source) return source.madeItem;
  const { lineId, madeItem } = input.origins.at(source.demand);
  if (madeItem !== undefined) return madeItem;
  const supply = lineId === null ? undefined : supplyAt.get(lineId);
  return supply === undefined ? null : (input.supply.item[supply] as number);
}

/** Describes where a need comes from. */
function describe(
  { input }: PlannedItems,
  { source, day: at }: Pick<Need, 'source' | 'day'>,
  day: string,
): Pick<Shown['needs'][number], 'kind' | 'entityId' | 'number' | 'neededOn'> {
  const neededOn = dateOf(day, at);
  if (typeof source === 'string') return { kind: source, entityId: null, number: null, neededOn };
  if ('demand' in source)
    return { ...demandOf(input, source), neededOn: givenDate(input, source.demand, neededOn, day) };
  if ('supply' in source.madeBy) {
    const entityId = input.supply.ids.at(source.madeBy.supply) ?? null;
    return { kind: 'manufacturingLine', entityId, number: null, neededOn };
  }
  return { kind: 'plannedOrder', entityId: null, number: null, neededOn };
}

function demandOf({ origins }: PlannedItems['input'], { demand }: NeedSource & { demand: number }) {
  const { kind, id } = origins.at(demand);
  return { kind, entityId: id, number: null };
}

/** Needs beyond the horizon are planned as one; their dates are their own. */
function givenDate({ demand }: PlannedItems['input'], at: number, plannedOn: string, day: string): string {
  const own = demand.day[at] as number;
  return own === NO_DAY || own < 0 ? plannedOn : dateOf(day, own);
}

function showPegs(
  planned: PlannedItems,
  { chains, others }: PegsOf,
  { day, quantity, budget }: { day: string; quantity: number; budget: { pegs: number } },
): Pegged {
  const shown = chains.slice(0, budget.pegs);
  budget.pegs -= shown.length;
  const sum = (some: readonly Chain[]) => some.reduce((total, one) => total + one.quantity, 0);
  const { ids } = planned.input.items;
  const roots = new Set(planned.input.projects.map(({ root }) => root));
  return {
    pegs: shown.map(({ quantity: own, root, path }) => {
      const source = typeof root === 'string' ? root : { demand: root.demand };
      const need = describe(planned, { source, day: 0 }, day);
      return {
        quantity: numberOfMicroDouble(own),
        ...need,
        neededOn: root === 'minimum' ? null : need.neededOn,
        // A project is the end of the path, and no item on it.
        path: [...path, ...orderedItem(planned, source)]
          .filter((at) => !roots.has(at))
          .map((at) => ({ itemEntityId: ids.at(at) as string, itemNumber: null })),
      };
    }),
    others: numberOfMicroDouble(others + sum(chains.slice(shown.length))),
    surplus: numberOfMicroDouble(Math.max(0, quantity - sum(chains) - others)),
  };
}

/** Returns what an order makes that is not followed further. */
function orderedItem(planned: PlannedItems, source: Need['source']): number[] {
  if (typeof source === 'string' || !('demand' in source)) return [];
  const { kind } = planned.input.origins.at(source.demand);
  const made = kind === 'plannedOrder' || kind === 'manufacturingLine' ? parentOf(planned, source) : null;
  return made === null ? [] : [made];
}

/** Looks all numbers up at once. */
async function withNumbers(tx: Tx, shown: Shown): Promise<Shown> {
  const pegged = [...shown.supplies, ...shown.actions].flatMap(({ pegs }) => pegs);
  const ids = new Set([
    ...shown.supplies.map(({ lineId }) => lineId),
    ...shown.needs.flatMap(({ entityId, parentEntityId }) => [entityId, parentEntityId]),
    ...pegged.flatMap(({ entityId, path }) => [entityId, ...path.map(({ itemEntityId }) => itemEntityId)]),
  ]);
  const params = [tx.workspaceId, [...ids].filter((id) => id !== null)];
  const rows = await tx.query<{ id: string; number: string | null }>(selectNumbers, params);
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  const numberOf = (id: string | null) => (id === null ? null : (numbers.get(id) ?? null));
  const peggedWith = <P extends Pegged>(one: P): P => ({
    ...one,
    pegs: one.pegs.map((peg) => ({
      ...peg,
      number: numberOf(peg.entityId),
      path: peg.path.map(({ itemEntityId }) => ({ itemEntityId, itemNumber: numberOf(itemEntityId) })),
    })),
  });
  return {
    ...shown,
    needs: shown.needs.map((need) => ({
      ...need,
      number: numberOf(need.entityId),
      parentNumber: numberOf(need.parentEntityId),
    })),
    supplies: shown.supplies.map((one) => ({ ...peggedWith(one), lineNumber: numberOf(one.lineId) })),
    actions: shown.actions.map(peggedWith),
  };
}
