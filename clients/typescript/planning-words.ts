/** Kinds and exceptions of planned actions in the order in which they are shown: first what is new, and what is late. */
import type { PlanningAction, PlanningTimeline } from './generated/types.ts';

type Kind = PlanningAction['action'];
type Exception = PlanningAction['exceptions'][number];

// A record has each name of the service: one that is missing or unknown does not compile.
const kinds: Readonly<Record<Kind, true>> = {
  order: true,
  make: true,
  expedite: true,
  defer: true,
  increase: true,
  decrease: true,
  cancel: true,
  useSubstitute: true,
  none: true,
};
const exceptions: Readonly<Record<Exception, true>> = {
  late: true,
  noSupplier: true,
  noLeadTime: true,
  noStructure: true,
  archivedItem: true,
  demandWithoutDate: true,
  overdueSupply: true,
  leadTimeTooLong: true,
  quantityOutOfRange: true,
  cycle: true,
};

export const planningActions = Object.keys(kinds) as [Kind, ...Kind[]];
export const planningExceptions = Object.keys(exceptions) as [Exception, ...Exception[]];

type Supply = PlanningTimeline['supplies'][number];
type TimelineAction = PlanningTimeline['actions'][number];

/**
 * Returns the open actions of a timeline that change one of its lines, by the line, and the others. An action that changes a line has the
 * needs of that line: whoever lists both adds them up twice.
 */
export function changesOfLines({ actions, supplies, day }: PlanningTimeline): {
  changes: ReadonlyMap<Supply, readonly TimelineAction[]>;
  others: readonly TimelineAction[];
} {
  const changes = new Map<Supply, TimelineAction[]>();
  const others: TimelineAction[] = [];
  for (const one of actions) {
    if (one.action === 'none' || one.status === 'committed') continue;
    // A plan counts overdue parts on its own day.
    const isPart = ({ comesOn }: Supply) =>
      one.partOn === null || comesOn === (one.partOn < day ? day : one.partOn);
    const line = supplies.find((supply) => supply.lineId === one.lineId && isPart(supply));
    if (line === undefined) others.push(one);
    else changes.set(line, [...(changes.get(line) ?? []), one]);
  }
  return { changes, others };
}
