/** The order in which the elements of a body are cut, against one that is said with sets and comparisons. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gatherByGuid, sortByGuid } from '../../../src/sync/intake/gather-held.ts';
import { type Held, noGuid } from '../../../src/sync/intake/spill-bucket.ts';

const guids = ['00000000', '00000001', 'fffffffe', 'ffffffff', '9a9a9a9a'].flatMap((beginning) =>
  [0, 1, 2].map((i) => `${beginning}-0000-4000-8000-00000000000${i}`),
);
const anyGuid = fc.constantFrom(noGuid, ...guids);
const body = fc.array(fc.tuple(anyGuid, anyGuid), { maxLength: 60 }).map((pairs) =>
  pairs.map(
    ([guid, parentGuid], index): Held => ({
      guid,
      parentGuid,
      index,
      bytes: Buffer.alloc(0),
      rejected: false,
      slot: 0,
      hash: 0,
    }),
  ),
);

/** By the first element of each GUID; those without one are by themselves. */
function gathered(held: readonly Held[]): Held[] {
  return held.flatMap((element, at) => {
    if (element.guid === noGuid) return [element];
    if (held.findIndex(({ guid }) => guid === element.guid) !== at) return [];
    return held.filter(({ guid }) => guid === element.guid);
  });
}

it('gathers what has one GUID, where the first of it stands', () => {
  fc.assert(
    fc.property(body, (held) => {
      expect(gatherByGuid(held)).toEqual(gathered(held));
    }),
  );
});

it('puts elements in the order of their GUIDs, and those of one in the order in which they came', () => {
  fc.assert(
    fc.property(body, (held) => {
      const keyOf = ({ guid, index }: Held) => `${guid} ${String(index).padStart(3, '0')}`;
      expect(sortByGuid(held).map(keyOf)).toEqual(held.map(keyOf).sort());
    }),
  );
});

it('puts as many in order as one GUID may have', () => {
  const [guid, other] = [guids[0] as string, guids[1] as string];
  const held = Array.from({ length: 100_000 }, (_, index): Held => {
    const own = index % 2 === 0 ? guid : other;
    return {
      guid: own,
      parentGuid: noGuid,
      index,
      bytes: Buffer.alloc(0),
      rejected: false,
      slot: 0,
      hash: 0,
    };
  });
  const sorted = sortByGuid(held);
  expect(
    sorted.slice(0, 50_000).every((element, at) => element.guid === guid && element.index === 2 * at),
  ).toBe(true);
  expect(gatherByGuid(held).map(({ index }) => index)).toEqual(sorted.map(({ index }) => index));
});
