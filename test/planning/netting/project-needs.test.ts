/** What a project needs is planned alike by its structure and by the requirements that say the same. */
import { expect, test } from 'vitest';
import { netItems } from '../../../src/planning/netting/net-items.ts';
import type { PlanningInput, ProjectNeeds } from '../../../src/planning/netting/planning-input.ts';
import { runs } from '../../setup/tier.ts';
import { type Case, inputOf, randomCase, seeded } from './naive-plan.ts';

const CASES = runs(3000, 600);
const DAY = 12;
const QUANTITY = 7;

/**
 * Item 0 stands for a project: it is made within a day, has no stock, and nobody else needs it. Quantities are whole and nothing is lost for an
 * order, so that it makes no difference in how many orders an item is made.
 */
function caseOfProject(seed: number): Case {
  const { items, demand, supply, links, ...drawn } = randomCase(seeded(seed));
  const [root] = items;
  const others = ({ item }: { item: string }) => item !== root?.id;
  return {
    ...drawn,
    items: items.map((one, at) =>
      at > 0 ? one : { ...one, way: 'make', available: 0, floor: 0, minimum: 0, multiple: 0, leadDays: 0 },
    ),
    links: links.map((one) => ({
      ...one,
      thousandths: 1000 * (1 + (one.thousandths % 3)),
      fixed: 0,
      substitutes: [],
    })),
    demand: demand.filter(others),
    supply: supply.filter(others),
  };
}

/** Millionths of each item that the project takes, if all that is made of it is made: level by level, with BigInt. */
function grossOf({ items, links }: Case): Map<string, bigint> {
  const gross = new Map([[items[0]?.id ?? '', BigInt(QUANTITY) * 1_000_000n]]);
  const passed = new Map<string, bigint>();
  // Links lead to later items only.
  for (const { id, way } of items) {
    const made = way === 'make' ? (gross.get(id) ?? 0n) : 0n;
    const needed = made + (passed.get(id) ?? 0n);
    if (needed === 0n) continue;
    for (const { child, thousandths, isPhantom } of links.filter(({ parent }) => parent === id)) {
      const into = isPhantom ? passed : gross;
      into.set(child, (into.get(child) ?? 0n) + (needed * BigInt(thousandths)) / 1000n);
    }
  }
  gross.delete(items[0]?.id ?? '');
  return gross;
}

function told(input: PlanningInput): string[] {
  const actions = netItems(input);
  return Array.from({ length: actions.length }, (_, at) => actions.at(at))
    .filter(({ item }) => item !== 0)
    .map((action) => JSON.stringify(action))
    .sort();
}

function withDemand(
  input: PlanningInput,
  rows: readonly { item: number; quantity: number }[],
): PlanningInput {
  const { demand } = input;
  return {
    ...input,
    demand: {
      item: Uint32Array.from([...demand.item, ...rows.map(({ item }) => item)]),
      day: Int32Array.from([...demand.day, ...rows.map(() => DAY)]),
      quantity: Float64Array.from([...demand.quantity, ...rows.map(({ quantity }) => quantity)]),
    },
  };
}

const none: Omit<ProjectNeeds, 'root'> = {
  quantity: QUANTITY * 1e6,
  items: [],
  demands: [],
  held: [],
  followStructure: [],
};

test('a project is planned alike by its structure, by requirements for all of it, and by both', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const one = caseOfProject(seed);
    const input = inputOf(one);
    const first = input.demand.item.length;
    const root = { item: 0, quantity: QUANTITY * 1e6 };
    const byStructure = told({ ...withDemand(input, [root]), projects: [{ ...none, root: 0 }] });

    const places = new Map(one.items.map(({ id }, at) => [id, at]));
    const gross = [...grossOf(one)].map(([id, quantity]) => ({
      item: places.get(id) as number,
      quantity: Number(quantity),
    }));
    // Some are in two requirements.
    const rows = gross.flatMap(({ item, quantity }) =>
      item % 2 === 0 && quantity > 1
        ? [
            { item, quantity: 1 },
            { item, quantity: quantity - 1 },
          ]
        : [{ item, quantity }],
    );
    const requirements = (from: number): Omit<ProjectNeeds, 'root'> => ({
      ...none,
      items: rows.map(({ item }) => item),
      demands: rows.map((_, at) => from + at),
      held: rows.map(() => 0),
      followStructure: rows.map(() => true),
    });
    const byRequirements = told({
      ...withDemand(input, rows),
      projects: [{ ...requirements(first), root: -1 }],
    });
    expect(byRequirements, `seed ${seed}`).toEqual(byStructure);
    const byBoth = told({
      ...withDemand(input, [root, ...rows]),
      projects: [{ ...requirements(first + 1), root: 0 }],
    });
    expect(byBoth, `seed ${seed}`).toEqual(byStructure);
  }
});
