/** What covers what in a plan, and what it is for in the end. */
import { expect, test } from 'vitest';
import type { Coming } from '../../../src/planning/netting/covering.ts';
import { netItems } from '../../../src/planning/netting/net-items.ts';
import { Pegs } from '../../../src/planning/netting/pegs.ts';
import type { PlanningInput } from '../../../src/planning/netting/planning-input.ts';
import { type Case, inputOf, randomCase, seeded } from './naive-plan.ts';

const CASES = 150;

/** What comes of each item in the end: order lines as the actions leave them, and proposals. */
function comingOf(input: PlanningInput, actions: ReturnType<typeof netItems>) {
  const coming: { item: number; by: Coming; quantity: number }[] = [];
  const left = [...input.supply.quantity];
  for (let at = 0; at < actions.length; at++) {
    const { action, item, supply, quantity } = actions.at(at);
    if (action === 'order' || action === 'make' || action === 'useSubstitute')
      coming.push({ item, by: { action: at }, quantity });
    if (action === 'increase' || action === 'decrease' || action === 'cancel') left[supply] = quantity;
  }
  for (const [supply, quantity] of left.entries())
    coming.push({ item: input.supply.item[supply] as number, by: { supply }, quantity });
  return coming;
}

test('in random cases pegs add up to no more than what comes, cover each need once, and end at a demand or a minimum', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const one: Case = randomCase(seeded(seed));
    const input = inputOf(one);
    const pegs = new Pegs(input.items.available);
    const coming = comingOf(input, netItems(input, pegs));
    const used = new Map<number, number>();
    for (const { item, by, quantity } of coming) {
      const { chains, others } = pegs.chainsOf(item, by);
      expect(others).toBe(0);
      const sum = chains.reduce((total, chain) => total + chain.quantity, 0);
      expect(sum, `seed ${seed}`).toBeLessThanOrEqual(quantity);
      used.set(item, (used.get(item) ?? 0) + sum);
      for (const { root, path } of chains) {
        // The last item of the way is the one that is needed itself.
        const end = path.at(-1) ?? item;
        if (typeof root !== 'string') expect(input.demand.item[root.demand]).toBe(end);
        else if (root === 'minimum') expect([0, 1]).toContain(Number((input.items.floor[end] as number) > 0));
      }
    }
    for (const item of input.items.way.keys()) {
      const covers = pegs.needsOf(item).flatMap(({ coveredBy }) => coveredBy);
      const byComing = covers.filter(({ by }) => by !== 'stock');
      expect(used.get(item) ?? 0).toBe(byComing.reduce((total, { quantity }) => total + quantity, 0));
      const fromStock = covers.filter(({ by }) => by === 'stock');
      expect(fromStock.reduce((total, { quantity }) => total + quantity, 0)).toBeLessThanOrEqual(
        Math.max(0, input.items.available[item] as number),
      );
      for (const { quantity, coveredBy } of pegs.needsOf(item))
        expect(coveredBy.reduce((total, cover) => total + cover.quantity, 0)).toBeLessThanOrEqual(quantity);
    }
  }
});

test('a plan is the same with and without pegs', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const input = inputOf(randomCase(seeded(seed)));
    const of = (actions: ReturnType<typeof netItems>) =>
      Array.from({ length: actions.length }, (_, at) => actions.at(at));
    expect(of(netItems(input, new Pegs(input.items.available)))).toEqual(of(netItems(input)));
  }
});

// The plan of one item is computed in a request, beside those of others: followed line by line, so many would take minutes.
test('a component of very many lines is followed to what each line is for', { timeout: 60_000 }, () => {
  const lines = 60_000;
  const each = Array.from({ length: lines }, (_, at) => at);
  const item = (id: string, way: 'make' | 'buy') => ({
    id,
    way,
    available: 0,
    floor: 0,
    minimum: 0,
    multiple: 0,
    leadDays: 0,
  });
  const input = inputOf({
    horizonDays: 100,
    periodDays: 7,
    toleranceDays: 0,
    items: [item('frame', 'make'), item('screw', 'buy')],
    links: [],
    demand: [
      ...each.map(() => ({ item: 'frame', day: 10, quantity: 1 })),
      ...each.map(() => ({ item: 'screw', day: 5, quantity: 2 })),
    ],
    supply: each.map((at) => ({ id: `line ${at}`, item: 'frame', day: 10, quantity: 1, explodes: false })),
  });
  const madeFor = each.map((at) => [lines + at, { madeItem: 0, madeBy: { supply: at } }] as const);
  const pegs = new Pegs(input.items.available, new Map(madeFor));
  const actions = netItems(input, pegs);
  const order = Array.from({ length: actions.length }, (_, at) => at).find((at) => actions.at(at).item === 1);
  const { chains, others } = pegs.chainsOf(1, { action: order as number });
  expect(chains[0]).toEqual({ quantity: 2e6, root: { demand: 0 }, path: [0] });
  expect(chains.reduce((sum, { quantity }) => sum + quantity, others)).toBe(lines * 2e6);
  expect(pegs.needsOf(1).every(({ coveredBy }) => coveredBy.length === 1)).toBe(true);
});
