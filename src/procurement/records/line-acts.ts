/** Acts of callers on an open line: the step of the line that each is, and when it is refused. */
import { AppError } from '../../errors.ts';
import type { Micro } from '../../quantity.ts';
import { type LineStep, type LineType, lineRules } from '../../stock/entries/line-rules.ts';
import { heldBy, isAtWork, isSupply, type Line } from './line.ts';
import { refuseType, requireOpen, type Tolerance } from './refusals.ts';

interface LineActRule {
  readonly step: LineStep;
  readonly isOfSupply: boolean;
  /** For refusals, in words. */
  readonly done: string;
  readonly doing: string;
  readonly refusal: 'over_receipt' | 'over_shipment' | 'over_reservation' | 'over_release';
  /** How much of the line the act may move. */
  limit(line: Line): Micro;
}

export const lineActs = {
  receive: {
    step: 'fulfil',
    isOfSupply: true,
    done: 'received',
    doing: 'Receiving',
    refusal: 'over_receipt',
    limit: ({ open }) => open,
  },
  ship: {
    step: 'fulfil',
    isOfSupply: false,
    done: 'shipped',
    doing: 'Shipping',
    refusal: 'over_shipment',
    limit: ({ open }) => open,
  },
  reserve: {
    step: 'begin',
    isOfSupply: false,
    done: 'reserved for',
    doing: 'Reserving',
    refusal: 'over_reservation',
    limit: (line) => line.open - heldBy(line),
  },
  release: {
    step: 'release',
    isOfSupply: false,
    done: 'released',
    doing: 'Releasing',
    refusal: 'over_release',
    limit: heldBy,
  },
} as const satisfies Record<string, LineActRule>;
export type LineAct = keyof typeof lineActs;

/** Whether lines of the type are moved by such an act. */
export function isActOf(act: LineAct, type: LineType): boolean {
  return lineActs[act].isOfSupply === isSupply(type);
}

/** Throws `line_not_open`, `over_receipt`, `over_shipment`, `over_reservation`, `over_release`. */
export function requireAct(
  act: LineAct,
  line: Line,
  amount: Micro,
  tolerance: Tolerance | null = null,
): void {
  const rule: LineActRule = lineActs[act];
  if (!isActOf(act, line.type)) throw refuseType(line, rule.done);
  requireOpen(line, amount, rule.limit(line), { code: rule.refusal, what: rule.doing, tolerance });
}

/** Refuses a call for whole orders that have nothing open: `line_not_open`. The refusal says which of the lines are still drafts. */
export function nothingOpen(act: LineAct, lines: readonly Line[]): AppError {
  const verb = act === 'ship' ? 'ship' : 'receive';
  const drafts = lines.filter((line) => line.open > 0n && !isAtWork(line));
  const [draft] = drafts;
  if (draft === undefined)
    return new AppError(
      'line_not_open',
      `No line of the order has anything open: there is nothing to ${verb}.`,
    );
  const still = drafts.length === 1 ? '1 line is still a draft' : `${drafts.length} lines are still drafts`;
  const first = `move ${drafts.length === 1 ? 'it' : 'them'} to "${lineRules[draft.type].working}" first`;
  return new AppError(
    'line_not_open',
    `There is nothing to ${verb}: ${still}. To ${verb} what is open, ${first}.`,
  );
}
