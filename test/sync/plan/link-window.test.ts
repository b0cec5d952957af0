/** A window cuts the links of its chunks into portions, each of which has all links of its parents. */
import { randomBytes, randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { newId } from '../../../src/db/ids.ts';
import type { ChunkPlan } from '../../../src/sync/plan/chunk-plan.ts';
import { LinkWindow } from '../../../src/sync/plan/link-window.ts';
import { LinkList } from '../../../src/sync/plan/planned-links.ts';

const tenParents = () => Array.from({ length: 10 }, () => randomUUID());

/** As it is read: a chunk of so many links under these parents. */
function storedPlan(links: number, parents: readonly string[] = tenParents()): ChunkPlan {
  const list = new LinkList();
  for (let i = 0; i < links; i++) {
    const parentGuid = parents[i % parents.length] as string;
    const asked = { childGuid: randomUUID(), parentGuid, quantityMicros: 1_000_000, indexes: [i] };
    list.add(asked, { storedMicros: null, flags: 0, line: null });
  }
  const [guids, places] = [new Uint8Array(randomBytes(16 * links)), new Uint32Array(0)];
  const plan: ChunkPlan = {
    newGuids: guids,
    newCarriers: places,
    heldGuids: new Uint8Array(0),
    heldIndexes: places,
    links: list.pack(),
    pending: places,
    groups: [],
  };
  return deserialize(serialize(plan)) as ChunkPlan;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

it.each([
  ['at random', () => randomUUID()],
  ['by the time (version 7)', () => newId()],
  ['by the time (version 1)', (n: number) => `${hex(0xa0000000 + n, 8)}-f1c2-11f0-8d3a-0242ac120002`],
  ['by counting in the first word', (n: number) => `${hex(n, 8)}-5d2e-f011-a3b4-00155d012345`],
  ['by counting in the last word', (n: number) => `00000000-0000-4000-8000-${hex(n, 12)}`],
])('portions end between parents whose GUIDs are made %s', (_, make) => {
  const parents = Array.from({ length: 1000 }, (_, n) => make(n));
  const plan = storedPlan(2000, parents);
  const window = new LinkWindow();
  window.add(0, plan, [...plan.links.firstIndexes.keys()]);
  window.sort();
  const linked = new Map<string, number>();
  for (let from = 0, portion = 0; from < window.count; portion++) {
    const to = window.endOfPortion(from, 100);
    // Those of a few parents that go together are above it at most.
    expect(to - from).toBeLessThan(200);
    for (const { parentGuid } of window.linksOf(from, to).links) {
      expect(linked.get(parentGuid) ?? portion, 'all links of a parent are of one portion').toBe(portion);
      linked.set(parentGuid, portion);
    }
    from = to;
  }
  expect(linked.size).toBe(1000);
});
