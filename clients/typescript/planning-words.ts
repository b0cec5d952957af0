/** Kinds and exceptions of planned actions in the order in which they are shown: first what is new, and what is late. */
import type { PlanningAction } from './generated/types.ts';

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
