/** The JSON splitter against JSON.parse: same verdict on every text, same elements, and faults placed to the column. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EnvelopeError,
  InvalidJsonError,
  LimitError,
} from '../../../../src/sync/intake/json/intake-errors.ts';
import { JsonSplitter } from '../../../../src/sync/intake/json/split-json.ts';
import { runs } from '../../../setup/tier.ts';

interface Seen {
  text: string;
  ordinal: number;
  guid: string | undefined;
  parentGuid: string | undefined;
}

const limits = { elementBytesMax: 1_000_000, elementsMax: 1_000_000 };
const allAtOnce = [Number.MAX_SAFE_INTEGER];

/** Feeds the bytes in pieces whose sizes are taken from `sizes` in turn, each overwritten once it has been pushed. */
function split(text: string | Uint8Array, sizes = allAtOnce, overrides: Partial<typeof limits> = {}): Seen[] {
  const seen: Seen[] = [];
  const splitter = new JsonSplitter({
    limits: { ...limits, ...overrides },
    onElement({ source, start, end, ordinal, guid, parentGuid }) {
      seen.push({ text: source.toString('utf8', start, end), ordinal, guid, parentGuid });
    },
  });
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] as number;
    const piece = bytes.slice(at, at + size);
    splitter.push(piece);
    piece.fill(0x78);
    at += size;
  }
  splitter.end();
  return seen;
}

function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The place behind `prefix`, told without any of the code under test. */
function placeBehind(prefix: string): { line: number; column: number } {
  const lines = prefix.split('\n');
  return { line: lines.length, column: [...(lines.at(-1) as string)].length + 1 };
}

/** In [0, 1); fc.double would nearly always give something close to 0. */
const fraction = fc.nat(999_999).map((n) => n / 1_000_000);
const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', ' \n  ');
const plainCharacter = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 1 })
  .map((character) => JSON.stringify(character).slice(1, -1));
const escapeText = fc.constantFrom(
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\u0000',
  '\\ud800',
  '\\uDFff',
  '\\u00e9',
);
const stringText = fc
  .array(fc.oneof({ weight: 5, arbitrary: plainCharacter }, { weight: 1, arbitrary: escapeText }), {
    maxLength: 12,
  })
  .map((parts) => `"${parts.join('')}"`);
const nameText = fc.oneof(
  stringText,
  fc.constantFrom(
    '"guid"',
    '"\\u0067uid"',
    '"parentGuid"',
    '"parent\\u0047uid"',
    '"__proto__"',
    '"constructor"',
    '"Guid"',
  ),
);
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.constantFrom('0', '-0', '10', '1.50', '1e5', '1E+5', '-0.0e-0', '123456789012345678901234567890'),
);
const { value: valueText } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    stringText,
    numberText,
    fc.constantFrom('true', 'false', 'null'),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
    .map(
      ([values, only]) => `[${values.length > 0 ? values.map((parts) => parts.join('')).join(',') : only}]`,
    ),
  object: fc
    .tuple(
      fc.array(fc.tuple(space, nameText, space, fc.constant(':'), space, tie('value'), space), {
        maxLength: 5,
      }),
      space,
    )
    .map(
      ([members, only]) =>
        `{${members.length > 0 ? members.map((parts) => parts.join('')).join(',') : only}}`,
    ),
}));

interface Sample {
  text: string;
  elements: string[];
}

const memberText = fc.tuple(
  fc
    .oneof(stringText, fc.constantFrom('"__proto__"', '"entitie"', '"Entities"'))
    .filter((t) => t !== '"entities"'),
  valueText,
);
const sample: fc.Arbitrary<Sample> = fc
  .record({
    elements: fc.array(valueText, { maxLength: 6 }),
    before: fc.array(memberText, { maxLength: 2 }),
    after: fc.array(memberText, { maxLength: 2 }),
    name: fc.constantFrom('"entities"', '"entities"', '"\\u0065ntities"'),
    spaces: fc.array(space, { minLength: 7, maxLength: 7 }),
    mark: fc.constantFrom('', '', '\ufeff'),
  })
  .map(({ elements, before, after, name, spaces, mark }) => {
    const array = `[${spaces[0]}${elements.join(`${spaces[1]},${spaces[2]}`)}${spaces[3]}]`;
    const members = [...before, [name, array], ...after].map((member) =>
      member.join(`${spaces[4]}:${spaces[5]}`),
    );
    const inner = members.join(`${spaces[6]},${spaces[0]}`);
    return { text: `${mark}${spaces[1]}{${spaces[2]}${inner}${spaces[4]}}${spaces[5]}`, elements };
  });
const pieceSizes = fc.oneof(
  fc.constantFrom([1], [2], allAtOnce),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
);

function stringMember(element: unknown, name: string): string | undefined {
  if (typeof element !== 'object' || element === null || !Object.hasOwn(element, name)) return undefined;
  const member = (element as Record<string, unknown>)[name];
  return typeof member === 'string' ? member : undefined;
}

describe('cuts valid documents', () => {
  test('into exactly the bytes of each element, with the GUIDs that JSON.parse sees, wherever the pieces end', () => {
    fc.assert(
      fc.property(sample, pieceSizes, ({ text, elements }, sizes) => {
        const expected = elements.map((element, ordinal) => {
          const parsed: unknown = JSON.parse(element);
          return {
            text: element,
            ordinal,
            guid: stringMember(parsed, 'guid'),
            parentGuid: stringMember(parsed, 'parentGuid'),
          };
        });
        expect(split(text, sizes)).toStrictEqual(expected);
      }),
      { numRuns: runs(2000, 400) },
    );
  });

  test.each([
    ['{"guid":"a","parentGuid":"b"}', 'a', 'b'],
    ['{"guid":"a","guid":"b"}', 'b', undefined],
    ['{"guid":"a","guid":7}', undefined, undefined],
    ['{"parentGuid":"a","parentGuid":null}', undefined, undefined],
    ['{"parentGuid":"a","parentGuid":"b"}', undefined, 'b'],
    ['{"guid":"a","\\u0067uid":"b"}', 'b', undefined],
    ['{"guid":"a\\n","parentGuid":"ä€😀"}', 'a\n', 'ä€😀'],
    ['{"guid":["x"],"parentGuid":{"guid":"y"}}', undefined, undefined],
    ['{"parentGuid":"p","x":{"guid":"y","parentGuid":"z"}}', undefined, 'p'],
    ['{"__proto__":{"guid":"x"}}', undefined, undefined],
    ['["guid","a"]', undefined, undefined],
    ['"guid"', undefined, undefined],
    ['{"guid":""}', '', undefined],
  ])('reads the GUIDs of %s', (element, guid, parentGuid) => {
    for (const sizes of [allAtOnce, [1], [7]]) {
      expect(split(`{"entities":[${element}]}`, sizes)).toStrictEqual([
        { text: element, ordinal: 0, guid, parentGuid },
      ]);
    }
  });

  test('without elements', () => {
    expect(split('{"entities":[]}')).toEqual([]);
    expect(split('\ufeff \r\n{ "a" : [ {} ] , "entities" : [ ] , "b" : null }\r\n', [1])).toEqual([]);
  });

  test('of 100 000 elements in order', () => {
    const elements = Array.from({ length: 100_000 }, (_, i) => `{"guid":"${i}","name":"Schraube ${i} für"}`);
    const seen = split(`{"entities":[${elements.join(',')}]}`, [65_536]);
    expect(seen.map((element) => element.text)).toEqual(elements);
    expect(seen.every((element, i) => element.ordinal === i && element.guid === String(i))).toBe(true);
  });

  test('whose element is larger than any piece', () => {
    const element = JSON.stringify({ guid: 'g', name: 'ü'.repeat(100_000) });
    expect(split(`{"entities":[1,${element}]}`, [1000])[1]).toMatchObject({ text: element, guid: 'g' });
  });
});

type Corruption = { at: number; kind: 'delete' | 'insert' | 'replace' | 'flip'; byte: number };

const corruption: fc.Arbitrary<Corruption> = fc.record({
  at: fraction,
  kind: fc.constantFrom('delete', 'insert', 'replace', 'flip'),
  byte: fc.oneof(
    fc.nat(255),
    fc.constantFrom(...Buffer.from('{}[],:"\\/0123456789-+.eEtfnu \n\x00\x1f\x7f')),
  ),
});

function corrupt(bytes: Uint8Array, { at, kind, byte }: Corruption): Uint8Array {
  const index = Math.floor(at * bytes.length);
  const old = bytes[index] as number;
  const put = { delete: [], insert: [byte, old], replace: [byte], flip: [old ^ (1 << (byte & 7))] }[kind];
  return Uint8Array.from([...bytes.subarray(0, index), ...put, ...bytes.subarray(index + 1)]);
}

describe('refuses', () => {
  test('exactly the texts that JSON.parse refuses, and after that those of another shape', () => {
    const verdicts = { invalid: 0, envelope: 0, valid: 0 };
    fc.assert(
      fc.property(
        sample,
        fc.array(corruption, { minLength: 1, maxLength: 2 }),
        pieceSizes,
        ({ text }, changes, sizes) => {
          const bytes = changes.reduce(corrupt, new TextEncoder().encode(text));
          let parsed: unknown;
          const refused = failure(() => {
            parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
          });
          let seen: Seen[] = [];
          const error = failure(() => {
            seen = split(bytes, sizes);
          });
          if (refused !== undefined) {
            verdicts.invalid++;
            expect(error).toBeInstanceOf(InvalidJsonError);
            return;
          }
          const entities =
            typeof parsed === 'object' && parsed !== null
              ? (parsed as { entities?: unknown }).entities
              : undefined;
          if (!Array.isArray(entities)) {
            verdicts.envelope++;
            expect(error).toBeInstanceOf(EnvelopeError);
            return;
          }
          verdicts.valid++;
          // A corruption can turn a neighbour's name into a second "entities", which JSON.parse lets pass.
          const names =
            Buffer.from(bytes)
              .toString('utf8')
              .match(/"(e|\\u0065)ntities"\s*:/g) ?? [];
          if (names.length > 1 && error instanceof EnvelopeError) return;
          expect(error).toBeUndefined();
          expect(seen.map((element) => JSON.stringify(JSON.parse(element.text)))).toEqual(
            entities.map((element) => JSON.stringify(element)),
          );
        },
      ),
      { numRuns: runs(5000, 1000) },
    );
    // Else the corruptions are too mild or too wild to have tested both sides.
    expect(Math.min(verdicts.invalid, verdicts.valid)).toBeGreaterThan(runs(500, 100));
    expect(verdicts.envelope).toBeGreaterThan(runs(20, 4));
  });

  test.each([
    ['U+0001', [0x01]],
    ['a byte that no UTF-8 has', [0xff]],
    ['a stray continuation byte', [0x80]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong character of three bytes', [0xe0, 0x9f, 0xbf]],
    ['an overlong character of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a sequence broken off', [0xf0, 0x9f, 0x98]],
  ])('%s at its exact line and column, anywhere', (_, intruder) => {
    fc.assert(
      fc.property(sample, fraction, pieceSizes, ({ text }, at, sizes) => {
        const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
        const characters = [...text.slice(mark.length)];
        const index = Math.floor(at * characters.length);
        const prefix = characters.slice(0, index).join('');
        const bytes = Buffer.concat([
          Buffer.from(mark + prefix),
          Buffer.from(intruder),
          Buffer.from(characters.slice(index).join('')),
        ]);
        const error = failure(() => split(bytes, sizes));
        expect(error).toBeInstanceOf(InvalidJsonError);
        expect(error).toMatchObject(placeBehind(prefix));
      }),
      { numRuns: runs(500, 100) },
    );
  });

  test('every edit of one byte as JSON.parse does, at the offset that V8 names', () => {
    const text =
      '{"a":[1,-2.5e+3,true],"entities":[{"guid":"x\\u00e9","p":{"q":null}},[],{}, 12 ,"s"], "z":{}}';
    let compared = 0;
    for (let at = 0; at <= text.length; at++) {
      for (const byte of '{}[],:"\\/0123456789-+.eEtfnuxaAfFgG@` \n\r\t\b\x00\x1f') {
        for (const kept of [0, 1]) {
          const edited = text.slice(0, at) + byte + text.slice(at + kept);
          const refused = failure(() => JSON.parse(edited)) as Error | undefined;
          const error = failure(() => split(edited));
          expect([edited, error instanceof InvalidJsonError]).toEqual([edited, refused !== undefined]);
          // Some of V8's messages lack the offset.
          const offset = /at position (\d+)/.exec(refused?.message ?? '')?.[1];
          if (offset === undefined) continue;
          compared++;
          expect(error).toMatchObject(placeBehind(edited.slice(0, Number(offset))));
        }
      }
    }
    expect(compared).toBeGreaterThan(runs(3000, 600));
  });

  test('a document that ends too early, at its end', () => {
    fc.assert(
      fc.property(sample, fraction, pieceSizes, ({ text }, at, sizes) => {
        const characters = [...text.replace(/^\ufeff/, '').trimEnd()];
        const prefix = characters.slice(0, Math.floor(at * characters.length)).join('');
        const error = failure(() => split(prefix, sizes));
        expect(error).toBeInstanceOf(InvalidJsonError);
        expect(error).toMatchObject(placeBehind(prefix));
        expect((error as Error).message).toMatch(/^Unexpected end of the document (inside|where)/);
      }),
      { numRuns: runs(500, 100) },
    );
  });

  test.each([
    ['', 1, 1, 'Unexpected end of the document where a value was expected'],
    ['not json', 1, 2, 'Unexpected "o": expected "null"'],
    ['hello', 1, 1, 'Unexpected "h": expected a value'],
    ['{"entities":[{"a":"x', 1, 21, 'Unexpected end of the document inside a string'],
    ['{"entities":[{"a":"x"', 1, 22, 'Unexpected end of the document inside an object'],
    ['{"entities":[tr', 1, 16, 'Unexpected end of the document inside "true"'],
    ['{"entities":[1.', 1, 16, 'Unexpected end of the document inside a number'],
    ['{"entities":[', 1, 14, 'Unexpected end of the document inside "entities"'],
    ['{"entities":[]', 1, 15, 'Unexpected end of the document inside the outermost object'],
    ['{"entities":[1,]}', 1, 16, 'Unexpected "]": expected a value'],
    ['{"entities":[1 2]}', 1, 16, 'Unexpected "2": expected "," or "]"'],
    ['{"entities":[],}', 1, 16, 'Unexpected "}": expected a member name in double quotes'],
    ['{"entities":[]}\n\n x', 3, 2, 'Unexpected "x": expected nothing after the end of the document'],
    ['{"entities":[\n  {"ä😀": "é" ]}', 2, 14, 'Unexpected "]": expected "," or "}"'],
    ['{"entities":[{"a" 1}]}', 1, 19, 'Unexpected "1": expected ":" after the member name'],
    ['{"entities":[{a:1}]}', 1, 15, 'Unexpected "a": expected a member name in double quotes or "}"'],
    [
      '{"entities":["a\r\nb"]}',
      1,
      16,
      'Unexpected line break inside a string: control characters must be escaped',
    ],
    ['{\r\n"entities":["\\x"]}', 2, 15, 'Unexpected "x": expected one of "\\/bfnrtu after a backslash'],
    ['{"entities":["\\u12g4"]}', 1, 19, 'Unexpected "g": expected four hexadecimal digits after \\u'],
    ['{"entities":[01]}', 1, 15, 'A number must not start with 0'],
    ['{"entities":[1,\u00a02]}', 1, 16, 'Unexpected character outside ASCII: expected a value'],
    ['\ufeff{"entities":[}', 1, 14, 'Unexpected "}": expected a value'],
    ['\ufefa', 1, 1, 'Unexpected character outside ASCII: expected a value'],
  ])('%j at line %i, column %i', (text, line, column, message) => {
    for (const sizes of [allAtOnce, [1], [3]]) {
      const error = failure(() => split(text, sizes));
      expect(error).toBeInstanceOf(InvalidJsonError);
      expect(error).toMatchObject({ line, column, message });
    }
  });

  test('a document that ends inside a character, where that begins', () => {
    const error = failure(() => split(Buffer.from('{"entities":["ä😀').subarray(0, -1)));
    expect(error).toBeInstanceOf(InvalidJsonError);
    expect(error).toMatchObject({ line: 1, column: 16, message: 'The text is not valid UTF-8' });
  });

  test.each([
    ['[]', ''],
    ['[{"entities":[]}]', ''],
    ['"entities"', ''],
    ['12', ''],
    ['null', ''],
    ['{}', '/entities'],
    ['{"Entities":[]}', '/entities'],
    ['{"x":{"entities":[]}}', '/entities'],
    ['{"entities":{}}', '/entities'],
    ['{"entities":null}', '/entities'],
    ['{"entities":[1],"entities":[2]}', '/entities'],
    ['{"entities":[1],"\\u0065ntities":3}', '/entities'],
  ])('the shape of %s, pointing at %j', (text, pointer) => {
    for (const sizes of [allAtOnce, [1]]) {
      const error = failure(() => split(text, sizes));
      expect(error).toBeInstanceOf(EnvelopeError);
      expect(error).toMatchObject({ pointer });
    }
  });

  test('a wrong shape of any size', () => {
    const array = JSON.stringify(Array.from({ length: 200_000 }, () => ({ guid: 'g' })));
    for (const text of [array, `{"entities":{"all":${array}}}`]) {
      expect(failure(() => split(text, [65_536]))).toBeInstanceOf(EnvelopeError);
    }
  });

  test('a wrong shape only when the text is JSON', () => {
    for (const text of ['[1', '{"entities":{}', '{"entities":[],"entities":[}', '12x', '{"entities":5} {}']) {
      expect(failure(() => split(text, [1]))).toBeInstanceOf(InvalidJsonError);
    }
  });
});

describe('keeps its limits', () => {
  test('elements: at n, not at n + 1', () => {
    expect(split('{"entities":[1,2,3]}', [1], { elementsMax: 3 })).toHaveLength(3);
    const error = failure(() => split('{"entities":[1,2,3,4]}', [1], { elementsMax: 3 }));
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ limit: 'elementsMax' });
  });

  test.each([[allAtOnce], [[1]], [[5]]])(
    'bytes of an element: at n, not at n + 1 (pieces of %j)',
    (sizes) => {
      const text = '{"entities":[1,"12345678" ]}';
      expect(split(text, sizes, { elementBytesMax: 10 })).toHaveLength(2);
      const error = failure(() => split(text, sizes, { elementBytesMax: 9 }));
      expect(error).toBeInstanceOf(LimitError);
      expect(error).toMatchObject({ limit: 'elementBytesMax' });
    },
  );

  test('an endless element is refused before its end comes', () => {
    const splitter = new JsonSplitter({
      limits: { ...limits, elementBytesMax: 1000 },
      onElement: () => undefined,
    });
    splitter.push(Buffer.from('{"entities":["'));
    const push = () => splitter.push(Buffer.alloc(100, 'x'));
    for (let i = 0; i < 9; i++) push();
    expect(push).toThrow(LimitError);
  });

  test('bytes of a skipped member: at n, not at n + 1', () => {
    const document = (length: number) => `{"x":"${'y'.repeat(length - 2)}","entities":[1]}`;
    expect(split(document(1024 * 1024), [1000])).toHaveLength(1);
    const error = failure(() => split(document(1024 * 1024 + 1), [1000]));
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ limit: 'memberBytesMax' });
  });

  test.each(['[', '{"a":'])('levels of %s: at n, not at n + 1, nor at 100 000', (open) => {
    const close = open === '[' ? ']' : '}';
    const document = (depth: number) =>
      `{"entities":[${open.repeat(depth)}${open === '[' ? '' : 1}${close.repeat(depth)}]}`;
    expect(split(document(64), [10])).toHaveLength(1);
    for (const depth of [65, 100_000]) {
      const error = failure(() => split(document(depth), [1000]));
      expect(error).toBeInstanceOf(LimitError);
      const column = 14 + 64 * open.length;
      expect(error).toMatchObject({
        limit: 'nestingMax',
        message: `Nested deeper than 64 levels at line 1, column ${column}`,
      });
    }
  });
});
