/** What a project needs is planned alike by its structure and by the requirements that say the same. */
import { expect, test } from 'vitest';
import { netItems } from '../../../src/planning/netting/net-items.ts';
import type { PlanningInput, ProjectNeeds } from '../../../src/planning/netting/planning-input.ts';
import { runs } from '../../setup/tier.ts';
import {
  type Case,
  type CaseRequirement,
  inputOf,
  naiveForProject,
  randomCase,
  seeded,
  takenByProject,
} from './naive-plan.ts';

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
  issued: [],
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
    const gross = [...takenByProject(one, QUANTITY, (_, needed) => needed)].map(([id, quantity]) => ({
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
      issued: rows.map(() => 0),
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

/** The same without what others need, without lot sizes and minimums, and with stock. */
function caseOfOneProject(seed: number, random: (below: number) => number): Case {
  const { items, ...drawn } = caseOfProject(seed);
  const plain = { floor: 0, minimum: 0, multiple: 0 };
  return {
    ...drawn,
    demand: [],
    supply: [],
    items: items.map((one, at) => ({
      ...one,
      ...plain,
      available: at > 0 && random(2) > 0 ? random(20) : 0,
    })),
  };
}

function drawRequirements({ items }: Case, random: (below: number) => number): CaseRequirement[] {
  const figure = (below: number) => (random(2) === 0 ? 0 : random(below));
  return items.slice(1).flatMap(({ id }) =>
    Array.from({ length: random(4) }, () => ({
      item: id,
      open: figure(40),
      reserved: figure(20),
      issued: figure(20),
      followsStructure: random(2) === 0,
    })),
  );
}

test('what a project has reserved and issued is used once, for its structure and for requirements beyond it', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const random = seeded(seed + CASES);
    const one = caseOfOneProject(seed, random);
    const requirements = drawRequirements(one, random);
    const input = inputOf(one);
    const places = new Map(one.items.map(({ id }, at) => [id, at]));
    const rows = requirements.map(({ item, ...row }) => ({ ...row, item: places.get(item) as number }));
    const open = rows.filter((row) => row.open > 0);
    const actions = netItems({
      ...withDemand(input, [
        { item: 0, quantity: QUANTITY * 1e6 },
        ...open.map((row) => ({ item: row.item, quantity: row.open * 1e6 })),
      ]),
      projects: [
        {
          root: 0,
          quantity: QUANTITY * 1e6,
          items: rows.map(({ item }) => item),
          demands: rows.map((row) => (row.open > 0 ? 1 + open.indexOf(row) : -1)),
          held: rows.map(({ reserved, issued }) => (reserved + issued) * 1e6),
          issued: rows.map(({ issued }) => issued * 1e6),
          followStructure: rows.map(({ followsStructure }) => followsStructure),
        },
      ],
    });
    const proposed = new Map<string, bigint>();
    for (let at = 0; at < actions.length; at++) {
      const { item, action, quantity } = actions.at(at);
      const id = one.items[item]?.id ?? '';
      if (action !== 'none') proposed.set(id, (proposed.get(id) ?? 0n) + BigInt(quantity));
    }
    const expected = naiveForProject(one, QUANTITY, requirements);
    expect([...proposed].sort(), `seed ${seed}`).toEqual([...expected].sort());
  }
});
