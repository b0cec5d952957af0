/** What a project holds serves its own needs alone, and no need of anybody is lost. */
import { expect, test } from 'vitest';
import { netItems } from '../../../src/planning/netting/net-items.ts';
import type { PlanningInput } from '../../../src/planning/netting/planning-input.ts';
import { type Case, inputOf } from './naive-plan.ts';

const item = (id: string, way: 'make' | 'buy', available = 0) => ({
  id,
  way,
  available,
  floor: 0,
  minimum: 0,
  multiple: 0,
  leadDays: 0,
});
const link = (parent: string, child: string, n: number) => ({
  parent,
  child,
  thousandths: n * 1000,
  fixed: 0,
  isPhantom: false,
});
const base = { horizonDays: 60, periodDays: 1, toleranceDays: 7, supply: [] };
function told(input: PlanningInput): string[] {
  const actions = netItems(input);
  return Array.from({ length: actions.length }, (_, at) => actions.at(at))
    .map(({ item, action, quantity }) => `${action} ${input.items.ids.at(item)} ${quantity / 1e6}`)
    .sort();
}
// X (0) sold, A (1) of the project, C (2) component
const one = (stockOfA: number): Case => ({
  ...base,
  items: [item('X', 'make'), item('A', 'make', stockOfA), item('C', 'buy')],
  links: [link('X', 'C', 5), link('A', 'C', 5)],
  demand: [
    { item: 'X', day: 10, quantity: 1 },
    { item: 'A', day: 20, quantity: 1 },
  ],
});
// requirement rows: A open 1; C follows structure, 5 issued, none open
const project = {
  root: -1,
  quantity: 0,
  items: [1, 2],
  demands: [1, -1],
  held: [0, 5e6],
  issued: [0, 5e6],
  followStructure: [true, true],
};

test('A is made, held C serves it', () => {
  expect(told({ ...inputOf(one(0)), projects: [project] })).toEqual(['make A 1', 'make X 1', 'order C 5']);
});
test('A was built into stock of the issued C: the order of X still needs 5 C', () => {
  expect(told({ ...inputOf(one(1)), projects: [project] })).toEqual(['make X 1', 'order C 5']);
});
test('an assembly in stock of a project that is planned whole leaves the needs of others', () => {
  const c: Case = {
    ...base,
    items: [item('P', 'make'), item('X', 'make'), item('A', 'make', 1), item('C', 'buy')],
    links: [link('P', 'A', 1), link('X', 'C', 5), link('A', 'C', 5)],
    demand: [
      { item: 'X', day: 10, quantity: 1 },
      { item: 'P', day: 20, quantity: 1 },
    ],
  };
  const p = {
    root: 0,
    quantity: 1e6,
    items: [3],
    demands: [-1],
    held: [5e6],
    issued: [0],
    followStructure: [true],
  };
  expect(told({ ...inputOf(c), projects: [p] })).toEqual(['make P 1', 'make X 1', 'order C 5']);
});
test('a component within the horizon is needed although its assembly is needed beyond it', () => {
  const c = {
    ...one(0),
    demand: [
      { item: 'A', day: 61, quantity: 1 },
      { item: 'C', day: 30, quantity: 5 },
    ],
  };
  const p = { ...project, demands: [0, 1], held: [0, 0], issued: [0, 0] };
  expect(told({ ...inputOf(c), projects: [p] })).toEqual(['order C 5']);
});
test('requirements of a project that is needed beyond the horizon are needed', () => {
  const c: Case = {
    ...base,
    items: [item('P', 'make'), item('C', 'buy')],
    links: [link('P', 'C', 5)],
    demand: [
      { item: 'P', day: 61, quantity: 1 },
      { item: 'C', day: 30, quantity: 5 },
    ],
  };
  const p = {
    root: 0,
    quantity: 1e6,
    items: [1],
    demands: [1],
    held: [0],
    issued: [0],
    followStructure: [true],
  };
  expect(told({ ...inputOf(c), projects: [p] })).toEqual(['order C 5']);
});
test('requirements of an archived project are needed', () => {
  const c: Case = {
    ...base,
    items: [item('P', 'make'), item('C', 'buy')],
    links: [link('P', 'C', 5)],
    demand: [
      { item: 'P', day: 20, quantity: 1 },
      { item: 'C', day: 30, quantity: 5 },
    ],
  };
  const p = {
    root: 0,
    quantity: 1e6,
    items: [1],
    demands: [1],
    held: [0],
    issued: [0],
    followStructure: [true],
  };
  const input = inputOf(c);
  input.items.isArchived[0] = 1;
  expect(told({ ...input, projects: [p] })).toContain('order C 5');
});
test('what is held beyond the need serves nobody else', () => {
  const c: Case = {
    ...base,
    items: [item('P', 'make'), item('X', 'make'), item('C', 'buy')],
    links: [link('P', 'C', 2), link('X', 'C', 5)],
    demand: [
      { item: 'P', day: 20, quantity: 1 },
      { item: 'X', day: 30, quantity: 1 },
    ],
  };
  const p = {
    root: 0,
    quantity: 1e6,
    items: [2],
    demands: [-1],
    held: [5e6],
    issued: [0],
    followStructure: [true],
  };
  expect(told({ ...inputOf(c), projects: [p] })).toEqual(['make P 1', 'make X 1', 'order C 5']);
});
test('an assembly that others need too keeps their needs', () => {
  const c: Case = { ...one(1), links: [link('X', 'A', 1), link('A', 'C', 5)] };
  expect(told({ ...inputOf(c), projects: [project] })).toEqual(['make A 1', 'make X 1', 'order C 5']);
});

// P (0) of the project, A (1) in stock, C (2) its component.
const inStock: Case = {
  ...base,
  items: [item('P', 'make'), item('A', 'make', 1), item('C', 'buy')],
  links: [link('P', 'A', 1), link('A', 'C', 1)],
  demand: [
    { item: 'P', day: 20, quantity: 1 },
    { item: 'C', day: 30, quantity: 2 },
  ],
};
// Three C are required, one of which is for the structure, and two are open.
const ofItsOwn = { root: 0, quantity: 1e6, items: [2], demands: [1], held: [1e6], followStructure: [false] };

test('what is reserved for a requirement beyond the structure serves it where the assembly is in stock', () => {
  const needs = { ...ofItsOwn, issued: [0] };
  expect(told({ ...inputOf(inStock), projects: [needs] })).toEqual(['make P 1', 'order C 1']);
});
test('what is issued may be in the assembly that is in stock, and serves nothing beyond the structure', () => {
  const needs = { ...ofItsOwn, issued: [1e6] };
  expect(told({ ...inputOf(inStock), projects: [needs] })).toEqual(['make P 1', 'order C 2']);
});
