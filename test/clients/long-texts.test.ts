// Texts on which a pattern could try very many ways to match. A pattern whose work grows faster than the text never ends here.
import { expect, test } from 'vitest';
import { suggestDefinition } from '../../clients/readers/definition/suggest-definition.ts';
import { detectFormat } from '../../clients/readers/detect-format.ts';
import { bothReadings, readDecimal } from '../../clients/readers/read-decimal.ts';
import { readText, textSource } from './read-text.ts';

const LONG = 300_000;
const long = (piece: string) => piece.repeat(LONG / piece.length);

test('the beginning of a file may be nothing but comments', async () => {
  const comments = '/**/ '.repeat(1000);
  expect(await detectFormat(textSource(`${comments}ISO-10303-21;`))).toMatchObject({ format: 'step' });
  expect(await detectFormat(textSource(`/* a * b ** c */\n/***/ISO-10303-21 ;`))).toMatchObject({
    format: 'step',
  });
  expect(await detectFormat(textSource(`${comments}Number;Name`))).toMatchObject({ format: 'csv' });
  await expect(detectFormat(textSource(long('<!--')))).rejects.toMatchObject({ code: 'xml_unknown' });
  await expect(detectFormat(textSource(long('<!')))).rejects.toMatchObject({ code: 'xml_unknown' });
});

test('a long text that begins as a number is none', () => {
  for (const text of [`1${long(' ')}x1`, `1/2${long(' ')}x1`, `${long(' ')}x1`, long('1 '), long('1,')]) {
    expect(readDecimal(text, '.')).toBeNull();
    expect(readDecimal(text, 'unambiguous')).toBeNull();
  }
  expect(bothReadings(`${long('.')}x`)).toBeNull();
});

test.each([
  ['blanks', ' '],
  ['dots', '.'],
  ['colons', ':'],
  ['signs', '- '],
  ['versions', ' v1'],
])('every cell of a line may be a long text of %s', async (_, piece) => {
  const cell = `${long(piece)}x1`;
  const columns = { number: 'Number', name: 'Name', quantity: 'Qty' };
  const { elements } = await readText(`Number;Name;Qty\nA${cell};B${cell};1${cell}\nP-1;Bolt;2\n`, {
    columns,
    withoutVersion: true,
  });
  expect(elements.at(-1)).toMatchObject({ number: 'P-1' });
  const levels = readText(`Level;Number\n0;A\n${cell};B\n`, {
    structure: 'levels',
    columns: { number: 'Number', level: 'Level' },
  });
  await expect(levels).rejects.toMatchObject({ code: 'level_unreadable' });
});

test('a definition is suggested for a table of long texts', () => {
  const titles = ['Number', 'Name', 'Qty', 'Level', `A${long('.')}x1`, `Part${long('_')}x1`];
  const row = ['P-1', `B${long(' ')}x1`, `1${long(' ')}x1`, `${long('.')}x1`, long('. '), long(':')];
  expect(suggestDefinition([titles, row, row], { properties: [], categories: [] })).not.toBeNull();
});
