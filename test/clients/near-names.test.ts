// Which names are near to one that may be mistyped.
import { expect, test } from 'vitest';
import { nearNames } from '../../clients/cli/near-names.ts';

const near = (wanted: string, ...names: string[]) => nearNames(wanted, names, (name) => name);

test.each([
  // Left out, put in, taken for another: at the beginning, within, and at the end.
  ['mouser', 'ouser', 'mousr', 'mouse', 'amouser', 'mousser'],
  ['mouser', 'mousers', 'house', 'mauser', 'nouser', 'mouser'],
  ['reichelt', 'ei chelt', 'reihel', 'xxreichelt'],
  ['ab', 'a', 'b', 'abc', 'xab', 'xb'],
  ['digi-key', 'key-digi digikey', 'mouser digi key'],
])('near to "%s" are %j and others', (wanted, ...names) => {
  const slips = (name: string) =>
    Math.min(...[name, ...name.split(' ')].map((one) => wholeTable(wanted, one)));
  const most = Math.max(1, Math.floor(wanted.length / 3));
  const expected = names.filter((name) => slips(name) <= most).toSorted((a, b) => slips(a) - slips(b));
  expect(near(wanted, ...names)).toEqual(expected);
});

/** The same by every cell. */
function wholeTable(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, at) => (row === 0 ? at : row)),
  );
  const cell = (row: number, at: number) => table[row]?.[at] ?? 0;
  for (let row = 1; row <= a.length; row++)
    for (let at = 1; at <= b.length; at++)
      (table[row] as number[])[at] = Math.min(
        cell(row - 1, at - 1) + (a[row - 1] === b[at - 1] ? 0 : 1),
        cell(row - 1, at) + 1,
        cell(row, at - 1) + 1,
      );
  return cell(a.length, b.length);
}

test('texts of every form are as far apart as the whole table says', () => {
  const texts = ['a', 'b'].flatMap((one) =>
    ['', 'a', 'b', 'ab', 'ba', 'aab', 'bba', 'abab', 'baba', 'bbbbb'].map((other) => `${one}${other}`),
  );
  for (const wanted of texts) {
    const most = Math.max(1, Math.floor(wanted.length / 3));
    for (const text of texts)
      expect([wanted, text, near(wanted, text)]).toEqual([
        wanted,
        text,
        wholeTable(wanted, text) <= most ? [text] : [],
      ]);
  }
});

test('a long name is near with twelve slips, and another one with thirteen', () => {
  const wanted = 'a'.repeat(220);
  const slipped = (slips: number) => 'a'.repeat(220 - slips) + 'b'.repeat(slips);
  expect(near(wanted, slipped(13), slipped(12), slipped(2))).toEqual([slipped(2), slipped(12)]);
});

test('of very many names the first five thousand are compared, and no more', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `${'ab'.repeat(110)}${at}`);
  let compared = 0;
  const found = nearNames('ab'.repeat(110), names, (name) => {
    compared += 1;
    return name;
  });
  expect(compared).toBe(5000);
  expect(found).toEqual(names.slice(0, 5));
});
