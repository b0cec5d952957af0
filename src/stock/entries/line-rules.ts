/**
 * Which movements a stock line of each type makes. Calls, transitions, feature automations and the sums that are kept
 * of lines and requirements all read this table.
 */
import type { MovementType } from './movement.ts';

export const lineTypes = ['purchaseOrder', 'salesOrder', 'manufacturingOrder'] as const;
export type LineType = (typeof lineTypes)[number];

interface LineRule {
  /** The state of a line that has begun, and the state in which its quantity has been moved. */
  readonly working: 'Ordered' | 'Reserved';
  readonly fulfilled: 'Received' | 'Shipped';
  /** The figure of the position that a line holds while it is open. */
  readonly holds: 'onOrder' | 'reserved';
  /** Raises what the line holds; moves the goods; gives back what it holds. */
  readonly begin: MovementType;
  readonly fulfil: MovementType;
  readonly release: MovementType;
  /** Brings goods back after they moved; null if that cannot happen. */
  readonly giveBack: 'POReturn' | 'SOReturn' | null;
  /** Whether goods can move beyond what the line holds. What it holds goes first (`reservedAmount`). */
  readonly takesBeyondHeld: boolean;
}

const supply = {
  working: 'Ordered',
  fulfilled: 'Received',
  holds: 'onOrder',
  begin: 'OnOrderAdd',
  release: 'OnOrderRelease',
  takesBeyondHeld: false,
} as const;

export const lineRules: Readonly<Record<LineType, LineRule>> = {
  purchaseOrder: { ...supply, fulfil: 'POReceipt', giveBack: 'POReturn' },
  manufacturingOrder: { ...supply, fulfil: 'MOReceipt', giveBack: null },
  salesOrder: {
    working: 'Reserved',
    fulfilled: 'Shipped',
    holds: 'reserved',
    begin: 'SOReservation',
    fulfil: 'SOShipment',
    release: 'SORelease',
    giveBack: 'SOReturn',
    takesBeyondHeld: true,
  },
};

export type LineStep = 'begin' | 'fulfil' | 'release';

/** The movement types by which lines make a step, of those that hold such a figure. */
export function movementsOf(holds: LineRule['holds'], ...steps: readonly LineStep[]): MovementType[] {
  const rules = Object.values(lineRules).filter((rule) => rule.holds === holds);
  return [...new Set(rules.flatMap((rule) => steps.map((step) => rule[step])))];
}
