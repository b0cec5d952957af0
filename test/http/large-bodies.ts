/** Bodies of as many bytes as an operation takes, in the shapes that cost most to read, whatever its schema says. */
import { type JsonSchema, resolve } from '../setup/generate-input.ts';

/** Named by what is special; none is longer than `bytes`. */
export function* hostileBodies(
  document: JsonSchema,
  schema: JsonSchema,
  bytes: number,
): Generator<[string, string]> {
  const fill = (before: string, piece: string, after: string) =>
    before +
    piece.repeat(Math.max(1, Math.floor((bytes - before.length - after.length) / piece.length))) +
    after;
  const list = (before: string, item: string, after: string) => fill(before, `${item},`, `${item}${after}`);
  yield ['nested arrays', fill('', '[', '')];
  const half = Math.floor(bytes / 2) - 10;
  yield ['nested arrays that end', '['.repeat(half) + ']'.repeat(half)];
  const levels = Math.floor(bytes / 6) - 2;
  yield ['nested objects', `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`];
  yield ['many small lists', list('[', '[]', ']')];
  yield ['unknown fields', `{${keys(bytes - 2, () => '0')}}`];
  yield ['a fault at the end', list('{"a":[', '{"b":"c"}', ']')];
  yield ['a text that never ends', fill('{"a":"', 'x', '')];
  for (const [name, field] of fieldsOf(document, schema)) {
    const before = `{${JSON.stringify(name)}:`;
    yield [
      `${name}: a long text`,
      fill(`${before}"`, 'é'.repeat(100), '"}')
        .slice(0, bytes / 2 - 2)
        .concat('"}'),
    ];
    yield [`${name}: lone surrogates`, fill(`${before}"`, '\\ud800', '"}')];
    yield [`${name}: escapes`, fill(`${before}"`, '\\u0001', '"}')];
    yield [`${name}: small lists`, list(`${before}[`, '[]', ']}')];
    yield [`${name}: empty objects`, list(`${before}[`, '{}', ']}')];
    yield [`${name}: fields`, `${before}{${keys(bytes - before.length - 3, () => '""')}}}`];
    const item = exampleOf(document, field.items);
    if (item !== undefined) yield [`${name}: items`, list(`${before}[`, JSON.stringify(item), ']}')];
    for (const [inner] of fieldsOf(document, field.items)) {
      yield [`${name}: items with many ${inner}`, list(`${before}[{"${inner}":[`, '{}', ']}]}')];
    }
  }
}

function keys(bytes: number, value: (at: number) => string): string {
  const written: string[] = [];
  for (let at = 0, left = bytes; ; at++) {
    const one = `"k${at}":${value(at)}`;
    left -= one.length + 1;
    if (left < 0) return written.join();
    written.push(one);
  }
}

function fieldsOf(document: JsonSchema, schema: JsonSchema): [string, JsonSchema][] {
  const known = resolve(document, schema);
  const choices: JsonSchema[] = known.anyOf ?? known.oneOf ?? known.allOf ?? [];
  const own = Object.entries((known.properties ?? {}) as Record<string, JsonSchema>);
  return [
    ...own.map(([name, field]): [string, JsonSchema] => [name, resolve(document, field)]),
    ...choices.flatMap((choice) => fieldsOf(document, choice)),
  ];
}

/** A small one that fits. */
function exampleOf(document: JsonSchema, schema: JsonSchema): unknown {
  if (schema === undefined) return undefined;
  const known = resolve(document, schema);
  if (known.examples?.length > 0) return known.examples[0];
  if (known.enum !== undefined) return known.enum[0];
  const choice = (known.anyOf ?? known.oneOf)?.[0];
  if (choice !== undefined) return exampleOf(document, choice);
  if (known.type === 'object') {
    return Object.fromEntries(
      Object.entries((known.properties ?? {}) as Record<string, JsonSchema>)
        .filter(([name]) => known.required?.includes(name))
        .map(([name, field]) => [name, exampleOf(document, field)]),
    );
  }
  return { string: 'x', number: 1, integer: 1, boolean: true, array: [] }[String(known.type)];
}
