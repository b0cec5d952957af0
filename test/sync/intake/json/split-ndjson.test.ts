/** The NDJSON splitter: each line for itself, judged as JSON.parse would, in order, wherever the pieces end. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LimitError } from '../../../../src/sync/intake/json/intake-errors.ts';
import { NdjsonSplitter, type RejectedLine } from '../../../../src/sync/intake/json/split-ndjson.ts';
import { runs } from '../../../setup/tier.ts';

interface Taken {
  ordinal: number;
  text: string;
  guid: string | undefined;
  parentGuid: string | undefined;
}

const limits = { elementBytesMax: 1_000_000, elementsMax: 1_000_000 };
const allAtOnce = [Number.MAX_SAFE_INTEGER];

/** Elements and rejected lines in the order in which they were handed on; each piece is overwritten afterwards. */
function split(body: string | Uint8Array, sizes = allAtOnce, overrides: Partial<typeof limits> = {}) {
  const results: (Taken | RejectedLine)[] = [];
  const splitter = new NdjsonSplitter({
    limits: { ...limits, ...overrides },
    onElement({ source, start, end, ordinal, guid, parentGuid }) {
      results.push({ ordinal, text: source.toString('utf8', start, end), guid, parentGuid });
    },
    onRejected(line) {
      results.push(line);
    },
  });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] as number;
    const piece = bytes.slice(at, at + size);
    splitter.push(piece);
    piece.fill(0x0a);
    at += size;
  }
  splitter.end();
  return results;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

function element(text: string, ordinal: number, guid?: string, parentGuid?: string): Taken {
  return { ordinal, text, guid, parentGuid };
}

const pieceSizes = fc.oneof(
  fc.constantFrom([1], [2], allAtOnce),
  fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 }),
);
const blank = fc.constantFrom('', '', ' ', '\t', ' \r');
const lineEnd = fc.constantFrom('\n', '\r\n');
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.record({
    guid: fc.string({ unit: 'binary' }),
    parentGuid: fc.string({ unit: 'grapheme' }),
    n: fc.double(),
  }),
);
const line = fc
  .record({
    text: value.map((v) => JSON.stringify(v)),
    before: blank,
    after: blank,
    spoil: fc.option(fc.record({ at: fc.nat(999_999), byte: fc.nat(255).filter((b) => b !== 0x0a) }), {
      freq: 2,
    }),
  })
  .map(({ text, before, after, spoil }) => {
    const bytes = Buffer.from(`${before}${text}${after}`);
    if (spoil !== null) bytes[spoil.at % bytes.length] = spoil.byte;
    return bytes;
  });
const paragraph = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: blank.map((b) => Buffer.from(b)) }),
  lineEnd,
);

describe('cuts lines', () => {
  test('into elements and rejected lines as JSON.parse judges them, each in its turn, wherever the pieces end', () => {
    const verdicts = { taken: 0, rejected: 0 };
    fc.assert(
      fc.property(
        fc.array(paragraph, { maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        pieceSizes,
        (lines, mark, open, sizes) => {
          const parts = lines.flatMap(([bytes, end], i) =>
            open && i === lines.length - 1 ? [bytes] : [bytes, Buffer.from(end)],
          );
          const results = split(Buffer.concat([Buffer.from(mark ? '\ufeff' : ''), ...parts]), sizes);
          let ordinal = 0;
          lines.forEach(([bytes], i) => {
            if (/^[ \t\r]*$/.test(bytes.toString('latin1'))) return;
            const result = results[ordinal];
            const expected = ordinal++;
            expect(result?.ordinal).toBe(expected);
            if (!isJson(bytes)) {
              verdicts.rejected++;
              expect(result).toMatchObject({ reason: 'invalid_json', line: i + 1 });
              return;
            }
            verdicts.taken++;
            const text = bytes.toString('utf8').trim();
            const parsed = JSON.parse(text) as { guid?: unknown; parentGuid?: unknown } | null;
            const string = (member: unknown) => (typeof member === 'string' ? member : undefined);
            expect(result).toEqual(element(text, expected, string(parsed?.guid), string(parsed?.parentGuid)));
          });
          expect(results).toHaveLength(ordinal);
        },
      ),
      { numRuns: runs(2000, 400) },
    );
    // Else the spoiling is too mild or too wild to have tested both sides.
    expect(Math.min(verdicts.taken, verdicts.rejected)).toBeGreaterThan(runs(500, 100));
  });

  test.each([
    ['', []],
    ['\n\r\n \t\n', []],
    ['\ufeff', []],
    ['1', ['1']],
    ['1\n', ['1']],
    ['\ufeff{"guid":"a"}\r\n\r\n null \n\n[1,\t2]', ['{"guid":"a"}', 'null', '[1,\t2]']],
    ['"\\u0000\\ud800"\n{"__proto__":1}', ['"\\u0000\\ud800"', '{"__proto__":1}']],
  ])('%j', (body, texts) => {
    for (const sizes of [allAtOnce, [1], [3]]) {
      expect(split(body, sizes)).toEqual(
        texts.map((text, i) => element(text, i, /"guid":"(.)"/.exec(text)?.[1])),
      );
    }
  });

  test('100 000 of them in order', () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `{"guid":"${i}","name":"Schraube für ${i}"}`);
    expect(split(lines.join('\n'), [65_536])).toEqual(lines.map((text, i) => element(text, i, String(i))));
  });

  test('with a line larger than any piece', () => {
    const long = JSON.stringify({ guid: 'g', name: 'ü'.repeat(50_000) });
    expect(split(`1\n${long}\n2`, [999])).toEqual([element('1', 0), element(long, 1, 'g'), element('2', 2)]);
  });
});

describe('rejects a line and goes on', () => {
  test.each([
    ['{"a":1', 7, 'Unexpected end of the line inside an object'],
    ['{"ä":tru', 9, 'Unexpected end of the line inside "true"'],
    ['1,2', 2, 'Unexpected ",": expected nothing after the value'],
    ['1 2', 3, 'Unexpected "2": expected nothing after the value'],
    ['-', 2, 'Unexpected end of the line inside a number'],
    [' ]', 2, 'Unexpected "]": expected a value'],
    ['"a\tb"', 3, 'Unexpected character U+0009 inside a string: control characters must be escaped'],
    ['1]\r', 2, 'Unexpected "]": expected nothing after the value'],
    ['\ufeff1', 1, 'Unexpected character outside ASCII: expected a value'],
  ])('%j at column %i', (bad, column, message) => {
    for (const sizes of [allAtOnce, [1], [4]]) {
      const [first, second, third] = split(`0\n\n${bad}\n7`, sizes);
      expect(first).toEqual(element('0', 0));
      const firstBytes = new TextEncoder().encode(bad.replace(/\r$/, ''));
      expect(second).toEqual({ ordinal: 1, line: 3, column, reason: 'invalid_json', message, firstBytes });
      expect(third).toEqual(element('7', 2));
    }
  });

  test.each([
    ['a byte that no UTF-8 has', [0x22, 0xc3, 0xa4, 0xff, 0x22], 3],
    ['a sequence broken off by the line end', [0x22, 0xc3, 0xa4, 0xf0, 0x9f], 3],
    ['a sequence broken off by a quote', [0x22, 0xe2, 0x82, 0x22], 2],
  ])('%s', (_, bytes, column) => {
    for (const sizes of [allAtOnce, [1]]) {
      const results = split(Buffer.from([...bytes, 0x0a, 0x37]), sizes);
      const message = 'The line is not valid UTF-8';
      const firstBytes = Uint8Array.from(bytes);
      expect(results).toEqual([
        { ordinal: 0, line: 1, column, reason: 'invalid_json', message, firstBytes },
        element('7', 1),
      ]);
    }
  });

  test('nested deeper than 64 levels', () => {
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const [at, over, far, last] = split(`${deep(64)}\n${deep(65)}\n${'['.repeat(100_000)}\n7`, [1000]);
    expect(at).toEqual(element(deep(64), 0));
    expect(over).toMatchObject({ ordinal: 1, reason: 'too_deep', column: 65 });
    expect(far).toMatchObject({ ordinal: 2, reason: 'too_deep', column: 65 });
    expect(last).toEqual(element('7', 3));
  });
});

describe('keeps its limits', () => {
  const oversize = (ordinal: number, lineNumber: number, text: string) => ({
    ordinal,
    line: lineNumber,
    column: 1,
    reason: 'oversize',
    message: 'The line is larger than 8 bytes',
    firstBytes: new TextEncoder().encode(text),
  });

  test.each([[allAtOnce], [[1]], [[2]], [[5]]])(
    'bytes of a line: at n, not at n + 1 (pieces of %j)',
    (sizes) => {
      const max = { elementBytesMax: 8 };
      const fits = '"123456"';
      const over = '"1234567"';
      const long = [element(fits, 0), oversize(1, 2, over), element('7', 2)];
      for (const end of ['\n', '\r\n']) {
        expect(split(`${fits}${end}${over}${end}7`, sizes, max)).toEqual(long);
        expect(split(`\ufeff${fits}${end}${over}${end}7${end}`, sizes, max)).toEqual(long);
        expect(split(`\ufeff${over}${end}${fits}`, sizes, max)).toEqual([
          oversize(0, 1, over),
          element(fits, 1),
        ]);
        expect(split(`\ufeff${fits}\rx${end}`, sizes, max)).toEqual([oversize(0, 1, `${fits}\rx`)]);
        expect(split(`7${end}${over}`, sizes, max)).toEqual([element('7', 0), oversize(1, 2, over)]);
      }
    },
  );

  test('a line of blanks only is ignored up to n, and what hides behind more blanks is not lost silently', () => {
    for (const sizes of [allAtOnce, [1], [6]]) {
      const body = `${' '.repeat(8)}\n${' '.repeat(20)}{"guid":"x"}\n7`;
      const results = split(body, sizes, { elementBytesMax: 8 });
      expect(results).toMatchObject([{ ordinal: 0, line: 2, reason: 'oversize' }, element('7', 1)]);
    }
  });

  test('of an endless line only its beginning is kept', () => {
    const results: unknown[] = [];
    const splitter = new NdjsonSplitter({
      limits: { ...limits, elementBytesMax: 1000 },
      onElement: ({ ordinal }) => results.push(ordinal),
      onRejected: (rejected) => results.push(rejected),
    });
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200; i++) splitter.push(piece);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * piece.length);
    splitter.push(Buffer.from('\n1'));
    splitter.end();
    expect(results).toMatchObject([
      { ordinal: 0, reason: 'oversize', firstBytes: new Uint8Array(256).fill(0x78) },
      1,
    ]);
  });

  test('lines: at n, not at n + 1, bad ones counted and blank ones not', () => {
    expect(split('1\n\n[\n3\n\n', [1], { elementsMax: 3 })).toHaveLength(3);
    expect(() => split('1\n\n[\n3\n\n4', [1], { elementsMax: 3 })).toThrow(LimitError);
  });
});
