// Lists that are easily read wrongly, in the style of many tools: each is read as it is meant, or refused with what was seen.
import { describe, expect, test } from 'vitest';
import { suggestForFile, tableUnclear } from '../../clients/readers/definition/suggest-for-file.ts';
import { FileFault } from '../../clients/readers/findings.ts';
import { readText, textSource } from './read-text.ts';

const root = { number: 'B' };

/** The links, or why the file is refused; with the codes of warnings and errors. */
async function outcome(text: string): Promise<string[]> {
  const { suggestion, beginnings } = await suggestForFile(textSource(text));
  if (suggestion === null || suggestion.problems.length > 0)
    return [tableUnclear(beginnings, suggestion?.problems).code];
  try {
    const isFlat = (suggestion.definition.structure ?? 'flat') === 'flat';
    const { lines, findings } = await readText(text, {
      ...suggestion.definition,
      ...(isFlat ? { root } : {}),
    });
    const told = findings.kept.filter(({ severity }) => severity !== 'note');
    const links = lines.filter((line) => line.includes(' > '));
    return [...links.toSorted(), ...told.map(({ severity, code }) => `${severity} ${code}`)];
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return [error.code];
  }
}

const rows = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

type Case = [what: string, text: string, outcome: readonly string[]];

const identity: Case[] = [
  [
    'a counter in a column called Part',
    rows('Part,Name,Qty', '001,Plate,2', '002,Bolt,4', '003,Nut,4'),
    ['B > Bolt: 4', 'B > Nut: 4', 'B > Plate: 2'],
  ],
  [
    'a counter that begins again in each assembly (SAP)',
    rows(
      'Expl. level;Item Number;Object Description;Component number;Comp. Qty (CUn);Un',
      '.1;0010;Getriebe;GET-1;1;PC',
      '..2;0010;Welle;WEL-1;2,5;M',
      '..2;0020;Lager;LAG-1;2;PC',
      '.1;0020;Motor;MOT-1;1;PC',
    ),
    ['GET-1 > LAG-1: 2', 'GET-1 > WEL-1: 2.5'],
  ],
  [
    'an empty column of numbers, and one name of two materials (Onshape)',
    rows(
      'Item,Quantity,Part number,Name,Description,Material',
      '1,1,,Base plate,,Steel',
      '2,4,,Screw M6,,Steel',
      '3,6,,Screw M6,,Brass',
    ),
    ['B > Base plate Steel: 1', 'B > Screw M6 Brass: 6', 'B > Screw M6 Steel: 4'],
  ],
  [
    'lines without a number that differ in size',
    rows('Part Number,Name,Size,Qty', 'P-1,Plate,,1', 'P-2,Lid,,1', ',Screw,M6x20,2', ',Screw,M8x30,8'),
    ['B > P-1: 1', 'B > P-2: 1', 'B > Screw M6x20: 2', 'B > Screw M8x30: 8'],
  ],
  [
    'one standard part of two sizes that look like a counter',
    rows('Teil;Norm;Abmessung;Stk', 'Scheibe;ISO 7089;6;4', 'Scheibe;ISO 7089;8;4'),
    ['B > Scheibe 6: 4', 'B > Scheibe 8: 4'],
  ],
  [
    'one number of two manufacturers',
    rows('Designator,MPN,Manufacturer,Qty', 'U1,LM358,TI,1', 'U2,LM358,ST,1'),
    ['key_conflict'],
  ],
  [
    'one number in two revisions',
    rows('Part Number,Rev,Description,Qty', 'P-100,A,Plate,2', 'P-100,B,Plate,1'),
    ['key_conflict'],
  ],
  [
    'one number in two configurations (SOLIDWORKS)',
    rows('Part Number,Configuration,Qty', 'P-100,Default,2', 'P-100,Long,1'),
    ['key_conflict'],
  ],
  [
    'two parts with one GUID',
    rows(
      'GUID,Part Number,Qty',
      'de300000-0000-4000-8000-000000000001,P-1,2',
      'de300000-0000-4000-8000-000000000001,P-2,2',
    ),
    ['guid_conflict'],
  ],
  [
    'a word that stands in place of numbers and is not known',
    rows('Part Number,Description,Qty', 'BUY,Bolt M6,4', 'BUY,Nut M6,4', 'P-100,Plate,1'),
    ['key_conflict'],
  ],
  [
    'capacitors of two voltages',
    rows('Reference,Value,Footprint,Voltage,Qty', 'C1,100n,0603,16V,1', 'C2,100n,0603,50V,1'),
    ['B > 100n 0603 16V: 1', 'B > 100n 0603 50V: 1'],
  ],
];

const structure: Case[] = [
  [
    'indices that begin with a letter',
    rows('Find No,Part Number,Qty', 'A,P-1,1', 'A.1,P-2,2', 'A.2,P-3,3'),
    ['P-1 > P-2: 2', 'P-1 > P-3: 3'],
  ],
  [
    'indices with hyphens',
    rows('Pos,Part Number,Qty', '1,P-1,1', '1-1,P-2,2', '1-2,P-3,3'),
    ['P-1 > P-2: 2', 'P-1 > P-3: 3'],
  ],
  [
    'indices with slashes',
    rows('Pos,Part Number,Qty', '1,P-1,1', '1/1,P-2,2', '1/2,P-3,3'),
    ['P-1 > P-2: 2', 'P-1 > P-3: 3'],
  ],
  [
    'indices whose topmost lines end in .0',
    rows('Item,Part Number,Qty', '1.0,P-1,1', '1.1,P-2,2', '2.0,P-4,1', '2.1,P-5,1'),
    ['P-1 > P-2: 2', 'P-4 > P-5: 1'],
  ],
  [
    'a tree that is drawn',
    rows('Name,Qty', 'Machine,1', '├─ Frame,2', '│  └─ Bolt,4', '└─ Motor,1'),
    ['Frame > Bolt: 4', 'Machine > Frame: 2', 'Machine > Motor: 1'],
  ],
  [
    'paths',
    rows('Path,Part Number,Qty', '/A-1,A-1,1', '/A-1/P-1,P-1,2', '/A-1/P-1/P-2,P-2,3'),
    ['A-1 > P-1: 2', 'P-1 > P-2: 3'],
  ],
  [
    'paths with backslashes under another title',
    rows('Where,Part Number,Qty', 'A-1,A-1,1', 'A-1\\P-1,P-1,2', 'A-1\\P-1\\P-2,P-2,3'),
    ['A-1 > P-1: 2', 'P-1 > P-2: 3'],
  ],
  [
    'the id of the line of the parent',
    rows('ID,Parent ID,Part Number,Qty', '10,,A-1,1', '11,10,P-1,2', '12,10,P-2,4', '13,11,P-3,1'),
    ['A-1 > P-1: 2', 'A-1 > P-2: 4', 'P-1 > P-3: 1'],
  ],
  [
    'the id of the line of an assembly that stands there twice',
    rows(
      'ID,Parent ID,Part Number,Qty',
      '10,,A-1,1',
      '11,10,P-1,2',
      '12,11,P-3,1',
      '20,,B-1,1',
      '21,20,P-1,5',
      '22,21,P-3,1',
    ),
    ['A-1 > P-1: 2', 'B-1 > P-1: 5', 'P-1 > P-3: 1'],
  ],
  [
    'the id of the line of an assembly that stands there twice with different children',
    rows(
      'ID,Parent ID,Part Number,Qty',
      '10,,A-1,1',
      '11,10,P-1,2',
      '12,11,P-3,1',
      '13,10,P-1,1',
      '14,13,P-4,1',
    ),
    ['assembly_differs'],
  ],
  [
    'the id of a line further down',
    rows('ID,Parent ID,Part Number,Qty', '12,11,P-3,1', '11,10,P-1,2', '10,,A-1,1'),
    ['structure_unclear'],
  ],
  [
    'paths of the parents, by their names',
    rows(
      'Path,Part Number,Description,Qty',
      ',A-1,Frame,1',
      'Frame,P-1,Leg,2',
      'Frame/Leg,P-2,Foot,3',
      'Frame,P-4,Plate,1',
    ),
    ['A-1 > P-1: 2', 'A-1 > P-4: 1', 'P-1 > P-2: 3'],
  ],
  [
    'paths in a column of parents',
    rows('Parent,Part Number,Qty', ',A,1', 'A,B,2', 'A/B,C,3'),
    ['A > B: 2', 'B > C: 3'],
  ],
  [
    'paths through something that is no line',
    rows('Path,Part Number,Qty', '/X/A-1,A-1,1', '/X/A-1/P-1,P-1,2', '/X/A-1/P-1/P-2,P-2,3'),
    ['structure_unclear'],
  ],
  [
    'parents in a column that is called otherwise',
    rows('Part Number,Goes into,Qty', 'A-1,,1', 'P-1,A-1,2', 'P-2,P-1,4'),
    ['structure_unclear'],
  ],
  [
    'the next assembly, and a quantity by its abbreviation',
    rows('P/N,NHA,QPA', 'A-1,,', 'P-1,A-1,2', 'P-2,P-1,4'),
    ['A-1 > P-1: 2', 'P-1 > P-2: 4'],
  ],
  [
    'parents in the first line of each only (ERPNext)',
    rows(
      'ID,Item,Quantity,Item Code (Items),Item Name (Items),Qty (Items),UOM (Items)',
      'BOM-PUMP-001,PUMP,1,CASE,Case,1,Nos',
      ',,,SEAL,Seal,2,Nos',
      'BOM-CASE-001,CASE,1,PLATE,Plate,4,Nos',
    ),
    ['CASE > PLATE: 4', 'PUMP > CASE: 1', 'PUMP > SEAL: 2'],
  ],
  ['a level that is left out', rows('Level,Part Number,Qty', '0,A,1', '2,B,1'), ['level_jump']],
  ['levels in letters', rows('Level,Part Number,Qty', 'A,P-1,1', 'B,P-2,2'), ['structure_unclear']],
  [
    'a table on its side',
    rows('Part Number,A-1,A-2', 'Description,Plate,Bolt', 'Qty,2,4'),
    ['table_unclear'],
  ],
  ['a header in two rows', rows('Part,,Qty', 'Number,Name,each', 'A-1,Plate,2'), ['table_unclear']],
];

const quantities: Case[] = [
  [
    'sums, ranges and estimates in a column of quantities',
    rows('Part Number,Qty', 'A-1,2+1', 'A-2,2-3', 'A-3,~2', 'A-4,2 (1 spare)', 'A-5,ca. 4', 'A-6,2x3'),
    Array.from({ length: 6 }, () => 'error quantity_unreadable'),
  ],
  [
    'a fraction that a spreadsheet has made a date',
    rows('Part Number,Qty', 'A-1,02-Jan', 'A-2,3', 'A-3,4'),
    ['B > A-2: 3', 'B > A-3: 4', 'error quantity_unreadable'],
  ],
  ['areas', rows('Part Number,Qty', 'A-1,2.5 m²', 'A-2,3 m2'), ['B > A-1: 2.5', 'B > A-2: 3']],
  [
    'one part with two units in one assembly',
    rows('Part Number,Qty', 'A-1,2 m', 'A-1,500 mm'),
    ['B > A-1: 2', 'B > A-1: 500', 'error units_differ'],
  ],
  [
    'a subtotal that is called after its group, and remarks below',
    rows(
      'Part Number,Description,Qty',
      'A-1,Screw,2',
      'Subtotal screws,,2',
      'A-2,Nut,3',
      ',Total:,5',
      'Date: 2026-05-01,,',
    ),
    ['B > A-1: 2', 'B > A-2: 3'],
  ],
  [
    'a comma within a text that has no quotes',
    rows('Part Number,Description,Qty', 'A-1,Bolt,2', 'A-2,Bracket, steel,2', 'A-3,Nut,4'),
    ['B > A-1: 2', 'B > A-3: 4', 'error cells_shifted'],
  ],
  [
    'commas within the texts of all lines',
    rows('Part Number,Description,Qty', 'A-1,Bracket, steel,2', 'A-2,Bolt, zinc,4'),
    ['warning cells_untitled', 'error quantity_unreadable', 'error quantity_unreadable'],
  ],
  [
    'a column called Not assembled',
    rows('Designator;Part Number;Qty;Not assembled', 'R1;A-1;1;', 'R2;A-2;1;x'),
    ['B > A-1: 1'],
  ],
];

describe.each([
  ['identity', identity],
  ['structure', structure],
  ['quantities', quantities],
] as const)('%s', (_, cases) => {
  test.each(cases)('%s', async (_what, text, expected) => {
    expect(await outcome(text)).toEqual(expected);
  });
});

test('lines of one part that differ in a column of no known meaning are pointed out', async () => {
  const text = rows('Part Number,Coating type,Qty', 'P-1,zinc,2', 'P-1,nickel,1', 'P-2,none,1');
  const { suggestion } = await suggestForFile(textSource(text));
  expect(suggestion?.warnings).toEqual([
    { code: 'lines_differ', message: expect.stringContaining('differ in Coating type') },
  ]);
});

test('lines of one part that differ there far below the first rows are pointed out while the file is read', async () => {
  const many = Array.from({ length: 300 }, (_, at) => `P-${at},zinc,N/A,1`);
  const text = rows('Part Number,Coating type,Remark 2,Qty', ...many, 'P-7,nickel,,2', 'P-8,none,late,2');
  const { suggestion } = await suggestForFile(textSource(text));
  expect(suggestion?.warnings).toEqual([]);
  const { findings } = await readText(text, suggestion?.definition);
  expect(findings.kept.filter(({ severity }) => severity === 'warning')).toEqual([
    expect.objectContaining({
      code: 'lines_differ',
      message: expect.stringMatching(/differ in "Coating type", such as "P-7" here and at line 9/),
      place: { line: 302 },
    }),
  ]);
  // A column that is gone is not demanded.
  const without = text.replaceAll(/^([^,]*),[^,]*,/gm, '$1,');
  expect((await readText(without, suggestion?.definition)).findings.errors).toBe(0);
});

test('numbers that differ only in case are two parts, and are pointed out', async () => {
  const text = rows('Part Number,Qty', 'AB-1,2', 'ab-1,3', 'Ab-1,1', 'AB-2,1', 'AB-1,1');
  const { suggestion } = await suggestForFile(textSource(text));
  const { findings, elements } = await readText(text, suggestion?.definition);
  expect(new Set(elements.map(({ guid }) => guid)).size).toBe(4);
  const warned = findings.kept.filter(({ code }) => code === 'case_differs');
  expect(warned.map(({ message }) => message)).toEqual([
    '"ab-1" and "AB-1" differ only in upper and lower case: they are read as two parts.',
    '"Ab-1" and "AB-1" differ only in upper and lower case: they are read as two parts.',
  ]);
});

const component = (reference: string, value: string, fields: Readonly<Record<string, string>> = {}) =>
  `<comp ref="${reference}"><value>${value}</value><footprint>R:R_0603</footprint><fields>${Object.entries(
    fields,
  )
    .map(([name, text]) => `<field name="${name}">${text}</field>`)
    .join('')}</fields></comp>`;
const netlist = (...components: readonly string[]) =>
  `<export version="E"><components>${components.join('\n')}</components></export>`;
const GUID = 'de300000-0000-4000-8000-0000000000aa';

test('values of components that differ only in case are two parts, and are pointed out', async () => {
  const text = netlist(component('R1', '10k'), component('R2', '10K'), component('R3', '10k'));
  const { findings, elements } = await readText(text, { root });
  expect(elements.flatMap(({ quantity }) => quantity ?? []).toSorted()).toEqual([1, 2]);
  expect(findings.kept.filter(({ code }) => code === 'case_differs')).toHaveLength(1);
});

const boards: Case[] = [
  ...['Part Number', 'MPN1', 'Manufacturer', 'Voltage', 'Tolerance', 'Digi-Key_PN', 'LCSC'].map(
    (name): Case => [
      `components that differ in ${name}`,
      netlist(component('R1', '10k', { [name]: 'A1' }), component('R2', '10k', { [name]: 'B2' })),
      ['B > 10k R_0603 A1: 1', 'B > 10k R_0603 B2: 1', 'warning kept_apart'],
    ],
  ),
  [
    'a symbol that was copied with its number and given another value',
    netlist(component('R1', '10k', { IPN: 'RES-10K' }), component('R2', '22k', { IPN: 'RES-10K' })),
    ['B > RES-10K: 1', 'error value_differs'],
  ],
  [
    'one GUID with two numbers',
    netlist(component('R1', '10k', { IPN: 'A', GUID }), component('R2', '10k', { IPN: 'C', GUID })),
    ['key_conflict'],
  ],
  [
    'a field GUID of another tool',
    netlist(component('R1', '10k', { GUID: 'xyz' })),
    ['B > 10k R_0603: 1', 'warning guid_invalid'],
  ],
  [
    'a field with another quantity',
    netlist(component('H1', 'Screw', { Qty: '4' })),
    ['B > Screw R_0603: 1', 'warning field_quantity'],
  ],
  ['a component without a value', netlist(component('H1', '~')), ['error key_missing']],
  [
    'words of several boards for what is not fitted',
    netlist(
      component('R1', '10k'),
      component('R2', '10k', { Bestückung: 'nein' }),
      component('R3', '10k', { NoBOM: '1' }),
      component('R4', '10k', { BOM: 'no' }),
      component('R5', '10k', { Installed: 'NU' }),
      component('R6', '10k', { DNP: '0' }),
    ),
    ['B > 10k R_0603: 2'],
  ],
];

test.each(boards)('a netlist with %s', async (_, text, expected) => {
  expect((await outcome(text)).toSorted()).toEqual(expected.toSorted());
});

/** A STEP file of an assembly with one product in it, and how much of it. */
const quantified = (measure: string, unit = '') =>
  rows(
    'ISO-10303-21;',
    'HEADER;',
    "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));",
    'ENDSEC;',
    'DATA;',
    "#10=PRODUCT('B','Frame','',());",
    "#11=PRODUCT_DEFINITION_FORMATION('','',#10);",
    "#12=PRODUCT_DEFINITION('','',#11,$);",
    "#20=PRODUCT('P-1','Profile','',());",
    "#21=PRODUCT_DEFINITION_FORMATION('','',#20);",
    "#22=PRODUCT_DEFINITION('','',#21,$);",
    "#30=(ASSEMBLY_COMPONENT_USAGE($)NEXT_ASSEMBLY_USAGE_OCCURRENCE()PRODUCT_DEFINITION_RELATIONSHIP('1','','',#12,#22)PRODUCT_DEFINITION_USAGE()QUANTIFIED_ASSEMBLY_COMPONENT_USAGE(#40));",
    `#40=MEASURE_WITH_UNIT(${measure},#41);`,
    unit,
    'ENDSEC;',
    'END-ISO-10303-21;',
  );

test.each([
  ['LENGTH_MEASURE(1250.)', '#41=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));', 1250, 'mm'],
  ['MASS_MEASURE(0.5)', '#41=(MASS_UNIT()NAMED_UNIT(*)SI_UNIT(.KILO.,.GRAM.));', 0.5, 'kg'],
  ['LENGTH_MEASURE(10.)', "#41=(CONVERSION_BASED_UNIT('INCH',#42)LENGTH_UNIT()NAMED_UNIT(#43));", 10, 'inch'],
  ['COUNT_MEASURE(4.)', '', 4, undefined],
])('a quantity of a STEP file that is no count keeps its unit: %s', async (measure, unit, quantity, sign) => {
  const { elements } = await readText(quantified(measure, unit), { root });
  const link = elements.find(({ parentGuid }) => parentGuid !== null);
  expect([link?.quantity, link?.unit]).toEqual([quantity, sign]);
});

test('a quantity of a STEP file whose unit is not known is refused', async () => {
  const { lines, findings } = await readText(quantified('AREA_MEASURE(3.)'), { root });
  expect(lines.filter((line) => line.includes('>'))).toEqual([]);
  expect(findings.counts).toEqual({ quantity_unit: 1 });
});

test.each(['PartBody', 'PRT0001', 'model1', 'Part 1 (1)', 'Pad', 'Body001', 'SOLID'])(
  'a product that a CAD system has called %s is named within its file',
  async (name) => {
    const text = quantified('COUNT_MEASURE(1.)').replace("'P-1','Profile'", `'${name}','${name}'`);
    const { lines } = await readText(text, { root });
    expect(lines).toContain(`B > file ${name}: 1`);
  },
);
