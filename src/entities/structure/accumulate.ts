/** Adds quantities up over a structure: every entity after all that lead to it, each link once. */
import { AppError } from '../../errors.ts';
import type { Slices } from '../../fairness/slices.ts';
import { add, type Exact, isBeyondAmounts, times, zero } from '../../quantity.ts';

export interface Step {
  from: string;
  to: string;
  quantity: Exact;
}

/** The steps that lead away from each entity: a Map, or a function that reads them each time. */
export interface Outgoing {
  keys(): Iterable<string>;
  get(id: string): Iterable<Pick<Step, 'to' | 'quantity'>> | undefined;
  /**
   * All entities, the nearest first, where the structure can have cycles: released revisions of different times can contain each other.
   * Steps that lead back to an entity that has been visited then count for nothing.
   */
  nearest?: Iterable<string>;
}

/** The steps by the entity that they lead away from. */
export async function stepsByStart(steps: readonly Step[], slices: Slices): Promise<Map<string, Step[]>> {
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    if (slices.areDue) await slices.next();
    const group = groups.get(step.from);
    if (group === undefined) groups.set(step.from, [step]);
    else group.push(step);
  }
  return groups;
}

/**
 * Calls `visit` for every entity in an order in which what leads to it comes first, with what its steps have
 * passed on to it; what it returns is passed on over each of its steps, times their quantity. The structure has no
 * cycles unless `nearest` is given. Throws `quantity_out_of_range` where an amount is beyond what can be added up.
 */
export async function accumulate(
  start: string,
  begin: Exact,
  outgoing: Outgoing,
  slices: Slices,
  visit: (id: string, amount: Exact) => Exact,
): Promise<void> {
  const waiting = new Map<string, number>();
  for (const id of outgoing.keys()) {
    if (slices.areDue) await slices.next();
    for (const { to } of outgoing.get(id) ?? []) {
      if (slices.areDue) await slices.next();
      waiting.set(to, (waiting.get(to) ?? 0) + 1);
    }
  }
  const amounts = new Map([[start, begin]]);
  const ready = [start];
  const visited = new Set<string>();
  const nearest = outgoing.nearest?.[Symbol.iterator]();
  /** The nearest entity that a cycle holds up. */
  const heldUp = () => {
    for (let next = nearest?.next(); next?.done === false; next = nearest?.next())
      if (!visited.has(next.value)) return next.value;
    return undefined;
  };
  for (let id = ready.pop() ?? heldUp(); id !== undefined; id = ready.pop() ?? heldUp()) {
    if (nearest !== undefined) {
      if (visited.has(id)) continue;
      visited.add(id);
    }
    const amount = visit(id, amounts.get(id) ?? zero);
    for (const { to, quantity } of outgoing.get(id) ?? []) {
      if (slices.areDue) await slices.next();
      const sum = add(amounts.get(to) ?? zero, times(amount, quantity));
      if (isBeyondAmounts(sum)) {
        throw new AppError(
          'quantity_out_of_range',
          `The quantities on the ways to ${to} multiply to more than 24 digits. Correct those that are too large.`,
        );
      }
      amounts.set(to, sum);
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
}
