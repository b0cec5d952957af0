// What the command line prints where nobody sits: whole, so that what reads it has what the service said.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plain, shown, tableText } from '../../clients/cli/output.ts';
import { allOf, buildProgram } from '../../clients/cli/run.ts';
import type { PlanningTimeline } from '../../clients/typescript/generated/types.ts';
import { changesOfLines } from '../../clients/typescript/planning-words.ts';
import { projectFolder } from './project-folder.ts';

const name = `Bracket, ${'long '.repeat(30)}end`;
const columns = {
  name: (one: { name: string }) => one.name,
  number: () => 'B-1',
};

/** What a process prints of a list whose standard output is a pipe. */
function piped(names: readonly string[]): string {
  const source = `import { Output } from ${JSON.stringify(join(projectFolder, 'clients/cli/output.ts'))};
    const names = ${JSON.stringify(names)};
    await new Output('text').list(names, { name: (one) => one, number: () => 'B-1' }, 'No part.');`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

test('a table that is piped is not cut', () => {
  const [, long, short] = piped([name, 'Nut']).split('\n');
  expect(long).toBe(`${name}  B-1`);
  // A long cell shifts its own row alone: a hundred thousand rows do not become as wide as the widest.
  expect(short).toBe(`${'Nut'.padEnd(60)}  B-1`);
});

test('what steers a terminal is taken out of what is piped, too', () => {
  expect(piped(['a\u001b[31mb\nc'])).toContain('a [31mb c');
});

test('what would turn around the text behind it is taken out, of sentences too', () => {
  for (const sign of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
    expect(piped([`a${sign}b`])).toContain('a b ');
    expect(plain(`Not ${sign}\u0007${sign}so.`)).toBe('Not  so.');
  }
  // Names of other scripts stay as they are, with the marks that they are written with.
  const others = 'בורג\u200f (M6), \u200eبرغي، 螺丝\u200d';
  expect(plain(others)).toBe(others);
});

test('a table on a terminal keeps its columns', () => {
  const [, row] = tableText([{ name }], columns, 60).split('\n');
  expect(row).toBe(`${name.slice(0, 59)}…  B-1`);
  expect(shown(name, 60)).toBe(`${name.slice(0, 59)}…`);
});

test('a table has as many rows as there are', () => {
  const rows = Array.from({ length: 200_000 }, () => ({ name: 'Nut' }));
  expect(tableText(rows, columns).split('\n')).toHaveLength(rows.length + 1);
});

test('no command has an option of a name that the whole program has, which would take it', () => {
  const program = buildProgram();
  const own = new Set(program.options.map((one) => one.long));
  expect(own).toContain('--profile');
  const taken = [...allOf(program)].flatMap((command) =>
    command.options
      .filter(({ long }) => own.has(long))
      .map(({ long }) => `${command.parent?.name()} ${command.name()} ${long}`),
  );
  expect(taken).toEqual([]);
});

const supply = (lineId: string, comesOn: string) => ({ lineId, comesOn });
const action = (number: number, values: object) => ({
  number,
  action: 'defer',
  status: 'open',
  lineId: null,
  partOn: null,
  ...values,
});

test('an action that changes a line is told beside that line, or beside the promised part of it', () => {
  const supplies = [supply('a', '2027-01-01'), supply('b', '2027-01-05'), supply('b', '2027-01-09')];
  const actions = [
    action(1, { lineId: 'a' }),
    action(2, { lineId: 'a', action: 'decrease' }),
    action(3, { lineId: 'b', partOn: '2027-01-09' }),
    // Overdue parts count on the day of the plan.
    action(4, { lineId: 'b', partOn: '2026-12-01' }),
    action(5, { action: 'order' }),
    action(6, { lineId: 'c' }),
    action(7, { lineId: 'a', status: 'committed' }),
    action(8, { action: 'none' }),
  ];
  const found = { day: '2027-01-05', supplies, actions } as unknown as PlanningTimeline;
  const { changes, others } = changesOfLines(found);
  expect(found.supplies.map((one) => changes.get(one)?.map(({ number }) => number))).toEqual([
    [1, 2],
    [4],
    [3],
  ]);
  expect(others.map(({ number }) => number)).toEqual([5, 6]);
});
