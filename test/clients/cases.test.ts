// The cases that people reported: each small file of ../shared/cases is read as its right answer says.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportDefinitionInput } from '../../clients/readers/definition/import-definition.schema.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { countedNotes } from '../../clients/readers/findings.ts';
import { fileSource } from '../../clients/readers/node-file.ts';
import { projectFolder } from './project-folder.ts';
import { readFrom } from './read-text.ts';

const cases = [join(projectFolder, '../shared/cases'), join(projectFolder, '../../shared/cases')].find(
  existsSync,
);

const root = { number: 'B' };

async function read(file: string, more: ImportDefinitionInput = { root }) {
  const source = fileSource(join(cases ?? '', file));
  const { suggestion } = await suggestForFile(source);
  expect(suggestion?.problems).toEqual([]);
  const result = await readFrom(source, { ...suggestion?.definition, ...more });
  const notes = countedNotes(result.findings).map(({ text }) => text);
  return { ...result, notes, suggestion };
}

/** Lines of one part under one parent, added up as a sync does. */
function added(lines: readonly string[]): string[] {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const [, link, quantity] = /^(.* > .*): ([\d.]+)$/.exec(line) ?? [];
    if (link !== undefined) sums.set(link, (sums.get(link) ?? 0) + Number(quantity));
  }
  return [...sums].map(([link, quantity]) => `${link}: ${quantity}`).toSorted();
}

/** File, links, codes of what was left out or warned of. */
const answers: [file: string, links: string[], codes?: Record<string, number>][] = [
  [
    'boms/as-required-and-fractions.tsv',
    ['10-001 > 0012: 2.5', '10-001 > 1E10: 4', 'B > 10-001: 1', 'B > 10-002: 0.5'],
    { as_required: 1 },
  ],
  ['boms/names-without-numbers.csv', ['B > ARM-1: 2', 'B > Base: 1'], { name_as_key: 1 }],
  ['boms/parent-child-columns.csv', ['B > TOP: 1', 'SUB > P1: 3', 'TOP > P1: 1', 'TOP > SUB: 2']],
  [
    'boms/per-designator-unnamed-columns.csv',
    [
      'B > GRM1555C1H330JA01D: 2',
      'B > GRM155R71C103KA01D: 1',
      'B > PPPC082LFBN-RC: 1',
      'B > PPPC132LFBN-RC: 1',
    ],
    { not_fitted: 2 },
  ],
  [
    'boms/placeholder-numbers.csv',
    [
      'B > CSM-0001: 1',
      'B > FDM-0001: 1',
      'B > GT2 Pulleys: 4',
      'B > ISO4032 Nut M5: 38',
      'B > V-Slot Rollers: 9',
    ],
    { name_as_key: 3, total_row: 1, no_key: 1 },
  ],
  ['boms/same-name-no-number.csv', ['B > PRT-001: 1', 'B > Screw: 8'], { name_as_key: 1, lines_added: 1 }],
  [
    'files/din-sachnummer-norm/b0-din.csv',
    ['B > HA-100: 1', 'B > ISO 4762 - M6x20: 2', 'B > ISO 4762 - M8x30: 8'],
  ],
  [
    'files/excel-text-guard/50-sci.csv',
    ['B > 00123: 4', 'B > 00456: 1', 'B > 00789: 2', 'B > 1.23E+12: 1', 'B > 1E10: 2'],
    { number_as_text: 1 },
  ],
  ['files/excel-text-guard/d5-formula-guard.csv', ['B > -5V-REG: 2']],
  [
    'files/freecad-assembly-index/15-freecad.csv',
    ['Arm > Bolt: 3', 'Arm > Nut: 3', 'B > Arm: 2', 'B > Base: 1'],
  ],
  ['files/french-reference/89-fr.csv', ['B > SUP-100: 2', 'B > VIS-M6: 8']],
  ['files/indent-in-name/62-indent-name.csv', ['B > T-1: 1', 'T-1 > T-2: 2', 'T-1 > T-4: 1', 'T-2 > T-3: 3']],
  ['files/indent-in-name/14-indent-desc.xlsx', ['B > T: 1', 'S > L: 3', 'T > S2: 1', 'T > S: 2']],
  [
    'files/kibom-component-column/d0-kibom.csv',
    ['B > 100nF C_0805: 3', 'B > 1k R_0805: 2', 'B > Buzzer Buzzer_12x9.5: 1'],
    { not_fitted: 1 },
  ],
  ['files/kibom-component-column/d1-kibom-other.csv', ['B > 16MHz XTAL: 1']],
  [
    'files/level-in-columns/63-indentcols.csv',
    ['B > T-1: 1', 'T-1 > T-2: 2', 'T-1 > T-4: 1', 'T-2 > T-3: 3'],
  ],
  ['files/notfitted-csv/03-kicad9-ex.csv', ['B > 100n C_0603: 2', 'B > 1k R_0603: 1'], { not_fitted: 1 }],
  ['files/notfitted-csv/05-altium-fitted.csv', ['B > RC0603FR-0710KL: 2'], { not_fitted: 1 }],
  ['files/notfitted-csv/53-dnp-words.csv', ['B > A-1: 1'], { not_fitted: 1 }],
  ['files/notfitted-csv/54-dnl.csv', ['B > A-1: 1'], { not_fitted: 1 }],
  ['files/notfitted-csv/55-placed.csv', ['B > A-1: 1'], { not_fitted: 1 }],
  ['files/notfitted-csv/56-qtydnp.csv', ['B > A-1: 1'], { not_fitted: 3 }],
  ['files/notfitted-csv/57-bestueckt.csv', ['B > A-1: 1'], { not_fitted: 1 }],
  ['files/notfitted-csv/80-kicli.csv', ['B > 100n C_0603: 3'], { not_fitted: 1 }],
  ['files/parents-not-lines/a3-where.csv', ['A-1 > P-1: 4', 'A-1 > P-2: 8'], { parent_created: 1 }],
  [
    'files/ranges-without-quantity/52-refs-noqty.csv',
    [
      'B > A-1: 5',
      'B > A-2: 10',
      'B > A-3: 3',
      'B > A-4: 3',
      'B > A-5: 3',
      'B > A-6: 2',
      'B > A-7: 2',
      'B > A-8: 2',
      'B > A-9: 2',
    ],
  ],
  ['files/thousands-english/30-thousand-en.csv', ['B > A-1: 2', 'B > A-2: 1000', 'B > A-3: 2500']],
  ['files/thousands-english/32-mixed.csv', ['B > A-1: 2', 'B > A-2: 1000']],
  ['files/units-dropped/11-inventor.csv', ['B > IV-1: 1', 'B > IV-2: 4', 'B > IV-3: 1250'], { excluded: 2 }],
  ['files/units-dropped/12-inventor-mm.csv', ['B > IV-1: 1', 'B > IV-3: 3750']],
  ['files/xlsx-empty-shared-string/19-empty-shared.xlsx', ['B > P-1: 2', 'B > P-2: 1'], { no_key: 1 }],
  [
    'files/netlist-mpn-merged/in.xml',
    [
      'B > 10k R_0603 ERA-3AEB103V: 1',
      'B > 10k R_0603 RC0603FR-0710KL: 1',
      'B > MountingHole MH: 1',
      'B > TestPoint TP_1mm: 1',
    ],
    { kept_apart: 1, not_fitted: 7 },
  ],
  ['files/step-unnamed-root/unsaved.stp', ['B > Clip: 2'], { name_made: 1 }],
];

describe.skipIf(cases === undefined)('reported files (skipped where they are not there)', () => {
  test.each(answers)('%s', async (file, links, codes = {}) => {
    const { lines, findings } = await read(file);
    expect(added(lines)).toEqual(links.toSorted());
    expect(findings.counts).toEqual(codes);
    expect(findings.errors).toBe(0);
  });

  test('a unit in a quantity stays with it', async () => {
    for (const [file, quantity] of [
      ['11-inventor.csv', 1250],
      ['12-inventor-mm.csv', 3750],
    ] as const) {
      const { elements } = await read(`files/units-dropped/${file}`);
      expect(elements.find(({ number }) => number === 'IV-3')).toMatchObject({ quantity, unit: 'mm' });
    }
  });

  test('quantities of topmost lines that are in nothing are said to be lost', async () => {
    const { notes, lines } = await read('boms/item-numbers-no-root.csv', {});
    expect(lines).toEqual(['BRKT-100', 'BRKT-100 > SCR-4: 8', 'BRKT-200', 'BRKT-200 > SCR-4: 4']);
    expect(notes).toEqual([expect.stringContaining('BRKT-100 × 2, BRKT-200 × 1')]);
  });

  test('a parent without a line of its own has its name', async () => {
    const { elements } = await read('files/parents-not-lines/a3-where.csv', {});
    expect(elements.find(({ number }) => number === 'A-1')).toMatchObject({
      name: 'Frame',
      categoryKey: 'assembly',
    });
  });

  test('two columns of one title are told apart', async () => {
    const { suggestion } = await read('boms/placeholder-numbers.csv');
    expect(suggestion?.unused).toEqual(expect.arrayContaining(['Link', 'Link (2)']));
  });

  test('a second sheet that looks like a list is named', async () => {
    const { suggestion, lines } = await read('files/xlsx-second-bom-sheet/10-two-boms.xlsx');
    expect(lines).toEqual(['B', 'B > M-1: 2']);
    expect(suggestion?.warnings).toEqual([
      { code: 'other_sheet', message: expect.stringContaining('"Elec"') },
    ]);
  });

  test('a component has the GUID and number that the library gave it, and nothing of its stock', async () => {
    const { elements } = await read('files/kicad-roundtrip-guid/in.xml');
    expect(elements[1]).toMatchObject({ guid: 'de300000-0000-4000-8000-000000000002', number: 'HL-110' });
    const stock = await read('files/kicad-roundtrip-guid/stock.xml');
    expect(stock.elements[1]).toMatchObject({
      guid: 'de300000-0000-4000-8000-0000000000aa',
      number: 'RES-10K',
      properties: { MPN: 'RC0603', Value: '10k', Footprint: 'R:R_0603' },
    });
    expect(Object.keys(stock.elements[1]?.properties ?? {}).toSorted()).toEqual([
      'Footprint',
      'MPN',
      'Value',
    ]);
  });

  test('names in an encoding that is not named are refused, and read with it', async () => {
    const file = 'files/step-gbk/gbk.stp';
    await expect(read(file)).rejects.toMatchObject({ code: 'encoding_unknown' });
    expect((await read(file, { encoding: 'gbk' })).lines).toEqual(['Assy', 'Assy > 海绵2: 1']);
  });

  test.each(['empty.stp', 'geomonly.stp'])('a STEP file without products says so: %s', async (file) => {
    await expect(read(`files/step-nothing-in-it/${file}`)).rejects.toMatchObject({ code: 'no_products' });
  });

  test('products that a translator named are of their file alone', async () => {
    const guids = async (file: string) =>
      (await read(`files/step-translator-default-ids/${file}`, {})).elements.map(({ guid }) => guid);
    const first = await guids('occ-first.stp');
    const second = await guids('occ-second.stp');
    expect(first.filter((guid) => second.includes(guid))).toEqual([]);
  });

  test('an assembly without a name is called after its file, or as the root says', async () => {
    expect((await read('files/step-unnamed-root/unsaved.stp', {})).lines).toEqual([
      'unsaved',
      'unsaved > Clip: 2',
    ]);
    const unnamed = await read('files/step-unnamed-root/freecad-unnamed.stp', {});
    expect(unnamed.elements[0]?.number).toBe('freecad-unnamed');
  });
});
