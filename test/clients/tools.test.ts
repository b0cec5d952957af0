// The lists of known tools, and titles in many languages: what is suggested for them, and how they are then read.
import { expect, test } from 'vitest';
import { titleLists } from '../../clients/readers/definition/column-titles.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { toolProfiles } from '../../clients/readers/definition/tools/tool-profiles.ts';
import { readText, textSource } from './read-text.ts';
import { toolSamples } from './tool-samples.ts';

const root = { number: 'B' };

test.each(toolSamples.map((sample) => [sample.tool, sample] as const))(
  'a list of %s',
  async (tool, { text, links }) => {
    const { suggestion } = await suggestForFile(textSource(text));
    expect(suggestion).toMatchObject({ tool, problems: [] });
    const { lines, findings } = await readText(text, { ...suggestion?.definition, root });
    expect(lines.filter((line) => line.includes('>')).toSorted()).toEqual(links.toSorted());
    expect(findings.errors).toBe(0);
  },
);

test('every profile has a sample', () => {
  const sampled = new Set(toolSamples.map(({ tool }) => tool));
  expect(toolProfiles.map(({ tool }) => tool).filter((tool) => !sampled.has(tool))).toEqual([]);
});

const first = (text: string | undefined) => text?.split(',')[0]?.trim() ?? '';

test.each(Object.keys(titleLists))('titles in %s are understood, whatever its script', async (language) => {
  const { number, name, quantity, item, level, references } = titleLists[language] ?? { number: '' };
  const flat = `${[item, number, name, quantity].map(first).join('\t')}\n1\tAB-100\tFrame\t2\n2\tAB-200\tScrew\t8\n`;
  const suggested = (await suggestForFile(textSource(flat))).suggestion?.definition;
  expect(suggested?.columns).toEqual({
    number: first(number),
    name: first(name),
    quantity: first(quantity),
    findNumber: first(item),
  });
  const levels = `${[level, number, quantity].map(first).join('\t')}\n0\tAB-100\t1\n1\tAB-200\t8\n`;
  expect((await suggestForFile(textSource(levels))).suggestion?.definition).toMatchObject({
    structure: 'levels',
    columns: { level: first(level), number: first(number) },
  });
  const board = `${[references, number].map(first).join('\t')}\nR1 R2\tRC0603-10K\nC1\tGRM188-100N\n`;
  expect((await suggestForFile(textSource(board))).suggestion?.definition.columns).toMatchObject({
    references: first(references),
    number: first(number),
  });
});

test('a table that nobody understands is refused with its titles and a definition to start from', async () => {
  const { suggestion, beginnings } = await suggestForFile(textSource('Alpha,Beta\nx,y\nz,w\n'));
  expect(suggestion).toBeNull();
  const { tableUnclear } = await import('../../clients/readers/definition/suggest-for-file.ts');
  expect(tableUnclear(beginnings)).toMatchObject({
    code: 'table_unclear',
    message: expect.stringMatching(/"Alpha", "Beta".*Missing: number, name, quantity.*--definition/),
  });
});

test.each([
  ['a level that is no level', 'Level,Part Number,Qty\nhigh,A-1,1\nlow,A-2,2\n'],
  ['parents that stand below', 'Pos,Parent,Part Number,Qty\n1,2,AB-1,1\n2,3,AB-2,3\n3,,AB-3,3\n'],
])('what looks like structure and is not understood is refused: %s', async (_, text) => {
  const { suggestion } = await suggestForFile(textSource(text));
  expect(suggestion?.problems).toEqual([
    {
      code: 'structure_unclear',
      message: expect.stringMatching(/"(?:Level|Parent)".*values such as .*"structure"/),
    },
  ]);
});

test.each([
  ['1,000', 'Teil;Qty\nA-1;1,000\n'],
  ['1.000', 'Part Number\tQty\nA-1\t1.000\n'],
])('%s without other evidence is refused with both readings', async (_, text) => {
  const { suggestion } = await suggestForFile(textSource(text));
  const { findings, lines } = await readText(text, { ...suggestion?.definition, root });
  expect(lines).toEqual(['B']);
  expect(findings.kept.filter(({ severity }) => severity === 'error')).toEqual([
    expect.objectContaining({
      code: 'number_ambiguous',
      message: expect.stringContaining('can be 1000 or 1'),
      place: { line: 2, cell: 'Qty' },
    }),
  ]);
});
