// `{"entities":[…]}` as NDJSON, wherever the pieces of the text end; and what is no such text is told with its line.
import { expect, test } from 'vitest';
import { jsonAsNdjson } from '../../clients/readers/json-elements.ts';

/** Every piece in the memory of the one before it, as a reader may that reads a file into one buffer. */
async function* cut(text: string | Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text as string);
  const piece = Buffer.alloc(bytes);
  for (let at = 0; at < all.length; at += bytes) yield piece.subarray(0, all.copy(piece, 0, at, at + bytes));
}
async function ndjsonOf(text: string | Uint8Array, bytes = 1): Promise<string> {
  let out = '';
  const decoder = new TextDecoder();
  for await (const piece of jsonAsNdjson(cut(text, bytes))) out += decoder.decode(piece, { stream: true });
  return out;
}

const elements = [
  { guid: 'a', name: 'Brackets ]}, "quotes" and \\ ends\n', properties: { list: [1, [2, { a: '}' }]] } },
  { guid: 'b', name: 'Überwurf 🔩' },
  {},
];

test('every element is a line, whatever stands around them and wherever pieces end', async () => {
  for (const text of [
    JSON.stringify({ entities: elements }),
    JSON.stringify({ note: 'entities', more: { entities: [1] }, entities: elements, last: [1, 2] }, null, 2),
    `\uFEFF${JSON.stringify({ entities: elements }, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
    `{"\\u0065ntities":${JSON.stringify(elements)}}`,
  ]) {
    for (const bytes of [1, 2, 7, 64, 100_000]) {
      const lines = (await ndjsonOf(text, bytes)).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line))).toEqual(elements);
    }
  }
  expect(await ndjsonOf('{"entities":[ ]}')).toBe('');
  // Figures are handed on as they were written.
  expect(await ndjsonOf('{"entities":[{"quantity":1.10}]}')).toBe('{"quantity":1.10}\n');
});

test.each([
  ['{"entities":[{"guid":"a"},\n{"guid":}]}', 'Element 2 is no JSON', 2],
  ['{"entities":[\n{"guid":"a"},\n{"guid":"b"', 'cut off', 3],
  ['{"entities":[{},]}', 'Element 2 is no JSON', 1],
  ['{"entities":[,{}]}', 'Element 1 is no JSON', 1],
  ['{"entities":[{}],"entities":[{}]}', 'twice', 1],
  ['{"entities":[{}],"entities":{}}', 'twice', 1],
  ['{"entities":[{}] "a":1}', 'around the elements', undefined],
  ['{"entities":[{}]} {}', 'around the elements', undefined],
  ['{"entities":[{}]}}', 'cut off', 1],
  ['[{"guid":"a"}]', 'no array "entities"', undefined],
  ['{"entities":{"a":[1]}}', 'no array "entities"', undefined],
])('%j is refused', async (text, message, line) => {
  for (const bytes of [1, 1000])
    await expect(ndjsonOf(text, bytes)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      place: line === undefined ? {} : { line },
    });
});

test('a large file that has no entities is told so, not of what stands beside them', async () => {
  const list = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => ({ guid: String(i) })));
  await expect(ndjsonOf(list, 65_536)).rejects.toMatchObject({
    code: 'json_no_entities',
    message: expect.stringContaining('no array "entities"'),
  });
  await expect(ndjsonOf(`{"entities":[],"more":${list}}`, 65_536)).rejects.toMatchObject({
    code: 'json_invalid',
    message: expect.stringContaining('Beside "entities"'),
  });
});
