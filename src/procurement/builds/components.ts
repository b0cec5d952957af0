/** The components of a manufacturing line and what a number of built units takes of each: rules without any database. */
import type { Substitute } from '../../entities/links/link-line.ts';
import { AppError } from '../../errors.ts';
import { add, type Exact, exactOf, MICRO_MAX, type Micro, microUp, times } from '../../quantity.ts';
import type { Line } from '../records/line.ts';
import type { Requirement } from '../records/requirement.ts';

/** A component, whose need, reservations and issues its requirement records. */
export interface Component {
  readonly requirement: Requirement;
  /** Quantity for one unit; null for components of lines that an earlier version ordered. */
  readonly perUnit: Exact | null;
  readonly perOrder: Exact;
  readonly substitutes: readonly Substitute[];
  /** Whether nothing requires it yet: the line is a draft, or nothing was taken for it. */
  readonly isPlanned: boolean;
}

/** A manufacturing line with its components. */
export interface Build {
  readonly line: Line;
  /** Units of output that were made and failed, and that were taken apart again. */
  readonly scrapped: Micro;
  readonly disassembled: Micro;
  readonly components: readonly Component[];
}

type Units = Pick<Build, 'line' | 'scrapped' | 'disassembled'>;

/** Returns the units that have taken components: good and scrapped ones, without those that were taken apart. */
export function unitsBuilt({ line, scrapped, disassembled }: Units): Micro {
  return line.received + scrapped - disassembled;
}

/** Returns the units that take components until the line is complete. */
export function unitsInAll({ line, scrapped, disassembled }: Units): Micro {
  return line.quantity + scrapped - disassembled;
}

/**
 * Returns what so many units take of a component, as a share of what it is required for all of them. The share is rounded up from the
 * start of the line, not for each receipt: three receipts of a third take one together.
 */
export function shareOf(required: Micro, units: Micro, inAll: Micro): Micro {
  if (units <= 0n) return 0n;
  return inAll <= 0n ? required : divideUp(required * units, inAll);
}

/** Returns how many units the quantity of a component is enough for. */
export function unitsFrom(quantity: Micro, required: Micro, inAll: Micro): Micro {
  return (quantity * inAll) / required;
}

/** Returns what is required of a component after the number of units changes. Throws `quantity_out_of_range`. */
export function requiredFor(
  { requirement, perUnit, perOrder }: Component,
  before: Micro,
  after: Micro,
): Micro {
  const { required } = requirement;
  if (perUnit === null)
    return inRange(requirement, before <= 0n ? required : divideUp(required * after, before));
  const neededFor = (units: Micro) =>
    units <= 0n ? 0n : microUp(add(times(exactOf(units), perUnit), perOrder));
  return inRange(requirement, required + neededFor(after) - neededFor(before));
}

function inRange({ itemNumber, itemName }: Requirement, required: Micro): Micro {
  if (required <= MICRO_MAX) return required;
  throw new AppError(
    'quantity_out_of_range',
    `The units would require more than 9 integer digits of ${itemNumber ?? itemName}.`,
  );
}

/** Returns what the component has reserved and not issued. */
export function heldFor({ requirement: { reserved, issued } }: Component): Micro {
  return reserved - issued;
}

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
