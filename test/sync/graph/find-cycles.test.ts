/** Which links of a batch close a cycle: the same as when each is tried by a walk, in far fewer steps. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Circle } from '../../../src/sync/graph/acyclic-graph.ts';
import { findCycleLinks } from '../../../src/sync/graph/find-cycles.ts';
import { runs } from '../../setup/tier.ts';

type Link = [parent: number, child: number];

function found(nodes: number, existing: readonly Link[], added: readonly Link[], order?: readonly number[]) {
  const work = { steps: 0 };
  const refused = findCycleLinks(
    nodes,
    { parents: existing.map(([parent]) => parent), children: existing.map(([, child]) => child) },
    {
      parents: added.map(([parent]) => parent),
      children: added.map(([, child]) => child),
      order: order ?? added.map((_, place) => place),
    },
    { work },
  );
  return { refused: [...refused].sort((a, b) => a - b), steps: work.steps };
}

/** As the rule says it: a link is refused when its child already leads to its parent. */
function refusedOneByOne(existing: readonly Link[], added: readonly Link[], order: readonly number[]) {
  const accepted = [...existing];
  const refused: number[] = [];
  const places = added.map((_, place) => place).sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  for (const place of places) {
    const [parent, child] = added[place] as Link;
    const reached = new Set([child]);
    for (const node of reached) for (const [from, to] of accepted) if (from === node) reached.add(to);
    if (reached.has(parent)) refused.push(place);
    else accepted.push([parent, child]);
  }
  return refused.sort((a, b) => a - b);
}

const chain = (length: number): Link[] => Array.from({ length: length - 1 }, (_, i) => [i, i + 1]);

/** A fixed shuffle: by the bits of a multiplication. */
function shuffled(links: readonly Link[]): Link[] {
  const key = (place: number) => Math.imul(place + 1, 0x9e37_79b1) >>> 0;
  const places = links.map((_, place) => place).sort((a, b) => key(a) - key(b));
  return places.map((place) => links[place] as Link);
}

describe('links that close a cycle', () => {
  it('are those that a walk from child to parent finds, whatever the graph and the order', () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((nodes) => {
      const node = fc.nat(nodes - 1);
      const links = fc.array(fc.tuple(node, node), { maxLength: 30 });
      return fc.record({
        nodes: fc.constant(nodes),
        existing: fc.tuple(links, fc.shuffledSubarray([...Array(nodes).keys()], { minLength: nodes })),
        added: links,
        order: fc.shuffledSubarray([...Array(30).keys()], { minLength: 30 }),
      });
    });
    fc.assert(
      fc.property(graph, ({ nodes, existing: [links, rank], added, order }) => {
        // What is stored has no cycle: every link goes down in some order of the nodes.
        const existing = links.filter(
          ([parent, child]) => (rank[parent] as number) < (rank[child] as number),
        );
        const wanted = refusedOneByOne(existing, added, order);
        expect(found(nodes, existing, added, order.slice(0, added.length)).refused).toEqual(wanted);
      }),
      { numRuns: runs(3000, 600) },
    );
  });

  it('say the circle that they would close, of a long one its ends', () => {
    const link = fc.tuple(fc.nat(15), fc.nat(15));
    fc.assert(
      fc.property(fc.array(link, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (added, named) => {
        const circles = new Map<number, Circle>();
        const refused = findCycleLinks(
          16,
          { parents: [], children: [] },
          {
            parents: added.map(([parent]) => parent),
            children: added.map(([, child]) => child),
            order: added.map((_, place) => place),
          },
          { circles: { links: 1000, named, take: (at, circle) => circles.set(at, circle) } },
        );
        expect([...circles.keys()].sort()).toEqual([...refused].sort());
        const accepted = new Set(added.filter((_, at) => !circles.has(at)).map(String));
        for (const [at, { first, omitted, last }] of circles) {
          const [parent, child] = added[at] as Link;
          expect(first[0]).toBe(parent);
          expect(first.length + last.length).toBeLessThanOrEqual(2 * named);
          const way = [...first.slice(1), ...last, parent];
          if (omitted > 0) {
            expect([first.length, last.length]).toEqual([named, named]);
            continue;
          }
          if (parent !== child) expect(way[0]).toBe(child);
          for (let i = 1; i < way.length; i++) expect(accepted).toContain(String([way[i - 1], way[i]]));
        }
      }),
      { numRuns: runs(2000, 400) },
    );
  });

  it('are none in a graph without cycles, and nothing is searched', () => {
    expect(
      found(5, chain(3), [
        [2, 4],
        [0, 4],
      ]),
    ).toEqual({ refused: [], steps: 0 });
  });
});

describe('the work', () => {
  const length = 100_000;
  const stepsMax = 30 * length;

  it.each([
    ['first', (links: Link[], back: Link): Link[] => [back, ...links]],
    ['in the middle', (links: Link[], back: Link): Link[] => links.toSpliced(length / 2, 0, back)],
    ['last', (links: Link[], back: Link): Link[] => [...links, back]],
  ])('of a chain of 100 000 with one link back, which comes %s, grows with its length', (_, make) => {
    const links = make(chain(length), [length - 1, 0]);
    const { refused, steps } = found(length, [], links);
    expect(refused).toEqual([length - 1]);
    expect(steps).toBeLessThan(stepsMax);
  });

  it('of a ring whose links come in any order grows with its length', () => {
    const { refused, steps } = found(length, [], shuffled([...chain(length), [length - 1, 0]]));
    expect(refused).toEqual([length - 1]);
    expect(steps).toBeLessThan(stepsMax);
  });

  it('of a ring that is broken in many places grows with its length', () => {
    const back = Array.from({ length: length / 10 - 1 }, (_, i): Link => [10 * (i + 1), 10 * i]);
    const links = [...chain(length), ...back];
    const inOrder = found(length, [], [...links, [length - 1, 0]]);
    expect(inOrder.refused).toEqual(Array.from({ length: length / 10 }, (_, i) => length - 1 + i));
    expect(inOrder.steps).toBeLessThan(stepsMax);
    // Each stretch of ten is broken where its last link comes.
    const inAnyOrder = found(length, [], shuffled(links));
    expect(inAnyOrder.refused).toHaveLength(back.length);
    expect(inAnyOrder.steps).toBeLessThan(stepsMax);
  });

  it('of turning a stored chain upside down grows with its length, and every link is refused', () => {
    const turned = chain(length).map(([parent, child]): Link => [child, parent]);
    for (const added of [turned, turned.toReversed(), shuffled(turned)]) {
      const { refused, steps } = found(length, shuffled(chain(length)), added);
      expect(refused).toHaveLength(length - 1);
      expect(steps).toBeLessThan(stepsMax);
    }
  });
});
