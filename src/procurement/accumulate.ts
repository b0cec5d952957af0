/** Adds quantities up over a structure: every entity after all that lead to it, each link once. */
import type { Exact } from '../entities/exact-product.ts';
import { add, zero } from './exact-sum.ts';

export interface Step {
  from: string;
  to: string;
  quantity: Exact;
}

/**
 * Calls `visit` for every entity in an order in which what leads to it comes first, with what its steps have
 * `passed` on to it; what it returns is passed on over each of its steps. The structure has no cycles.
 */
export function accumulate(
  start: string,
  begin: Exact,
  steps: readonly Step[],
  pass: (amount: Exact, quantity: Exact) => Exact,
  visit: (id: string, amount: Exact) => Exact,
): void {
  const outgoing = Map.groupBy(steps, (step) => step.from);
  const waiting = new Map<string, number>();
  for (const { to } of steps) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const amounts = new Map([[start, begin]]);
  const ready = [start];
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const amount = visit(id, amounts.get(id) ?? zero);
    for (const { to, quantity } of outgoing.get(id) ?? []) {
      amounts.set(to, add(amounts.get(to) ?? zero, pass(amount, quantity)));
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
}
