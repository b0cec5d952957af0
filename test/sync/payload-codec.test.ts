/** Elements are read as they were packed, whatever size they have together and however well they pack: in one piece, in several, in the smallest. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type PackedElement,
  packElements,
  packElementsAside,
  unpackElements,
} from '../../src/sync/elements/payload-codec.ts';

const PIECE = 1280 * 1024;
/** Borders of what a frame says in one, two and four bytes, of the smallest piece and of the largest, less the twelve bytes that lead an element. */
const SIZES = [256, 1024, 65_536 + 256, PIECE, 2 * PIECE].flatMap((border) =>
  [-13, -12, -11, -1, 0, 1].map((more) => border + more),
);
const CONTENTS: Readonly<Record<string, (size: number) => Buffer>> = {
  'that packs to next to nothing': (size) => Buffer.alloc(size, 'x'),
  'that packs well': (size) => Buffer.alloc(size, 'Hexagon socket head cap screw M3 x 5 '),
  'that hardly packs': (size) =>
    Buffer.from(
      randomBytes(Math.ceil(size / 2))
        .toString('hex')
        .slice(0, size),
    ),
};

it.each(Object.keys(CONTENTS))('a segment of text %s', async (kind) => {
  for (const size of [0, 1, 40, 51, 52, ...SIZES]) {
    const bytes = CONTENTS[kind]?.(size) as Buffer;
    const elements: PackedElement[] = [
      { index: 7, bytes, rejected: false, slot: 3 },
      { index: 9, bytes: Buffer.from('no'), rejected: true, slot: 3 },
    ];
    for (const packed of [elements, elements.slice(0, 1)]) {
      for (const segment of [packElements(packed), await packElementsAside(packed)]) {
        const read = [...unpackElements(segment, { from: 0, to: 256 })];
        const expected = packed.map((one) => ({
          index: one.index,
          text: String(one.bytes),
          rejected: one.rejected,
        }));
        // Not shown where they differ: they are megabytes.
        expect(read.length, `${size}`).toBe(expected.length);
        expect(
          read.every((one, i) => one.text === expected[i]?.text && one.rejected === expected[i].rejected),
          `${size}`,
        ).toBe(true);
        expect(read.map(({ index }) => index)).toEqual(expected.map(({ index }) => index));
      }
    }
  }
});
