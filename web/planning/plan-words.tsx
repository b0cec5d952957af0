/** Labels of planning runs, their actions and their exceptions. */
import type { NewPlanningRun, PlanningAction, PlanningRun, PlanningTimeline } from '../client/operations.ts';
import { countText, dayText, quantityText, StatusWord, type Tone } from '../components/words.tsx';

export type ActionName = PlanningAction['action'];
type NeedName = PlanningTimeline['needs'][number]['kind'];
export type ExceptionName = PlanningAction['exceptions'][number];

const tones: Readonly<Record<PlanningRun['status'], Tone>> = {
  queued: 'live',
  running: 'live',
  completed: 'good',
  cancelled: 'quiet',
  failed: 'bad',
};

export function PlanStatus({ run: { status } }: { run: PlanningRun }) {
  return <StatusWord tone={tones[status]}>{status}</StatusWord>;
}

export const actionNames: Readonly<Record<ActionName, string>> = {
  order: 'order',
  make: 'make',
  expedite: 'expedite',
  defer: 'defer',
  increase: 'increase',
  decrease: 'decrease',
  cancel: 'cancel',
  useSubstitute: 'use substitute',
  none: 'no proposal',
};

export const exceptionNames: Readonly<Record<ExceptionName, string>> = {
  late: 'late',
  noSupplier: 'no supplier',
  noLeadTime: 'no lead time',
  noStructure: 'no components',
  archivedItem: 'archived item',
  demandWithoutDate: 'demand without date',
  overdueSupply: 'overdue supply',
  leadTimeTooLong: 'lead time too long',
  quantityOutOfRange: 'quantity out of range',
  cycle: 'cycle',
};

export const needNames: Readonly<Record<NeedName, string>> = {
  salesLine: 'sales line',
  requirement: 'requirement',
  forecast: 'forecast',
  project: 'project',
  whatIf: 'further demand',
  plannedOrder: 'proposal to make',
  manufacturingLine: 'manufacturing line',
  owed: 'reserved beyond stock',
  minimum: 'minimum stock',
};

export const structureNames: Readonly<Record<PlanningRun['structure'], string>> = {
  current: 'As they are now',
  released: 'Newest released revisions',
};

type Scope = NonNullable<PlanningRun['scope']>;

/** Parts of a scope that it does not name are null, and no part of the input. */
export function scopeOf(scope: PlanningRun['scope']): Pick<NewPlanningRun, 'scope'> {
  if (scope === null) return {};
  const { projects, items, categories, locationEntityId } = scope;
  return {
    scope: {
      ...(projects === null ? {} : { projects }),
      ...(items === null ? {} : { items }),
      ...(categories === null ? {} : { categories }),
      ...(locationEntityId === null ? {} : { locationEntityId }),
    },
  };
}

export function scopeText({ projects, items, categories, locationEntityId }: Scope): string {
  return [
    projects === null ? [] : countText(projects.length, 'project'),
    items === null ? [] : countText(items.length, 'item'),
    categories === null ? [] : countText(categories.length, 'category', 'categories'),
    locationEntityId === null ? [] : 'one location',
  ]
    .flat()
    .join(', ');
}

export function exceptionText(name: ExceptionName, { lateDays }: PlanningAction): string {
  return name === 'late' ? `${countText(lateDays, 'day')} late` : exceptionNames[name];
}

/** Names the line, and the day of the part of it that the action is about; or the substitute that is used. */
export function lineText({ lineNumber, partOn, substitute }: PlanningAction): string | null {
  if (substitute != null)
    return `${quantityText(substitute.quantity)} × ${substitute.itemNumber ?? 'no number'}`;
  return lineNumber === null || partOn === null ? lineNumber : `${lineNumber}, part of ${dayText(partOn)}`;
}

/** How much an action is about; a line that is increased or decreased is to have so much. */
export function plannedText({ action, quantity }: Pick<PlanningAction, 'action' | 'quantity'>): string {
  return action === 'increase' || action === 'decrease'
    ? `to ${quantityText(quantity)}`
    : quantityText(quantity);
}

const byLine = new WeakMap<readonly PlanningAction[], Map<string | null, PlanningAction[]>>();

/** Says what else the plan proposes for the same order line, of the actions that are loaded. */
export function sameLineText({ lineId, number }: PlanningAction, among: readonly PlanningAction[]): string {
  if (lineId === null) return '';
  const found = byLine.get(among) ?? Map.groupBy(among, (one) => one.lineId);
  byLine.set(among, found);
  const others = (found.get(lineId) ?? []).filter((one) => one.number !== number);
  return others.map((one) => `also ${actionNames[one.action]} ${plannedText(one)}`).join(', ');
}

/** Kinds that move a line to another day. */
export function isMove({ action }: Pick<PlanningAction, 'action'>): boolean {
  return action === 'expedite' || action === 'defer';
}

/** Says on which day a line that is moved was; nothing of any other. */
export function textBefore({ action, lineDate }: Pick<PlanningAction, 'action' | 'lineDate'>): string {
  return isMove({ action }) && lineDate !== null ? `was ${dayText(lineDate)}` : '';
}

/** Kinds that change a line that exists. */
export function isChange({ action }: Pick<PlanningAction, 'action'>): boolean {
  return action !== 'none' && action !== 'useSubstitute' && !isCreation({ action });
}

/** Kinds that propose a new line. */
export function isCreation({ action }: Pick<PlanningAction, 'action'>): boolean {
  return action === 'order' || action === 'make';
}

/** Each name with its count, in the order of the names; those that do not occur are left out. */
export function countsOf<Name extends string>(
  names: Readonly<Record<Name, string>>,
  counts: Readonly<Partial<Record<Name, number>>>,
): { name: Name; label: string; count: number }[] {
  return (Object.keys(names) as Name[]).flatMap((name) => {
    const count = counts[name] ?? 0;
    return count === 0 ? [] : [{ name, label: names[name], count }];
  });
}

/** The number of actions that propose something. */
export function proposalsOf({ actions }: PlanningRun): number {
  return countsOf(actionNames, actions).reduce(
    (sum, { name, count }) => (name === 'none' ? sum : sum + count),
    0,
  );
}

export function exceptionsOf({ exceptions }: PlanningRun): number {
  return countsOf(exceptionNames, exceptions).reduce((sum, { count }) => sum + count, 0);
}
