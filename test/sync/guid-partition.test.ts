/** How a body is cut into chunks: none too large for a thread, none of two with one GUID, nobody choosing which. */
import { randomUUID } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/db/ids.ts';
import { packJson, SLOTS, unpackElements, unpackJson } from '../../src/sync/elements/payload-codec.ts';
import { GuidHash } from '../../src/sync/graph/guid-hash.ts';
import { GuidPartition, type Segment } from '../../src/sync/intake/guid-partition.ts';
import { budgetLimits, HeldBudget } from '../../src/sync/intake/held-budget.ts';
import type { ChunkHead } from '../../src/sync/intake/spill-bucket.ts';

interface Cut {
  chunks: ChunkHead[];
  segments: Segment[];
}

const MIB = 1024 * 1024;

/** How a body is stored while it arrives: as soon as it holds so much, by as many bytes that tell where its GUIDs lie. */
interface Spilled {
  portionBytes: number;
  tableBytes: number;
}

const known: Spilled = { portionBytes: 40_000, tableBytes: MIB };
const unknown: Spilled = { portionBytes: 40_000, tableBytes: 0 };
/** Of some 1500 GUIDs. */
const partlyKnown: Spilled = { portionBytes: 40_000, tableBytes: 16_384 };

function partitionOf(chunkElements: number, spilled: Spilled | null, hash = new GuidHash()): GuidPartition {
  const { portionBytes, tableBytes } = spilled ?? { portionBytes: 0, tableBytes: 0 };
  const limits = spilled === null ? budgetLimits : { ...budgetLimits, heldBytesMax: portionBytes };
  const budget = new HeldBudget({ ...limits, smallBytesMax: 2 * portionBytes, tableBytesMax: tableBytes });
  return new GuidPartition({
    chunkElements,
    heldElementsMax: spilled === null ? 1_000_000 : 1,
    heldBytesMax: 1024 * MIB,
    spillBuckets: 3,
    account: budget.open(newId()),
    hash,
  });
}

/** Cuts elements of so many bytes, one for each GUID given. */
async function cut(
  guids: readonly string[],
  bytes: number,
  chunkElements: number,
  spilled: Spilled | null,
  hash?: GuidHash,
): Promise<Cut> {
  const partition = partitionOf(chunkElements, spilled, hash);
  const segments: Segment[] = [];
  for (const [ordinal, guid] of guids.entries()) {
    const source = Buffer.from(JSON.stringify({ guid, fill: 'x'.repeat(bytes) }));
    partition.add({ source, start: 0, end: source.length, ordinal, guid, parentGuid: undefined });
    segments.push(...(await partition.takeReady()));
  }
  const { chunks, segments: last } = await partition.finish();
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
  ['stored while it arrives', known],
  ['stored while it arrives, more of it than can be known', partlyKnown],
  ['stored while it arrives, and nothing known of it', unknown],
])('a body that is %s', (_, spilled) => {
  const guids = Array.from({ length: 3000 }, () => randomUUID());

  it('lies in its chunks whole and once, all elements of a GUID in one of them', async () => {
    const twice = [...guids, ...guids];
    const body = await cut(twice, 100, 50, spilled);
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

  it('has chunks of a few elements and a few MiB, and segments of one', async () => {
    const many = await cut(guids, 10, 100, spilled);
    expect(Math.max(...many.chunks.map(({ elementCount }) => elementCount))).toBeLessThanOrEqual(200);
    const large = await cut(guids.slice(0, 400), 100_000, 10_000, spilled);
    for (const chunk of large.chunks) {
      const bytes = elementsOf(large, chunk).reduce((sum, { text }) => sum + text.length, 0);
      expect(bytes).toBeLessThanOrEqual(4.2 * MIB);
    }
    for (const { elements } of large.segments) {
      const all = [...unpackElements(elements, { from: 0, to: SLOTS })];
      expect(all.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1.2 * MIB);
    }
  });

  it('keeps the elements of one GUID together, however many', async () => {
    const body = await cut([...guids.slice(0, 100), ...Array(1000).fill(guids[0])], 10, 10, spilled);
    const [largest, next] = body.chunks.map(({ elementCount }) => elementCount).sort((a, b) => b - a);
    expect(largest).toBeGreaterThanOrEqual(1001);
    expect(next).toBeLessThanOrEqual(30);
  });
});

describe('a body that is stored while it arrives', () => {
  const guids = Array.from({ length: 3000 }, () => randomUUID());

  it.each([
    ['in its order as far as its GUIDs can be known', partlyKnown, 1000],
    ['in its order', known, 3000],
  ])('is cut %s, and has what comes later of them beside it', async (_, spilled, inOrder) => {
    const body = await cut([...guids, ...guids], 100, 50, spilled);
    const first = body.chunks.filter(
      ({ elementCount, firstIndex }) => elementCount <= 100 && firstIndex < inOrder,
    );
    expect(first.reduce((sum, { elementCount }) => sum + elementCount, 0)).toBeGreaterThanOrEqual(
      2 * inOrder,
    );
    for (const chunk of first) {
      const indexes = elementsOf(body, chunk).map(({ index }) => index);
      const own = new Set(indexes.filter((index) => index < guids.length));
      if (Math.max(...own) >= inOrder) continue;
      expect(Math.max(...own) - Math.min(...own)).toBe(own.size - 1);
      expect(
        indexes.filter((index) => index >= guids.length).every((index) => own.has(index - guids.length)),
      ).toBe(true);
    }
  });

  it('gives back what it knew its GUIDs by', () => {
    const budget = new HeldBudget({ ...budgetLimits, tableBytesMax: 16_384 });
    const one = budget.open(newId());
    expect([one.takeTable(16_384), budget.open(newId()).takeTable(1)]).toEqual([true, false]);
    one.close();
    expect(budget.open(newId()).takeTable(16_384)).toBe(true);
  });
});

it('keeps the elements of one GUID together where another cannot be told from it by what is known of both', async () => {
  const key = Buffer.from('ofGUIDs.');
  const hash = new GuidHash(key);
  // As those that one machine makes in sequence: their last digits are the same.
  const guidAt = (place: number) => `${place.toString(16).padStart(8, '0')}-0000-1000-8000-00155d010203`;
  const byHash = new Map<number, string>();
  let pair: [string, string] | null = null;
  for (let place = 0; pair === null; place++) {
    const guid = guidAt(place);
    const like = byHash.get(hash.of(guid));
    if (like !== undefined) pair = [like, guid];
    byHash.set(hash.of(guid), guid);
  }
  const [one, other] = pair;
  const some = (count: number) => Array.from({ length: count }, () => randomUUID());
  const guids = [...some(10), one, ...some(30), other, ...some(500), one, other];
  const body = await cut(guids, 100, 10, known, new GuidHash(key));
  const lyingIn = (guid: string) =>
    body.chunks.filter(
      (chunk) => elementsOf(body, chunk).filter(({ text }) => text.includes(guid)).length === 2,
    );
  expect([lyingIn(one).length, lyingIn(other).length]).toEqual([1, 1]);
});

it('keeps together what stands together in a body that is held, with what comes later of the same GUIDs', async () => {
  const guids = Array.from({ length: 12 }, () => randomUUID());
  const [first, , third] = guids as [string, string, string];
  const body = await cut([...guids, third, first, third], 10, 4, null);
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
  const [top, ...below] = Array.from({ length: 2000 }, () => randomUUID());
  /** Every third one lies below the one before it, however that is written; the others below one that is not there. */
  const parents = new Map<string, string | undefined>(
    below.map((guid, i) => [guid, i % 3 === 1 ? `{${below[i - 1]?.toUpperCase()}}` : top]),
  );
  const named = below.filter((_, i) => i % 3 === 0 && i + 1 < below.length);

  async function chunksOf(
    guids: readonly string[],
    spilled: Spilled | null,
    sentAgain: boolean,
  ): Promise<{ leaves: boolean; guids: string[] }[]> {
    const partition = partitionOf(20, spilled);
    const segments: Segment[] = [];
    for (const [ordinal, guid] of guids.entries()) {
      const parentGuid = parents.get(guid);
      const text = JSON.stringify({ guid, parentGuid });
      if (sentAgain) partition.addStaged(ordinal, guid, text);
      else {
        const source = Buffer.from(text);
        partition.add({ source, start: 0, end: source.length, ordinal, guid, parentGuid });
      }
      segments.push(...(await partition.takeReady()));
    }
    const body = await partition.finish();
    const whole = { ...body, segments: [...segments, ...body.segments] };
    return body.chunks.map((chunk) => ({
      leaves: chunk.leaves,
      guids: elementsOf(whole, chunk).map(({ text }) => JSON.parse(text).guid),
    }));
  }

  const inChunks = (chunks: Awaited<ReturnType<typeof chunksOf>>, leaves: boolean) =>
    chunks.filter((chunk) => chunk.leaves === leaves).flatMap(({ guids }) => guids);

  it.each([
    ['is held whole', below, null],
    // Each stands in the portion of what lies below it, or behind it: what comes first is named by nobody.
    ['is stored while it arrives, children first', below.toReversed(), known],
  ])(
    'lie in chunks by themselves where a body %s, and of the other chunks it is said that they have none',
    async (_, guids, spilled) => {
      const chunks = await chunksOf(guids, spilled, false);
      expect(inChunks(chunks, false).sort()).toEqual([...named].sort());
      expect(inChunks(chunks, true).sort()).toEqual(below.filter((guid) => !named.includes(guid)).sort());
    },
  );

  it('lie in no chunk of which that is said where their children come later', async () => {
    const isNamed = new Set<string>(named);
    const late: string[] = [...below.slice(0, 600), ...below.slice(600).filter((guid) => isNamed.has(guid))];
    const first = new Set<string>(late);
    const chunks = await chunksOf([...late, ...below.filter((guid) => !first.has(guid))], known, false);
    expect(inChunks(chunks, true).filter((guid) => isNamed.has(guid))).toEqual([]);
    expect(inChunks(chunks, true).length).toBeGreaterThan(1000);
    expect([...inChunks(chunks, true), ...inChunks(chunks, false)].sort()).toEqual([...below].sort());
  });

  it.each([
    ['is stored while it arrives and of whose GUIDs nothing is known', unknown, false],
    ['is sent again', null, true],
    ['is sent again and stored while it arrives', known, true],
  ])('may lie in any chunk of a body that %s', async (_, spilled, sentAgain) => {
    const chunks = await chunksOf(below, spilled, sentAgain);
    expect(chunks.map(({ leaves }) => leaves)).not.toContain(true);
    expect(inChunks(chunks, false).sort()).toEqual([...below].sort());
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

it('is packed few at a time of all bodies that end together, and of other workspaces first', async () => {
  const budget = new HeldBudget();
  const bodyOf = (workspaceId: string) => {
    const partition = new GuidPartition({
      chunkElements: 1000,
      heldElementsMax: 100_000,
      heldBytesMax: 64 * MIB,
      spillBuckets: 3,
      account: budget.open(workspaceId),
      hash: new GuidHash(),
    });
    for (let ordinal = 0; ordinal < 3000; ordinal++) {
      const guid = randomUUID();
      const source = Buffer.from(JSON.stringify({ guid, other: randomUUID() }));
      partition.add({ source, start: 0, end: source.length, ordinal, guid, parentGuid: undefined });
    }
    return partition;
  };
  const many = newId();
  const bodies = Array.from({ length: 30 }, () => bodyOf(many));
  const one = bodyOf(newId());
  let ended = 0;
  const ofMany = bodies.map(async (body) => {
    const { segments } = await body.finish();
    ended++;
    return segments.length;
  });
  expect((await one.finish()).segments).toHaveLength(3);
  expect(ended).toBeLessThan(10);
  expect(await Promise.all(ofMany)).toEqual(bodies.map(() => 3));
});
