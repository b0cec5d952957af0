// No module remembers anything: what a process remembers is in its context, its worker or an object they have.
import { expect, test } from 'vitest';
import { moduleState } from './module-state.ts';
import { readSources } from './scan-sources.ts';
import { moduleStateAllowed } from './style-rules.ts';

test('no module has state of its own but what is listed with a reason', () => {
  const found = [...readSources(['src'])].flatMap(([file, text]) =>
    moduleState(file, text).map((name) => `${file} ${name}`),
  );
  expect(found.toSorted()).toEqual(Object.keys(moduleStateAllowed).toSorted());
});

test.each([
  ['let waiting = 0;', ['waiting']],
  ['export let waiting = 0;', ['waiting']],
  ['const seen = new Map<string, number>();', ['seen']],
  ['const seen = new WeakMap<object, string>();', ['seen']],
  ["const seen = new Set(['a']); function note(key: string) { seen.add(key); }", ['seen']],
  ['const list: string[] = []; const note = (one: string) => list.push(one);', ['list']],
  [
    'const counts: Record<string, number> = {}; const note = (key: string) => { counts[key] = 1; };',
    ['counts'],
  ],
  ['const at = { last: 0 }; const note = () => { at.last += 1; };', ['at']],
  ['const pool = Buffer.alloc(8);', ['pool']],
  ['const budget = new Budget();', ['budget']],
  ['class Counter { static #last = 0; static readonly kept = new Map(); }', ['last', 'kept']],
])('it is found: %s', (text, names) => {
  expect(moduleState('x.ts', text)).toEqual(names);
});

test.each([
  ["const codes = new Set(['a', 'b']); const has = (code: string) => codes.has(code);"],
  ['const none: ReadonlySet<number> = new Set();'],
  ['const nothing = Buffer.alloc(0); const { a } = { a: 1 };'],
  ['const table = { a: 1 }; const of = (key: "a") => table[key] === 1;'],
  [
    'const decoder = new TextDecoder(); function f() { let own = 0; const seen = new Map(); own += seen.size; }',
  ],
  ['const script = `\nlet inside = 0;\n`;'],
  ['class Counter { static readonly most = 3; #own = new Map(); }'],
])('it is not taken for state: %s', (text) => {
  expect(moduleState('x.ts', text)).toEqual([]);
});
