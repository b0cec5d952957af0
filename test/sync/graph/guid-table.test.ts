/** GUIDs are numbered by a table whose places no sender can choose. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GUID_BYTES, GuidList, guidsOf } from '../../../src/sync/graph/guid-bytes.ts';
import { GuidHash } from '../../../src/sync/graph/guid-hash.ts';
import { GuidTable } from '../../../src/sync/graph/guid-table.ts';

/** Few of them, so that they come again. */
const someGuid = fc
  .tuple(fc.constantFrom('00000000', 'ffffffff', '0a1b2c3d'), fc.nat(40))
  .map(([beginning, i]) => `${beginning}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`);

it('numbers GUIDs in the order in which they come, however it has to grow', () => {
  fc.assert(
    fc.property(fc.array(someGuid, { maxLength: 200 }), fc.nat(8), (guids, room) => {
      const table = new GuidTable(room);
      const list = new GuidList();
      for (const guid of guids) list.push(guid);
      const distinct = [...new Set(guids)];
      for (const [place, guid] of guids.entries()) {
        expect(table.idAt(list.bytes, place)).toBe(distinct.indexOf(guid));
        expect(table.idOf(guid, false)).toBe(distinct.indexOf(guid));
      }
      expect(table.size).toBe(distinct.length);
      expect(distinct.map((_, id) => table.textOf(id))).toEqual(distinct);
      expect(table.idOf('12345678-0000-4000-8000-000000000000', false)).toBe(-1);
      const marks = Uint8Array.from(distinct, (_, id) => id % 2);
      expect(guidsOf(table.bytesOf(marks))).toEqual(distinct.filter((_, id) => id % 2 === 1));
    }),
  );
});

/** The number by which a product with an odd one is undone. */
function inverse(odd: number): number {
  let found = odd;
  for (let digits = 3; digits < 32; digits *= 2) found = Math.imul(found, 2 - Math.imul(odd, found));
  return found;
}

/**
 * GUIDs that a hash without a secret, here one that this table had, puts into one place: where looking one up goes through all that came
 * before it, as many of them take an hour.
 */
function chosen(count: number): Buffer {
  const [ofB, ofA, ofD, ofC] = [0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f, 0x1656_67b1];
  const bytes = Buffer.alloc(GUID_BYTES * count);
  for (let a = 0; a < count; a++) {
    const [b, c, hash] = [7, 9, 12_345];
    const rest = hash ^ Math.imul(a ^ Math.imul(b, ofB), ofA);
    const d = Math.imul(Math.imul(rest, inverse(ofC)) ^ c, inverse(ofD));
    for (const [word, value] of [a, b, c, d].entries())
      bytes.writeUInt32LE(value >>> 0, GUID_BYTES * a + 4 * word);
  }
  return bytes;
}

it('is not kept busy by GUIDs that are chosen for it', () => {
  const count = 500_000;
  const bytes = chosen(count);
  const table = new GuidTable();
  for (let place = 0; place < count; place++) expect(table.idAt(bytes, place)).toBe(place);
});

it('has another secret each time, and one hash of a GUID as text and as bytes', () => {
  const guid = '0a1b2c3d-0000-4000-8000-000000000001';
  const list = new GuidList();
  list.push(guid);
  const hashes = Array.from({ length: 20 }, () => new GuidHash()).map((hash) => {
    expect(hash.ofBytes(list.bytes, 0)).toBe(hash.of(guid));
    return hash.of(guid);
  });
  expect(new Set(hashes).size).toBeGreaterThan(15);
});
