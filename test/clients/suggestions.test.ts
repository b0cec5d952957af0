// What a suggestion makes of columns that say little by themselves, and how such tables are then read.
import { expect, test } from 'vitest';
import { ImportDefinition } from '../../clients/readers/definition/import-definition.schema.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { readText, textSource } from './read-text.ts';

test('a list without a column of quantities is read as 1 each, and that is said', async () => {
  const text = 'Level,Part number,Description\n0,A,Frame\n1,B,Screw\n';
  const { suggestion } = await suggestForFile(textSource(text));
  expect(suggestion?.warnings).toEqual([{ code: 'no_quantities', message: expect.any(String) }]);
  const read = await readText(text, suggestion?.definition ?? {});
  expect(read.lines).toEqual(['A', 'A > B: 1']);
  expect(read.findings.kept).toMatchObject([
    { severity: 'warning', code: 'no_quantities', place: { line: 1 } },
  ]);
  // References are counted, quantities are read, and of parts in nothing there is none.
  for (const other of ['Part number,Designator\nB,R1\n', 'Part number,Qty\nB,2\n']) {
    const { suggestion: counted } = await suggestForFile(textSource(other));
    expect(counted?.warnings).toEqual([]);
    const { findings } = await readText(other, { ...counted?.definition, root: { number: 'TOP' } });
    expect(findings.counts.no_quantities).toBeUndefined();
  }
  const parts = await readText('Part number,Description\nB,Screw\n', { columns: { number: 'Part number' } });
  expect(parts.findings.counts.no_quantities).toBeUndefined();
});

// As a tool of electronics writes them: as many suppliers as the longest line has, with their prices and orders.
const supplied = [
  'Bill of materials;;;;;;;;;;;',
  'Comment;Designator;Quantity;Manufacturer 1;Manufacturer Part Number 1;Supplier 1;Supplier Part Number 1;Supplier Order Qty 1;Supplier 2;Supplier Part Number 2;Supplier Order Qty 2;Parameter 1',
  '10k;R1, R2;2;Ohmic;OH-0603-10K;Alpha Parts;A-1001;500;Beta Components;B-77;100;1 %',
  '100n;C1;1;Capsy;CP-100N;Alpha Parts;A-2002;50;;;;',
].join('\n');

test('numbered columns are found, named once with {n}, and taken as far as a file has them', async () => {
  const text = (key: string) => ({ key, name: key, type: 'text' as const });
  const single = await suggestForFile(textSource(supplied), {
    properties: [text('Supplier'), text('Manufacturer')],
  });
  expect(single.suggestion?.definition).toMatchObject({
    columns: { number: 'Manufacturer Part Number 1', quantity: 'Quantity', references: 'Designator' },
    properties: { Supplier: 'Supplier 1', Manufacturer: 'Manufacturer 1' },
  });
  expect(single.suggestion?.unused).toContain('Supplier Order Qty 1');
  const names = [
    'Supplier 1',
    'Supplier 2',
    'Supplier Part Number 1',
    'Supplier Part Number 2',
    'Parameter 1',
  ];
  const { suggestion } = await suggestForFile(textSource(supplied), { properties: names.map(text) });
  expect(suggestion?.definition.properties).toEqual({
    'Supplier {n}': 'Supplier {n}',
    'Supplier Part Number {n}': 'Supplier Part Number {n}',
    'Parameter 1': 'Parameter 1',
  });
  expect(suggestion?.unused).not.toContain('Supplier 2');
  const definition = suggestion?.definition ?? {};
  const { elements } = await readText(supplied, definition);
  expect(elements.map(({ number, properties }) => [number, properties])).toEqual([
    [
      'OH-0603-10K',
      {
        'Supplier 1': 'Alpha Parts',
        'Supplier Part Number 1': 'A-1001',
        'Supplier 2': 'Beta Components',
        'Supplier Part Number 2': 'B-77',
        'Parameter 1': '1 %',
      },
    ],
    ['CP-100N', { 'Supplier 1': 'Alpha Parts', 'Supplier Part Number 1': 'A-2002' }],
  ]);
  // Another file of the tool has one supplier, or eleven.
  const { 'Parameter 1': _, ...properties } = definition.properties ?? {};
  const fewer =
    'Comment;Designator;Quantity;Manufacturer Part Number 1;Supplier 1;Supplier 11\n1k;R1;1;OH-1K;Alpha Parts;Kappa\n';
  const read = await readText(fewer, { ...definition, properties });
  expect(read.elements[0]?.properties).toEqual({ 'Supplier 1': 'Alpha Parts', 'Supplier 11': 'Kappa' });
  // One part with two suppliers under one number contradicts itself as with any other property.
  const twice = `${fewer}1k;R2;1;OH-1K;Alpha Parts;Lambda\n`;
  await expect(readText(twice, { ...definition, properties })).rejects.toThrow(/differs in Supplier 11/);
  // What one of its lines leaves out is no difference.
  const less = await readText(`${fewer}1k;R2;1;OH-1K;Alpha Parts;\n`, { ...definition, properties });
  expect(less.elements.map(({ properties }) => properties['Supplier 11'])).toEqual(['Kappa', undefined]);
  const more = await readText(`${fewer.replace(';Kappa', ';')}1k;R2;1;OH-1K;;Kappa\n`, {
    ...definition,
    properties,
  });
  expect(more.elements.map(({ properties }) => properties['Supplier 11'])).toEqual([undefined, 'Kappa']);
  expect(() => ImportDefinition.parse({ properties: { Supplier: 'Supplier {n}' } })).toThrow(/\{n\}/);
});

test('a column that only tells parts apart is named as unused, because nothing of it is stored', async () => {
  const table = 'Part Number,Description,Qty,Colour\nA-1,Cap,1,red\nA-2,Lid,1,blue\n';
  const { suggestion } = await suggestForFile(textSource(table));
  expect(suggestion?.definition.columns?.identity).toEqual(['Colour']);
  expect(suggestion?.unused).toEqual(['Colour']);
  const text = { key: 'Colour', name: 'Colour', type: 'text' as const };
  const stored = await suggestForFile(textSource(table), { properties: [text] });
  expect(stored.suggestion?.unused).toEqual([]);
});
