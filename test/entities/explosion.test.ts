// Exploding a structure whose needs are exact.
import { expect, test } from 'vitest';
import { ExactNeeds, type ExactStructure, explodeAll } from '../../src/entities/explosion/exact-structure.ts';
import { orderItems } from '../../src/entities/explosion/order-items.ts';
import { Slices } from '../../src/fairness/slices.ts';
import { exactOfDecimal, numberOfExact, one } from '../../src/quantity.ts';

type Link = [parent: number, child: number, kind: 'kept' | 'phantom'];

/** Every link takes 2 and loses 1. */
function structureOf(count: number, given: readonly Link[]): ExactStructure {
  const sorted = given.toSorted(([a], [b]) => a - b);
  const links = {
    from: Uint32Array.from({ length: count + 1 }, (_, node) => sorted.filter(([from]) => from < node).length),
    child: Uint32Array.from(sorted, ([, child]) => child),
    isPhantom: Uint8Array.from(sorted, ([, , kind]) => Number(kind === 'phantom')),
    factor: sorted.map(() => exactOfDecimal('2')),
    fixed: sorted.map(() => one),
  };
  const ids = Array.from({ length: count }, (_, node) => String(node));
  const { order, place } = orderItems(count, links, 'depth');
  const isPhantom = new Uint8Array(count);
  for (const [, child, kind] of given) if (kind === 'phantom') isPhantom[child] = 1;
  return { ids, isPhantom, links, order, place, arithmetic: new ExactNeeds(links) };
}

async function needsOf(structure: ExactStructure): Promise<Map<number, number>> {
  const needs = new Map<number, number>();
  await explodeAll(structure, one, new Slices(), {
    visit: (node, need) => {
      needs.set(node, numberOfExact(need));
      return need;
    },
  });
  return needs;
}

test('an assembly of many phantoms is exploded in portions, each phantom when all of it is known', async () => {
  const count = 1300;
  const last = count - 1;
  // Every phantom is a part of the one before it, too, and all have the last one as a component.
  const links = Array.from({ length: 20 }, (_, at): Link[] => [
    [0, 20 - at, 'phantom'],
    ...(at < 19 ? [[at + 1, at + 2, 'phantom'] as Link] : []),
    [at + 1, last, 'kept'],
  ]).flat();
  const others = Array.from({ length: count - 22 }, (_, at): Link => [0, at + 21, 'kept']);
  const needs = await needsOf(structureOf(count, [...links, ...others]));
  let [phantom, wanted] = [0, 0];
  for (let at = 0; at < 20; at++) {
    phantom = 3 + (at === 0 ? 0 : 2 * phantom + 1);
    wanted += 2 * phantom + 1;
  }
  expect(needs.get(last)).toBe(wanted);
  expect(needs.size).toBe(count - 20);
  expect(needs.get(500)).toBe(3);
});

/** So many assemblies share a phantom of so many parts. */
function sharing(assemblies: number, parts: number): ExactStructure {
  const phantom = assemblies + 1;
  const links: Link[] = [
    ...Array.from({ length: assemblies }, (_, at): Link[] => [
      [0, at + 1, 'kept'],
      [at + 1, phantom, 'phantom'],
    ]).flat(),
    ...Array.from({ length: parts }, (_, at): Link => [phantom, phantom + 1 + at, 'kept']),
  ];
  return structureOf(phantom + 1 + parts, links);
}

test('assemblies share a phantom with many components', async () => {
  const needs = await needsOf(sharing(60, 60));
  expect(needs.get(121)).toBe(60 * (2 * (2 * 3 + 1) + 1));
});

test('phantoms that multiply the links of a structure beyond measure are refused', async () => {
  await expect(needsOf(sharing(1100, 1000))).rejects.toMatchObject({ code: 'tree_too_large' });
});
