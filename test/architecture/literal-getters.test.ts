// An object literal with a getter that is made for each call outlives collections of the young generation, with the call (ADR 81).
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { readSources } from './scan-sources.ts';

/** Getters of objects that a process has one of: file and name. */
const made = { once: ['src/db/wire/watch-answers.ts heardAt'] };

/** The names of getters and setters in object literals, in order. */
function literalGetters(file: string, text: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { type, properties } = node as {
      type?: string;
      properties?: { kind?: string; key?: { name?: string } }[];
    };
    if (type === 'ObjectExpression') {
      for (const { kind, key } of properties ?? [])
        if (kind === 'get' || kind === 'set') found.push(key?.name ?? '?');
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseSync(file, text).program);
  return found;
}

test('no object literal has a getter but what there is one of', () => {
  const found = [...readSources(['src', 'workers'])].flatMap(([file, text]) =>
    literalGetters(file, text).map((name) => `${file} ${name}`),
  );
  expect(found.toSorted()).toEqual(made.once);
});

test.each([
  ['const of = (a: number) => ({ get one() { return a; } });', ['one']],
  ['function f(a: number) { return { b: { set two(value: number) { a = value; } } }; }', ['two']],
  ['class Call { get log() { return 1; } } const a = { log: 1, get: () => 2 };', []],
])('%s', (text, names) => {
  expect(literalGetters('x.ts', text)).toEqual(names);
});
