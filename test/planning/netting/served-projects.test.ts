/** An action serves the projects at which its pegs end. */
import { expect, test } from 'vitest';
import { netItems } from '../../../src/planning/netting/net-items.ts';
import { type MadeSource, Pegs } from '../../../src/planning/netting/pegs.ts';
import { exceptionOf, PlanActions } from '../../../src/planning/netting/plan-actions.ts';
import type { PlanningInput } from '../../../src/planning/netting/planning-input.ts';
import { ServedProjects } from '../../../src/planning/netting/served-projects.ts';
import { comingOf } from '../../../src/planning/timeline/plan-items.ts';
import { runs } from '../../setup/tier.ts';
import { inputOf, randomCase, seeded } from './naive-plan.ts';

const CASES = runs(1000, 200);
const PAIRS_MAX = 10_000;

/** Demands of two projects, of components of lines, and of others. */
function drawn(input: PlanningInput, random: (below: number) => number) {
  const projects = ['a', 'b'].map((id) => ({ id, demands: [] as number[] }));
  const components: [demand: number, supply: number][] = [];
  for (const [at, item] of input.demand.item.entries()) {
    const supply = [...input.supply.item].findIndex((maker) => maker < item);
    const choice = random(4);
    if (choice < 2) projects[choice]?.demands.push(at);
    else if (choice === 2 && supply >= 0) components.push([at, supply]);
  }
  return { projects, components };
}

function serving(input: PlanningInput, { projects, components }: ReturnType<typeof drawn>): ServedProjects {
  const column = (at: 0 | 1) => Uint32Array.from(components, (one) => one[at]);
  return new ServedProjects({
    ...input,
    available: input.items.available,
    projects,
    components: { demand: column(0), supply: column(1) },
  });
}

test('in random cases an action serves the projects at which its pegs end, and no other', () => {
  let pairs = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const random = seeded(seed);
    const input = inputOf(randomCase(random));
    const given = drawn(input, random);
    const served = serving(input, given);
    const actions = netItems(input, served);
    const madeFor = new Map<number, MadeSource>(
      given.components.map(([demand, supply]) => [
        demand,
        { madeItem: input.supply.item[supply] as number, madeBy: { supply } },
      ]),
    );
    const pegs = new Pegs(input.items.available, madeFor);
    netItems(input, pegs);
    const all = Uint32Array.from({ length: actions.length }, (_, at) => at);
    const found = served.servedBy(actions, all, PAIRS_MAX);
    for (const at of all) {
      const action = actions.at(at);
      const by = comingOf({ at, action });
      if (by === null) continue;
      const ends = new Set(pegs.chainsOf(action.item, by).chains.map(({ root }) => root));
      const isFor = ({ demands }: { demands: number[] }) =>
        [...ends].some((root) => typeof root === 'object' && demands.includes(root.demand));
      const expected = given.projects.flatMap((one, place) => (isFor(one) ? [place] : []));
      expect(found?.[at], `seed ${seed}, action ${at}`).toEqual(expected);
      pairs += expected.length;
    }
  }
  expect(pairs).toBeGreaterThan(CASES);
});

test('a plan is the same whether projects are followed or not', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const random = seeded(seed);
    const input = inputOf(randomCase(random));
    const of = (actions: ReturnType<typeof netItems>) =>
      Array.from({ length: actions.length }, (_, at) => actions.at(at));
    expect(of(netItems(input, serving(input, drawn(input, random))))).toEqual(of(netItems(input)));
  }
});

test('more pairs than are stored are not found at all', () => {
  const input = inputOf(randomCase(seeded(3)));
  const projects = [{ id: 'a', demands: [...input.demand.item.keys()] }];
  const served = serving(input, { projects, components: [] });
  const actions = netItems(input, served);
  const all = Uint32Array.from({ length: actions.length }, (_, at) => at);
  expect(served.servedBy(actions, all, 0)).toBeNull();
});

test('components are followed through very many lines, each for the next', () => {
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, line) => line);
  const served = new ServedProjects({
    available: new Float64Array(count + 1),
    links: { ...inputOf(randomCase(seeded(1))).links, from: new Uint32Array(count + 2) },
    demand: {
      item: Uint32Array.from([...lines, count]),
      day: new Int32Array(count + 1),
      quantity: new Float64Array(count + 1).fill(1e6),
    },
    supply: { item: Uint32Array.from(lines) },
    projects: [{ id: 'a', demands: [0] }],
    // Backwards, so that a pass over the rows finds one of them.
    components: {
      demand: Uint32Array.from(lines, (line) => count - line),
      supply: Uint32Array.from(lines, (line) => count - 1 - line),
    },
  });
  for (const line of lines) {
    served.need(line, 0, 1e6, { demand: line });
    served.cover(line, { day: 0, isFloor: false }, 1e6, { supply: line });
  }
  const actions = new PlanActions();
  const last = count - 1;
  actions.push({ ...exceptionOf(last, 1e6, 'overdueSupply'), supply: last });
  expect(served.servedBy(actions, Uint32Array.of(0), PAIRS_MAX)).toEqual([[0]]);
});
