// What a suggestion makes of columns that say little by themselves, and how such tables are then read.
import { describe, expect, it, test } from 'vitest';
import {
  ImportDefinition,
  type ImportDefinitionInput,
} from '../../clients/readers/definition/import-definition.schema.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { withTitleUnits } from '../../clients/readers/definition/title-units.ts';
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

// Columns that say who sells a part: which are proposed, and what a line with them states.
const suggested = async (text: string, hints = {}) =>
  (await suggestForFile(textSource(text), hints)).suggestion?.definition ?? {};
const partsOf = async (text: string, definition: ImportDefinitionInput) => {
  const { elements, findings } = await readText(text, definition);
  const warnings = findings.kept.filter(({ severity }) => severity === 'warning');
  return {
    parts: elements.map(({ supplierParts = [] }) => supplierParts),
    warnings: warnings.map(({ code, place }) => [code, place.line, place.cell]),
    findings,
  };
};
const header =
  'Comment;Designator;Quantity;Manufacturer 1;Manufacturer Part Number 1;Supplier 1;Supplier Part Number 1;Supplier Unit Price 1;Supplier Currency 1;Supplier 2;Supplier Part Number 2;Supplier Unit Price 2;Supplier Currency 2';

describe('columns of suppliers', () => {
  it('are proposed once with {n}, and each number is a supplier part where its supplier is filled', async () => {
    const text = `${header}\n10k;R1, R2;2;Ohmic;OH-10K;Alpha;A-1;0.0123;USD;Beta;B-77;0.02;eur\n100n;C1;1;Capsy;CP-100N;Alpha;A-2;;;;;;\n`;
    const definition = await suggested(text);
    expect(definition.supplierParts).toEqual([
      {
        supplier: 'Supplier {n}',
        sku: 'Supplier Part Number {n}',
        manufacturer: 'Manufacturer {n}',
        mpn: 'Manufacturer Part Number {n}',
        price: 'Supplier Unit Price {n}',
        currency: 'Supplier Currency {n}',
      },
    ]);
    expect((await suggestForFile(textSource(text))).suggestion?.unused).toEqual([]);
    const alpha = { supplier: 'Alpha', sku: 'A-1', manufacturer: 'Ohmic', mpn: 'OH-10K' };
    expect(await partsOf(text, definition)).toMatchObject({
      parts: [
        [
          { ...alpha, prices: [{ price: '0.0123', currency: 'USD' }] },
          { supplier: 'Beta', sku: 'B-77', prices: [{ price: '0.02', currency: 'EUR' }] },
        ],
        [{ supplier: 'Alpha', sku: 'A-2', manufacturer: 'Capsy', mpn: 'CP-100N' }],
      ],
      warnings: [],
    });
    // The next file has one supplier, or eleven.
    const other =
      'Manufacturer Part Number 1;Designator;Quantity;Supplier 11;Supplier Part Number 11\nX;R1;1;Kappa;K-1\n';
    const { number, quantity, references } = definition.columns ?? {};
    const fewer = { supplierParts: definition.supplierParts, columns: { number, quantity, references } };
    expect((await partsOf(other, fewer)).parts).toEqual([[{ supplier: 'Kappa', sku: 'K-1' }]]);
  });

  it('are found with the number within the title, without one, for one supplier, and by the name of a distributor', async () => {
    const within = await suggested(
      'Part Number,Supplier 1 Name,Supplier 1 Part Number,Currency,MOQ\nA-1,Alpha,X-1,EUR,100\n',
    );
    expect(within.supplierParts).toEqual([
      { supplier: 'Supplier {n} Name', sku: 'Supplier {n} Part Number', currency: 'Currency' },
    ]);
    const plain = 'Part Number,Qty,Vendor,Vendor P/N,MPN,Supplier 2,MPN 2\nA-1,1,Alpha,X-1,M1,Beta,M2\n';
    expect((await suggested(plain)).supplierParts).toEqual([{ supplier: 'Supplier {n}', mpn: 'MPN {n}' }]);
    const first = 'Part Number,Qty,Supplier,MPN,Supplier 2,MPN 2\nA-1,1,Alpha,M1,Beta,M2\n';
    expect((await partsOf(first, await suggested(first))).parts).toEqual([
      [
        { supplier: 'Alpha', mpn: 'M1' },
        { supplier: 'Beta', mpn: 'M2' },
      ],
    ]);
    // A property keeps the name of a supplier, but neither its part numbers nor its prices.
    const both =
      'Level,Part Number,Qty,Supplier 1,MPN 1,Supplier Part Number 1,Price 1,Supplier 2,Supplier Part Number 2,Price 2\n0,L,1,,,,,,,\n1,A-1,1,Alpha,M1,X-1,3.95,Beta,Y-1,4.1\n';
    const property = { properties: [{ key: 'Supplier', name: 'Supplier', type: 'text' as const }] };
    expect(await suggested(both, property)).toMatchObject({
      properties: { Supplier: 'Supplier 1' },
      supplierParts: [
        {
          supplier: 'Supplier {n}',
          mpn: 'MPN {n}',
          sku: 'Supplier Part Number {n}',
          price: 'Price {n}',
        },
      ],
    });
    const lcsc = 'Part Number,Comment,Designator,LCSC Part #,Mouser Part Number\nA-1,10k,R1,C123,\n';
    const definition = await suggested(lcsc);
    expect(definition.supplierParts).toEqual([
      { supplierName: 'LCSC', sku: 'LCSC Part #' },
      { supplierName: 'Mouser', sku: 'Mouser Part Number' },
    ]);
    expect(await partsOf(lcsc, definition)).toMatchObject({
      parts: [[{ supplier: 'LCSC', sku: 'C123' }]],
      warnings: [],
    });
  });

  it('stay properties in a workspace that keeps suppliers and their numbers as properties, and are none without a number beside them', async () => {
    const properties = ['Supplier', 'Supplier Part Number'].map((key) => ({
      key,
      name: key,
      type: 'text' as const,
    }));
    const text = `${header}\n10k;R1;1;O;O-1;Alpha;A-1;;;;;;\n`;
    expect((await suggested(text, { properties })).supplierParts).toBeUndefined();
    const bare = await suggested('Part Number,Qty,Supplier,Price\nA-1,1,Alpha,3\n');
    expect(bare.supplierParts).toBeUndefined();
  });

  it('have a named warning for each cell that cannot be taken, and no figure instead of it', async () => {
    const columns = { number: 'No' };
    const part = {
      supplier: 'S{n}',
      sku: 'K{n}',
      price: 'P{n}',
      currency: 'C{n}',
      minimum: 'M',
      leadTimeDays: 'L',
    };
    const text = [
      'No,S1,K1,P1,C1,M,L,S,K',
      'A,Alpha,1,abc,USD,2,2 weeks,,',
      'B,Alpha,1,1.5,Taler,x,3 months,,',
      'C,Alpha,1,-1,EUR,0,1.5,,',
      'D,Alpha,1,0,EUR,,,,',
      'E,Alpha,1,€2,USD,,,,',
      'F,Alpha,,1,,,,,',
      'G,Alpha,1,,,,,Beta,',
      'H,Alpha,1,$2,,,,,',
      'I,Alpha,1,US$ 2,,,,Alpha,1',
      'J,,7,1,,,,,',
      'K,Alpha,1,1.1234567,EUR,,,,',
      'L,Alpha,1,12345678901.5,EUR,,,,',
    ].join('\n');
    const { parts, warnings, findings } = await partsOf(text, { columns, supplierParts: [part] });
    const alpha = { supplier: 'Alpha', sku: '1' };
    expect(parts).toEqual([
      [{ ...alpha, minimum: 2, leadTimeDays: 14 }],
      [alpha],
      [alpha],
      [alpha],
      [alpha],
      [],
      [],
      [alpha],
      [{ ...alpha, prices: [{ price: '2', currency: 'USD' }] }],
      [],
      [alpha],
      [alpha],
    ]);
    expect(warnings).toEqual([
      ['numeric_unreadable', 2, 'P1'],
      ['numeric_unreadable', 3, 'M'],
      ['numeric_unreadable', 3, 'L'],
      ['currency_unreadable', 3, 'C1'],
      ['numeric_unreadable', 4, 'M'],
      ['numeric_unreadable', 4, 'L'],
      ['numeric_unreadable', 4, 'P1'],
      ['price_zero', 5, 'P1'],
      ['currency_unclear', 6, 'C1'],
      ['supplier_part_unnumbered', 7, 'S1'],
      ['columns_differ', 8, 'S'],
      ['currency_unclear', 9, 'P1'],
      ['numeric_unreadable', 12, 'P1'],
      ['numeric_unreadable', 13, 'P1'],
    ]);
    expect(findings.kept.find(({ code }) => code === 'columns_differ')?.message).toBe(
      '"S1" and "S" are one field and differ, "Alpha" and "Beta": neither is taken.',
    );
    const dollars = { ...part, currencyCode: 'CAD' };
    const read = await partsOf('No,S1,K1,P1\nH,Alpha,1,$2\nI,Alpha,1,€2\n', {
      columns,
      supplierParts: [
        { supplier: dollars.supplier, sku: dollars.sku, price: dollars.price, currencyCode: 'CAD' },
      ],
    });
    expect(read.parts).toEqual([[{ ...alpha, prices: [{ price: '2', currency: 'CAD' }] }], [alpha]]);
    expect(read.warnings).toEqual([['currency_unclear', 3, 'P1']]);
  });

  it('join the prices of one supplier part, and a number that can be read in two ways is none', async () => {
    const one = { supplier: 'S', sku: 'K' };
    const supplierParts = [
      { ...one, price: 'At 1' },
      { ...one, price: 'At 100', priceFrom: 100 },
      { ...one, price: 'At more', priceFrom: 'More' },
    ];
    const text =
      'No;S;K;At 1;At 100;At more;More\nA;Alpha;1;0,5 €;0,4 €;0,3 €;many\nB;Alpha;2;1.000;;0,3 €;500\n';
    const definition = { columns: { number: 'No' }, supplierParts, decimal: 'unambiguous' as const };
    expect(await partsOf(text, definition)).toMatchObject({
      parts: [
        [
          {
            ...{ supplier: 'Alpha', sku: '1' },
            prices: [
              { price: '0.5', currency: 'EUR' },
              { from: 100, price: '0.4', currency: 'EUR' },
            ],
          },
        ],
        [{ supplier: 'Alpha', sku: '2', prices: [{ from: 500, price: '0.3', currency: 'EUR' }] }],
      ],
      warnings: [
        ['numeric_unreadable', 2, 'More'],
        ['numeric_unreadable', 3, 'At 1'],
      ],
    });
  });

  it('are taken from the fields of a netlist too', async () => {
    const netlist = `<export version="E"><components><comp ref="R1"><value>10k</value><fields><field name="MPN">RC-10K</field><field name="Vendor">Alpha</field><field name="Vendor PN">A-1</field></fields></comp></components></export>`;
    const definition: ImportDefinitionInput = {
      format: 'netlist',
      columns: { key: 'MPN' },
      root: { number: 'BOARD' },
      supplierParts: [{ supplier: 'Vendor', sku: 'Vendor PN', mpn: 'MPN' }],
    };
    const { elements } = await readText(netlist, definition);
    expect(elements.find(({ number }) => number === 'RC-10K')?.supplierParts).toEqual([
      { supplier: 'Alpha', sku: 'A-1', mpn: 'RC-10K' },
    ]);
    // No field of the file has the name of something that every object has.
    const supplierParts = [{ supplier: 'constructor', sku: 'toString' }];
    const other = await readText(netlist, {
      ...definition,
      properties: { Note: 'valueOf' },
      supplierParts,
    });
    for (const { supplierParts: parts, properties } of other.elements)
      expect([parts, properties]).toEqual([undefined, {}]);
  });

  it('are refused in a definition that names no supplier, two, or no number', () => {
    const parse = (...supplierParts: object[]) =>
      ImportDefinition.safeParse({ supplierParts }).error?.message;
    expect(parse({ sku: 'K' })).toMatch(/either \\"supplier\\", a column, or/);
    expect(parse({ supplier: 'S', supplierName: 'Alpha', sku: 'K' })).toMatch(/either/);
    expect(parse({ supplier: 'S' })).toMatch(/\\"sku\\" or \\"mpn\\"/);
    expect(parse({ supplier: 'S', sku: 'K {n}' })).toMatch(/\{n\}/);
    expect(parse({ supplier: 'S', sku: 'K', currencyCode: 'euro' })).toMatch(/three capitals/);
    const sources = [{ supplier: 'S {n}', sku: 'K {n}', mpn: 'MPN', priceFrom: 10 }];
    expect(ImportDefinition.parse({ supplierParts: sources }).supplierParts).toEqual(sources);
    expect(ImportDefinition.parse({}).supplierParts).toEqual([]);
  });
});

const root = { number: 'TOP' };

test('a title with a unit gives its numbers that unit, in suggestions and in definitions without it', async () => {
  const hints = [{ key: 'Mass', name: 'Mass', type: 'numeric', unit: 'kg' } as const];
  const suggest = async (text: string) =>
    (await suggestForFile(textSource(text), { properties: hints })).suggestion;
  for (const title of ['Mass (g)', 'Mass [g]', 'Mass / g', 'MASS in g']) {
    const text = `Part Number;${title};Qty\nA;412;1\nB;0,5 kg;2\n`;
    const suggestion = await suggest(text);
    expect(suggestion?.definition.properties).toEqual({
      Mass: { column: title, type: 'numeric', withUnit: true, unit: 'g' },
    });
    expect(suggestion?.warnings).toEqual([
      {
        code: 'unit_converted',
        message: `"${title}" is in g: its numbers are converted to kg, the unit of Mass.`,
      },
    ]);
    const saved = { columns: { number: 'Part Number' }, decimal: ',', root } as const;
    for (const properties of [
      suggestion?.definition.properties ?? {},
      { Mass: title },
      { Mass: { column: title, type: 'numeric', withUnit: true } },
    ] as const) {
      const { definition } = withTitleUnits({ ...saved, properties }, hints);
      const { elements } = await readText(text, definition as ImportDefinitionInput);
      expect(elements.map((element) => element.properties.Mass)).toEqual([undefined, '412 g', '0.5 kg']);
    }
  }
  // The unit of the property itself changes nothing, and factors of the definition come first.
  for (const source of ['Mass (kg)', { column: 'Mass (g)', type: 'numeric', units: { '': 0.001 } }] as const)
    expect(withTitleUnits({ properties: { Mass: source } }, hints)).toEqual({
      definition: { properties: { Mass: source } },
      notes: [],
    });
});

test('a title with a unit that does not convert is a warning and never a number', async () => {
  const hints = [{ key: 'Mass', name: 'Mass', type: 'numeric', unit: 'kg' } as const];
  const text = 'Part Number,Mass (mm),Qty\nA,412,1\n';
  const { suggestion } = await suggestForFile(textSource(text), { properties: hints });
  expect([suggestion?.definition.properties, suggestion?.unused]).toEqual([{}, ['Mass (mm)']]);
  expect(suggestion?.warnings).toMatchObject([{ code: 'unit_unfit' }]);
  // In a definition that maps it all the same the service refuses each value by its unit.
  const { definition, notes } = withTitleUnits({ properties: { Mass: 'Mass (mm)' } }, hints);
  expect(notes).toMatchObject([{ code: 'unit_unfit', message: expect.stringContaining('convert to kg') }]);
  const columns = { number: 'Part Number' };
  const { elements } = await readText(text, { columns, root, ...definition } as ImportDefinitionInput);
  expect(elements[1]?.properties).toEqual({ Mass: '412 mm' });
  // A text that is no unit, and a letter that is the symbol of a quantity, are told.
  for (const title of ['Mass (max)', 'Mass (m)']) {
    const read = withTitleUnits({ properties: { Mass: title } }, hints);
    expect(read.definition.properties).toEqual({ Mass: title });
    expect(read.notes).toMatchObject([{ code: 'unit_unknown' }]);
  }
});

test('a long title of blanks takes no longer than another one', () => {
  const hints = [{ key: 'Mass', name: 'Mass', type: 'numeric', unit: 'kg' } as const];
  for (const title of [`Mass(${' '.repeat(20_000)}x`, `Mass${' '.repeat(20_000)}(g)`, '('.repeat(20_000)])
    withTitleUnits({ properties: { Mass: title } }, hints);
  const { definition } = withTitleUnits({ properties: { Mass: `Mass  (${' '.repeat(200)}g )` } }, hints);
  expect(definition.properties.Mass).toMatchObject({ unit: 'g' });
});
