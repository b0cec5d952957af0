/** How a body is cut into chunks: none too large for a thread, none of two with one GUID, nobody choosing which. */
import { randomUUID } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { packJson, SLOTS, unpackElements, unpackJson } from '../../src/sync/elements/payload-codec.ts';
import { GuidHash } from '../../src/sync/intake/guid-hash.ts';
import { GuidPartition, type Segment } from '../../src/sync/intake/guid-partition.ts';
import { HeldBudget } from '../../src/sync/intake/held-budget.ts';
import type { ChunkHead } from '../../src/sync/intake/spill-bucket.ts';

interface Cut {
  chunks: ChunkHead[];
  segments: Segment[];
}

const MIB = 1024 * 1024;

/** Cuts elements of so many bytes, one for each GUID given; `spilled` into that many buckets, or held whole. */
function cut(guids: readonly string[], bytes: number, chunkElements: number, spilled: number | null): Cut {
  const partition = new GuidPartition({
    chunkElements,
    heldElementsMax: spilled === null ? 1_000_000 : 1,
    heldBytesMax: 1024 * MIB,
    spillBuckets: spilled ?? 1,
    account: new HeldBudget().open(newId()),
    hash: new GuidHash(),
  });
  const segments: Segment[] = [];
  for (const [ordinal, guid] of guids.entries()) {
    const source = Buffer.from(JSON.stringify({ guid, fill: 'x'.repeat(bytes) }));
    partition.add({ source, start: 0, end: source.length, ordinal, guid, parentGuid: undefined });
    segments.push(...partition.takeReady());
  }
  const { chunks, segments: last } = partition.finish();
  partition.close();
  return { chunks, segments: [...segments, ...last] };
}

function elementsOf({ segments }: Cut, { bucket, slots }: ChunkHead) {
  return segments
    .filter((segment) => segment.bucket === bucket)
    .flatMap(({ elements }) => [...unpackElements(elements, slots)]);
}

describe.each([
  ['held whole', null],
  ['stored while it arrives', 3],
])('a body that is %s', (_, spilled) => {
  const guids = Array.from({ length: 3000 }, () => randomUUID());

  it('lies in its chunks whole and once, all elements of a GUID in one of them', () => {
    const twice = [...guids, ...guids];
    const body = cut(twice, 100, 50, spilled);
    const chunkOf = new Map<string, number>();
    const indexes: number[] = [];
    for (const chunk of body.chunks) {
      const elements = elementsOf(body, chunk);
      expect(elements).toHaveLength(chunk.elementCount);
      for (const { index, text } of elements) {
        const { guid } = JSON.parse(text);
        expect(guid).toBe(twice[index]);
        expect(chunkOf.get(guid) ?? chunk.ordinal).toBe(chunk.ordinal);
        chunkOf.set(guid, chunk.ordinal);
        indexes.push(index);
      }
      const own = elements.map(({ index }) => index);
      expect([Math.min(...own), Math.max(...own)]).toEqual([chunk.firstIndex, chunk.lastIndex]);
    }
    expect(indexes.sort((a, b) => a - b)).toEqual(twice.map((__, index) => index));
    expect(body.chunks.map(({ ordinal }) => ordinal)).toEqual(body.chunks.map((__, place) => place));
  });

  it('has chunks of a few elements and a few MiB, and segments of one', () => {
    const many = cut(guids, 10, 100, spilled);
    expect(Math.max(...many.chunks.map(({ elementCount }) => elementCount))).toBeLessThanOrEqual(200);
    const large = cut(guids.slice(0, 400), 100_000, 10_000, spilled);
    for (const chunk of large.chunks) {
      const bytes = elementsOf(large, chunk).reduce((sum, { text }) => sum + text.length, 0);
      expect(bytes).toBeLessThanOrEqual(4.2 * MIB);
    }
    for (const { elements } of large.segments) {
      const all = [...unpackElements(elements, { from: 0, to: SLOTS })];
      expect(all.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1.2 * MIB);
    }
  });

  it('keeps the elements of one GUID together, however many', () => {
    const body = cut([...guids.slice(0, 100), ...Array(1000).fill(guids[0])], 10, 10, spilled);
    const [largest, next] = body.chunks.map(({ elementCount }) => elementCount).sort((a, b) => b - a);
    expect(largest).toBeGreaterThanOrEqual(1001);
    expect(next).toBeLessThanOrEqual(30);
  });
});

it('keeps together what stands together in a body that is held, with what comes later of the same GUIDs', () => {
  const guids = Array.from({ length: 12 }, () => randomUUID());
  const [first, , third] = guids as [string, string, string];
  const body = cut([...guids, third, first, third], 10, 4, null);
  const chunks = body.chunks.map((chunk) => elementsOf(body, chunk).map(({ index }) => index));
  expect(chunks.map((indexes) => indexes.toSorted((a, b) => a - b))).toEqual([
    [0, 1, 2, 12, 13, 14],
    [3, 4, 5, 6],
    [7, 8, 9, 10],
    [11],
  ]);
  const ofThird = elementsOf(body, body.chunks[0] as ChunkHead).filter(({ text }) => text.includes(third));
  expect(ofThird.map(({ index }) => index)).toEqual([2, 12, 14]);
});

describe('entities that some element names as its parent', () => {
  const [top, ...below] = Array.from({ length: 40 }, () => randomUUID());
  /** Every third one lies below the one before it, however that is written; the others below one that is not there. */
  const parents = below.map((_, i) => (i % 3 === 1 ? `{${below[i - 1]?.toUpperCase()}}` : top));

  function chunksOf(spilled: boolean, sentAgain: boolean): { leaves: boolean; guids: string[] }[] {
    const partition = new GuidPartition({
      chunkElements: 5,
      heldElementsMax: spilled ? 1 : 1000,
      heldBytesMax: MIB,
      spillBuckets: 3,
      hash: new GuidHash(),
      account: new HeldBudget().open(newId()),
    });
    for (const [ordinal, guid] of below.entries()) {
      const parentGuid = parents[ordinal];
      const text = JSON.stringify({ guid, parentGuid });
      if (sentAgain) partition.addStaged(ordinal, guid, text);
      else {
        const source = Buffer.from(text);
        partition.add({ source, start: 0, end: source.length, ordinal, guid, parentGuid });
      }
    }
    const body = partition.finish();
    return body.chunks.map((chunk) => ({
      leaves: chunk.leaves,
      guids: elementsOf(body, chunk).map(({ text }) => JSON.parse(text).guid),
    }));
  }

  it('lie in chunks by themselves, and of the other chunks it is said that they have none', () => {
    const named = below.filter((_, i) => i % 3 === 0 && i + 1 < below.length);
    const chunks = chunksOf(false, false);
    const inChunks = (leaves: boolean) =>
      chunks.filter((chunk) => chunk.leaves === leaves).flatMap(({ guids }) => guids);
    expect(inChunks(false).sort()).toEqual([...named].sort());
    expect(inChunks(true).sort()).toEqual(below.filter((guid) => !named.includes(guid)).sort());
  });

  it.each([
    ['is stored while it arrives', true, false],
    ['is sent again', false, true],
  ])('may lie in any chunk of a body that %s', (_, spilled, sentAgain) => {
    const chunks = chunksOf(spilled, sentAgain);
    expect(chunks.map(({ leaves }) => leaves)).not.toContain(true);
    expect(chunks.flatMap(({ guids }) => guids).sort()).toEqual([...below].sort());
  });
});

describe('the hash of a GUID', () => {
  const placesOf = (hash: GuidHash, guids: readonly string[]) => guids.map((guid) => hash.of(guid) % 256);
  const sequence = Array.from(
    { length: 25_600 },
    (_, i) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`,
  );

  it('spreads GUIDs that were made in sequence', () => {
    const counts = new Map<number, number>();
    for (const place of placesOf(new GuidHash(), sequence)) counts.set(place, (counts.get(place) ?? 0) + 1);
    expect(counts.size).toBe(256);
    // 100 each, and ten times the deviation of chance.
    expect(Math.max(...counts.values())).toBeLessThan(200);
  });

  it('has a secret: GUIDs that fall together under one key are spread by the next', () => {
    const key = Buffer.alloc(8);
    const chosen = sequence.filter((guid) => new GuidHash(key).of(guid) % 256 === 0);
    expect(chosen.length).toBeGreaterThan(50);
    expect(new Set(placesOf(new GuidHash(), chosen)).size).toBeGreaterThan(30);
    expect(placesOf(new GuidHash(key), chosen)).toEqual(chosen.map(() => 0));
  });
});

it.each([0, 1, 100, 1022, 1023, 5000, 200_000])(
  'a value whose text has %i characters and quotes is packed and unpacked',
  (length) => {
    const text = 'ö'.repeat(length >> 1) + 'x'.repeat(length & 1);
    const packed = packJson(text);
    expect(unpackJson(packed)).toBe(text);
    expect(zstdDecompressSync(packed).toString()).toBe(JSON.stringify(text));
  },
);
