// Files to elements: what real files hold comes out of them, and what cannot be read is named with its place.

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportDefinitionInput } from '../../clients/readers/definition/import-definition.schema.ts';
import { suggestDefinition } from '../../clients/readers/definition/suggest-definition.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { detectFormat } from '../../clients/readers/detect-format.ts';
import { fileSource } from '../../clients/readers/node-file.ts';
import { stepString } from '../../clients/readers/step/step-string.ts';
import { workbookParts, writeZip } from '../setup/write-zip.ts';
import { projectFolder } from './project-folder.ts';
import { readFrom, readText } from './read-text.ts';

const samples = [
  join(projectFolder, '../shared/data/boms'),
  join(projectFolder, '../../shared/data/boms'),
].find(existsSync);
const root = { number: 'TOP' };

/** File, what it is, the definition beside the suggestion, parts, links, uses. Where lines hang under a root it is counted. */
const realFiles: [
  file: string,
  format: string,
  definition: ImportDefinitionInput,
  totals: [number, number, number],
][] = [
  ['as1-oc-214.stp', 'step', {}, [9, 9, 13]],
  ['as1-oc-214.ap242-bom.xml', 'stpx', {}, [9, 9, 13]],
  ['kicad-can-balancer.xml', 'netlist', { root }, [41, 40, 254]],
  ['kicad-variants.xml', 'netlist', { root }, [5, 4, 4]],
  ['bom-decimal.csv', 'csv', { root }, [2, 1, 1]],
  ['kitspace-example3.csv', 'csv', { root }, [29, 28, 53]],
  ['kitspace-example4.tsv', 'csv', { root }, [29, 28, 53]],
  ['kitspace-example.xlsx', 'xlsx', { root }, [12, 11, 14]],
  ['odri-foot-contact-switch.xlsx', 'xlsx', { root }, [14, 13, 20]],
  ['osr-control-board-grouped.csv', 'csv', { root }, [25, 24, 88]],
  ['synthetic/hard.stp', 'step', {}, [5, 4, 8]],
  ['synthetic/pdm-export.xml', 'pdm', {}, [4, 4, 7]],
  ['synthetic/stueckliste-cp1252.csv', 'csv', {}, [5, 3, 9.5]],
];

describe.skipIf(samples === undefined)('real files (skipped where they are not there)', () => {
  test.each(realFiles)('%s is read as %s', async (file, format, definition, totals) => {
    const source = fileSource(join(samples ?? '', file));
    const { suggestion, format: detected } = await suggestForFile(source);
    expect(detected).toBe(format);
    const { elements, findings } = await readFrom(source, { ...suggestion?.definition, ...definition });
    const links = elements.filter(({ parentGuid }) => parentGuid !== null);
    const parts = new Set(elements.map(({ guid }) => guid)).size;
    const uses = links.reduce((sum, { quantity = 0 }) => sum + quantity, 0);
    expect([parts, links.length, uses]).toEqual(totals);
    expect(findings.errors).toBe(0);
    const withChildren = new Set(links.map(({ parentGuid }) => parentGuid));
    for (const { guid, categoryKey } of elements)
      expect(categoryKey).toBe(withChildren.has(guid) ? 'assembly' : 'part');
  });

  test('where the workspace has no category for assemblies they are parts', async () => {
    const source = fileSource(join(samples ?? '', 'as1-oc-214.stp'));
    const { suggestion } = await suggestForFile(source, { categories: ['part', 'board'] });
    const { elements } = await readFrom(source, suggestion?.definition ?? {});
    expect(new Set(elements.map(({ categoryKey }) => categoryKey))).toEqual(new Set(['part']));
  });

  test('a shared nut is in two assemblies, and repeated sub-assemblies add nothing', async () => {
    const step = await readFrom(fileSource(join(samples ?? '', 'as1-oc-214.stp')), {});
    expect(step.lines).toEqual(
      expect.arrayContaining([
        'rod-assembly > nut: 2',
        'nut-bolt-assembly > nut: 1',
        'as1 > l-bracket-assembly: 2',
        'l-bracket-assembly > nut-bolt-assembly: 3',
      ]),
    );
    const pdm = await readFrom(fileSource(join(samples ?? '', 'synthetic/pdm-export.xml')), {});
    expect(pdm.lines).toContain('SUB-1 > K00693: 3');
  });
});

describe('workbooks', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'partbook-workbooks-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const definition: ImportDefinitionInput = { columns: { number: 'No', quantity: 'Qty' }, root };
  const write = async (...args: Parameters<typeof workbookParts>) => {
    const path = join(folder, `${createHash('sha1').update(JSON.stringify(args)).digest('hex')}.xlsx`);
    await writeZip(path, workbookParts(...args));
    return fileSource(path);
  };
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

  test('an OpenDocument spreadsheet: repeated cells, numbers with units, notes, hidden sheets and rows', async () => {
    const cell = (words: string, attributes = '') =>
      `<table:table-cell ${attributes}><text:p>${words}</text:p></table:table-cell>`;
    const row = (cells: string, attributes = '') =>
      `<table:table-row ${attributes}>${cells}</table:table-row>`;
    const number = (value: number) => `office:value-type="float" office:value="${value}"`;
    const content = `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s">
<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>
<table:table table:name="Notes" table:style-name="ta1">${row(cell('Part No') + cell('Qty'))}${row(cell('X-1') + cell('1'))}</table:table>
<table:table table:name="List">
${row(cell('Gearbox'))}
${row(cell('Part No') + cell('Name') + cell('Qty'))}
${row(cell('A-1') + cell('Cap<text:s text:c="2"/>red') + cell('2', number(2)))}
${row(`<table:table-cell><office:annotation><text:p>no part</text:p></office:annotation><text:p>A-2</text:p></table:table-cell>${cell('Lid')}${cell('1,250', number(1250))}`)}
${row(cell('A-3') + cell('Nut') + cell('3 m'), 'table:visibility="collapse"')}
${row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048570"')}
</table:table></office:document-content>`;
    const path = join(folder, 'list.ods');
    await writeZip(path, [
      { name: 'mimetype', text: 'application/vnd.oasis.opendocument.spreadsheet' },
      { name: 'content.xml', text: content },
    ]);
    const source = fileSource(path);
    const { format, suggestion } = await suggestForFile(source);
    expect([format, suggestion?.definition]).toMatchObject([
      'ods',
      { sheet: 'List', columns: { number: 'Part No', name: 'Name', quantity: 'Qty' } },
    ]);
    const { lines, elements, findings } = await readFrom(source, { ...suggestion?.definition, root });
    expect(lines).toEqual(['TOP', 'TOP > A-1: 2', 'TOP > A-2: 1250', 'TOP > A-3: 3']);
    expect([elements[1]?.name, elements[3]?.unit]).toEqual(['Cap  red', 'm']);
    expect(findings.counts).toEqual({ hidden_rows: 1 });
  });

  test('rows and cells without their places, rich text, prefixes, hidden and empty sheets', async () => {
    const file = await write(
      [
        {
          name: 'Hidden',
          state: 'hidden',
          rows: `<row>${text('No')}${text('Qty')}</row><row>${text('X')}<c><v>1</v></c></row>`,
        },
        { name: 'Empty', rows: '' },
        {
          name: 'BOM',
          rows: `<row>${text('No')}${text('Qty')}</row><row><c t="s"><v>0</v></c><c><v>2</v></c></row><x:row xmlns:x="urn:x"><x:c t="str"><x:v>B_x0041_</x:v></x:c><x:c><x:v>3</x:v></x:c></x:row>`,
        },
      ],
      '<si><r><t>A</t></r><r><t>-1</t></r><rPh><t>no</t></rPh></si>',
    );
    expect((await readFrom(file, definition)).lines).toEqual(['TOP', 'TOP > A-1: 2', 'TOP > BA: 3']);
    expect((await readFrom(file, { ...definition, sheet: 'Hidden' })).lines).toEqual(['TOP', 'TOP > X: 1']);
    await expect(readFrom(file, { ...definition, sheet: 'None' })).rejects.toMatchObject({
      code: 'sheet_missing',
    });
  });

  test('numbers where texts belong are as they are shown, with a warning; failed formulas are named', async () => {
    const file = await write(
      [
        {
          name: 'B',
          rows: `<row r="1">${text('No')}${text('Qty')}</row><row r="4"><c r="A4" s="1"><v>42</v></c><c r="B4"><v>2</v></c></row><row r="5"><c r="A5"><v>1.1000000000000001</v></c><c r="B5" t="e"><v>#REF!</v></c></row>`,
        },
      ],
      '',
      '<numFmts count="1"><numFmt numFmtId="164" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>',
    );
    const { lines, findings } = await readFrom(file, definition);
    expect(lines).toEqual(['TOP', 'TOP > 00042: 2']);
    expect(findings.kept.map(({ code, place }) => [code, place])).toEqual([
      ['number_as_text', { sheet: 'B', cell: 'A4' }],
      ['cell_error', { sheet: 'B', cell: 'B5' }],
      ['quantity_unreadable', { sheet: 'B', cell: 'B5' }],
    ]);
  });

  test('an indentation by the alignment of cells is one as by blanks', async () => {
    const line = (at: number, style: number, number: string, quantity: number) =>
      `<row r="${at}"><c r="A${at}" s="${style}" t="inlineStr"><is><t>${number}</t></is></c><c r="B${at}"><v>${quantity}</v></c></row>`;
    const file = await write(
      [
        {
          name: 'B',
          rows: `<row r="1">${text('No')}${text('Qty')}</row>${line(2, 0, 'A', 1)}${line(3, 1, 'B', 2)}${line(4, 2, 'C', 3)}${line(5, 1, 'D', 4)}`,
        },
      ],
      '',
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="0"><alignment horizontal="left" indent="1"/></xf><xf numFmtId="0"><alignment indent="2"/></xf></cellXfs>',
    );
    const { lines } = await readFrom(file, {
      columns: { number: 'No', level: 'No', quantity: 'Qty' },
      structure: 'indented',
    });
    expect(lines).toEqual(['A', 'A > B: 2', 'B > C: 3', 'A > D: 4']);
  });

  test('what is damaged, protected, old or something else says so', async () => {
    const file = await write([{ name: 'B', rows: `<row>${text('No')}</row>` }]);
    const bytes = await Array.fromAsync(file.read());
    const whole = Buffer.concat(bytes);
    await expect(readText(whole.subarray(0, whole.length - 30), definition)).rejects.toMatchObject({
      code: 'not_zip',
    });
    await expect(
      readText(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0), definition),
    ).rejects.toMatchObject({ code: 'old_workbook' });
    await expect(readText('<other/>', definition)).rejects.toMatchObject({ code: 'xml_unknown' });
    await expect(readText('', definition)).rejects.toMatchObject({ code: 'file_empty' });
  });

  test('a STEP file may come packed', async () => {
    const path = join(folder, 'x.stpZ');
    await writeZip(path, [{ name: 'x.stp', text: stepFile("#1=PRODUCT('A','a','',());") }]);
    expect((await detectFormat(fileSource(path))).format).toBe('step');
    expect((await readFrom(fileSource(path), {})).lines).toEqual(['A']);
  });
});

function stepFile(data: string): string {
  return `ISO-10303-21;\nHEADER;\nFILE_NAME('END-ISO-10303-21;','',(''),(''),'','','');\nENDSEC;\nDATA;\n${data}\nENDSEC;\nEND-ISO-10303-21;\n`;
}

describe('STEP', () => {
  const product = (id: number, key: string, name = key) =>
    `#${id}=PRODUCT('${key}','${name}','',());\n#${id + 1}=PRODUCT_DEFINITION_FORMATION('1','',#${id});\n#${id + 2}=PRODUCT_DEFINITION('d','',#${id + 1},$);`;

  test('statements in any order and form, cut anywhere, are the same', async () => {
    const statements = [
      product(10, 'A'),
      product(20, 'B'),
      "#30=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u','','',#12,#22,'R1');",
      "#31=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u','','',#12,#22,'R2');",
      "#40=CARTESIAN_POINT('; /* #9=PRODUCT(''x'','' '' */',(0.,1.E-3,2.));",
      "/* #8=PRODUCT('no','no','',()); ' */",
    ].flatMap((text) => text.split('\n'));
    const blank = fc.constantFrom('', ' ', '\n', '\r\n', '/* x */');
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(statements, { minLength: statements.length }),
        blank,
        fc.integer({ min: 1, max: 40 }),
        async (order, gap, piece) => {
          // Blanks may stand between any two tokens, but not in strings.
          const spaced = order.map((line) =>
            line.replaceAll(
              /('(?:[^']|'')*'|\/\*.*?\*\/)|([=(,);])/g,
              (_, kept, sign) => kept ?? `${gap}${sign}${gap}`,
            ),
          );
          const { lines } = await readText(stepFile(spaced.join('\n')), {}, piece);
          expect(lines).toEqual(['A', 'A > B: 2']);
        },
      ),
    );
  });

  test('strings: every escape, and what is none', () => {
    const decode = (text: string) => stepString(Buffer.from(text, 'latin1'));
    expect(decode("it''s \\\\ \\S\\_ \\X\\E9 \\X2\\00E400DF\\X0\\ \\X4\\0001F600\\X0\\")).toBe(
      "it's \\ ß é äß 😀",
    );
    expect(decode('\\PE\\\\S\\0')).toBe(
      'А'.replace('А', new TextDecoder('iso-8859-5').decode(Uint8Array.of(0xb0))),
    );
    expect(decode('a\r\nb')).toBe('ab');
    expect(decode('\\X2\\00E\\X0\\ \\Q')).toBe('\\X2\\00E\\X0\\ \\Q');
    expect(stepString(Buffer.from('Gehäuse'))).toBe('Gehäuse');
    expect(stepString(Buffer.from([0x47, 0xe4]))).toBe('Gä');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replaceAll(/[\r\n]/g, '');
        const escaped = [...plain].map((one) => {
          const code = one.codePointAt(0) as number;
          if (one === "'") return "''";
          if (one === '\\') return '\\\\';
          return code < 128 ? one : `\\X4\\${code.toString(16).padStart(8, '0')}\\X0\\`;
        });
        expect(decode(escaped.join(''))).toBe(plain);
      }),
    );
  });

  test('keys: the id where it tells products apart, else id and name, else a name within the file', async () => {
    const same = `${product(10, '(Unsaved)', 'A')}\n${product(20, '(Unsaved)', 'B')}`;
    expect((await readText(stepFile(same), {})).lines).toEqual(['B', 'A']);
    // Every product can be read: doubled ones are kept apart by their order, with a warning.
    for (const productKey of [undefined, 'id', 'name', 'id+name'] as const) {
      const definition = productKey === undefined ? {} : { productKey };
      const doubled = await readText(stepFile(`${product(10, 'A1')}\n${product(20, 'A1')}`), definition);
      expect(doubled.elements.map(({ number }) => number)).toEqual(['A1', 'A1']);
      expect(new Set(doubled.elements.map(({ guid }) => guid)).size).toBe(2);
      expect(doubled.findings.counts).toEqual({ key_made: 2 });
    }
    const named = await readText(stepFile(`${product(10, 'X', 'A')}\n${product(20, 'X', 'B')}`), {
      productKey: 'name',
    });
    expect(named.lines.toSorted()).toEqual(['X', 'X']);
    expect(new Set(named.elements.map(({ guid }) => guid)).size).toBe(2);
  });

  test('a file that is cut, a usage of nothing and a quantity that cannot be read are named', async () => {
    await expect(readText(stepFile(product(10, 'A')).slice(0, -20), {})).rejects.toMatchObject({
      code: 'step_cut',
    });
    const open = await readText(
      stepFile(`${product(10, 'A')}\n#30=NEXT_ASSEMBLY_USAGE_OCCURRENCE('u','','',#12,#99,$);`),
      {},
    );
    expect(open.findings.kept).toEqual([
      expect.objectContaining({ severity: 'error', code: 'usage_open', place: { statement: '#30' } }),
    ]);
    const quantified = `${product(10, 'A')}\n${product(20, 'B')}\n#30=(ASSEMBLY_COMPONENT_USAGE($)NEXT_ASSEMBLY_USAGE_OCCURRENCE()PRODUCT_DEFINITION_RELATIONSHIP('','','',#12,#22)PRODUCT_DEFINITION_USAGE()QUANTIFIED_ASSEMBLY_COMPONENT_USAGE(#41));`;
    expect((await readText(stepFile(quantified), {})).findings.counts).toEqual({ quantity_unreadable: 1 });
    const whole = await readText(
      stepFile(`${quantified}\n#41=MEASURE_WITH_UNIT(COUNT_MEASURE(4.),#42);`),
      {},
    );
    expect(whole.lines).toEqual(['A', 'A > B: 4']);
  });
});

describe('XML', () => {
  test('KiCad: what is not fitted or no part is left out; a field may be the key', async () => {
    const component = (ref: string, inner: string) =>
      `<comp ref="${ref}"><value>1k</value><footprint>R:R_0603</footprint>${inner}</comp>`;
    const netlist = `<export version="E"><components>${[
      component('R1', '<fields><field name="MPN">M1</field></fields>'),
      component('R2', '<fields><field name="MPN">M1</field></fields>'),
      component('R3', '<property name="dnp"/>'),
      component('R4', '<property name="exclude_from_bom"/>'),
      component('#PWR1', ''),
      component('R5', '<fields><field name="DNP">0</field><field name="MPN">M2</field></fields>'),
    ].join('')}</components></export>`;
    const grouped = await readText(netlist, { root });
    // One value and footprint, and two manufacturers' numbers: two parts.
    expect(grouped.lines.toSorted()).toEqual(['TOP', 'TOP > 1k R_0603 M1: 2', 'TOP > 1k R_0603 M2: 1']);
    expect(grouped.findings.counts).toEqual({ not_fitted: 2, excluded: 1, kept_apart: 1 });
    const keyed = await readText(netlist, { root, columns: { key: 'mpn' } });
    expect(keyed.lines.toSorted()).toEqual(['TOP', 'TOP > M1: 2', 'TOP > M2: 1']);
    expect(keyed.elements.find(({ number }) => number === 'M1')?.referenceDesignators).toEqual(['R1', 'R2']);
  });

  test('PDM: the first occurrence gives the children; one that differs stops the run', async () => {
    const document = (id: string, count: string, inner = '') =>
      `<document id="${id}"><configuration name="D"><attribute name="Reference Count" value="${count}"/>${inner === '' ? '' : `<references>${inner}</references>`}</configuration></document>`;
    const file = (inner: string) =>
      `<xml><transactions><transaction type="wf_export_document_attributes">${inner}</transaction></transactions></xml>`;
    const sub = document('S', '2.000000', document('P', '3'));
    expect(
      (await readText(file(document('A', '1', sub + document('B', '1', sub))))).lines.toSorted(),
    ).toEqual(['A', 'A > B: 1', 'A > S: 2', 'B > S: 2', 'S > P: 3'].toSorted());
    const other = document('S', '1', document('P', '4'));
    await expect(readText(file(document('A', '1', sub + document('B', '1', other))))).rejects.toMatchObject({
      code: 'assembly_differs',
    });
    const unread = await readText(file(document('A', '1', document('P', 'some'))));
    expect(unread.findings.counts).toEqual({ quantity_unreadable: 1 });
  });

  test('PDM: of several configurations one counts, and a file that is many parts is told apart on demand', async () => {
    const file = (inner: string) =>
      `<xml><transactions><transaction type="wf_export_document_attributes">${inner}</transaction></transactions></xml>`;
    const rod = (count: number, name: string) =>
      `<document id="ROD"><configuration name="${name}"><attribute name="Reference Count" value="${count}"/><attribute name="Length" value="${name}"/></configuration></document>`;
    const assembly = (more: string, ...configurations: [string, string][]) =>
      file(
        `<document id="ASM"${more}>${configurations.map(([name, inner]) => `<configuration name="${name}"><attribute name="Name" value="${name}"/><references>${inner}</references></configuration>`).join('')}</document>`,
      );
    const both: [string, string][] = [
      ['Default', rod(4, '100')],
      ['Long', rod(8, '100')],
    ];
    expect((await readText(assembly('', ...both))).lines).toEqual(['ASM', 'ASM > ROD: 4']);
    const named = await readText(assembly(' idcfgname="Long"', ...both));
    expect([named.lines, named.elements[0]?.name]).toEqual([['ASM', 'ASM > ROD: 8'], 'Long']);
    const missing = await readText(assembly(' idcfgname="Other"', ...both));
    expect([missing.lines, missing.findings.counts]).toEqual([[], { configuration_missing: 1 }]);
    const two = assembly('', ['Default', rod(1, '100') + rod(2, '200')]);
    await expect(readText(two)).rejects.toMatchObject({
      code: 'key_conflict',
      message: expect.stringContaining('"productKey": "id+name"'),
    });
    const apart = await readText(two, { productKey: 'id+name' });
    expect(apart.lines.toSorted()).toEqual(['ASM', 'ASM > ROD: 1', 'ASM > ROD: 2']);
    expect(new Set(apart.elements.map(({ guid }) => guid)).size).toBe(3);
    const tab = file(
      `<document id="A" idcfgname="D"><configuration name="@"><attribute name="Title" value="Of the file"/></configuration><configuration name="D"><attribute name="Mass" value="2"/></configuration></document>`,
    );
    expect((await readText(tab)).elements[0]).toMatchObject({
      name: 'Of the file',
      properties: { Mass: '2' },
    });
  });

  test('AP242: whatever the prefixes, and whatever a comment before the root says', async () => {
    const part = (uid: string, id: string, within: string) =>
      `<Part uid="${uid}"><Id id="${id}"/><Versions><PartVersion><Views><PartView>${within}</PartView></Views></PartVersion></Versions></Part>`;
    const model = (prefix: string, type: string) =>
      `<!-- by <tool>, > of ${'all'} --><${prefix}Uos xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="urn:bo" xmlns:${type}="http://www.w3.org/2001/XMLSchema-instance"><DataContainer>${part(
        'p1',
        'TOP',
        [1, 2]
          .map(
            (n) =>
              `<ViewOccurrenceRelationship ${type}:type="${prefix}NextAssemblyOccurrenceUsage"><Related uidRef="o${n}"/></ViewOccurrenceRelationship>`,
          )
          .join(''),
      )}${part(
        'p2',
        'BOLT',
        `<Occurrence uid="o1" ${type}:type="${prefix}SingleOccurrence"/><Occurrence uid="o2" ${type}:type="${prefix}QuantifiedOccurrence"><Quantity><ValueComponent>3</ValueComponent></Quantity></Occurrence>`,
      )}</DataContainer></${prefix}Uos>`;
    for (const [prefix, type] of [
      ['n0:', 'xsi'],
      ['', 'xsi'],
      ['bo:', 'p3'],
    ] as const)
      expect((await readText(model(prefix, type))).lines).toEqual(['TOP', 'TOP > BOLT: 4']);
  });

  test("KiCad's own notation says how it is to be written instead; a reference that is there twice is told", async () => {
    await expect(readText('(export (version "E")\n  (components))')).rejects.toMatchObject({
      code: 'kicad_text',
    });
    const comp = '<comp ref="R1"><value>1k</value></comp>';
    const twice = await readText(`<export version="E"><components>${comp}${comp}</components></export>`, {
      root,
    });
    expect([twice.lines, twice.findings.counts]).toEqual([['TOP', 'TOP > 1k: 2'], { reference_twice: 1 }]);
  });

  test('what is not well-formed is named with its line', async () => {
    await expect(
      readText('<export><components>\n<comp ref="R1">\n</components></export>'),
    ).rejects.toMatchObject({
      code: 'xml_invalid',
      place: { line: 3 },
    });
  });
});

test('columns of a table say what a build takes, and a cell that cannot be read is named and left out', async () => {
  const alternative = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const definition: ImportDefinitionInput = {
    decimal: ',',
    columns: {
      number: 'No',
      quantity: 'Qty',
      substitutes: 'Instead',
      lossPercent: 'Loss',
      lossFixed: 'Setup',
      phantom: 'Phantom',
    },
    root,
  };
  const read = await readText(
    [
      'No;Qty;Instead;Loss;Setup;Phantom',
      `R-1;4;"R-2; R-3=2,5, {${alternative.toUpperCase()}}";2,5 %;10;no`,
      'KIT;1;;;;ja',
      'R-2;1;;;;',
      'R-4;1;R-2=0;much;3 m;maybe',
    ].join('\n'),
    definition,
  );
  const byNumber = new Map(read.elements.map((one) => [one.number, one]));
  const guid = byNumber.get('R-2')?.guid;
  expect(byNumber.get('R-1')).toMatchObject({
    lossPercent: 2.5,
    lossFixed: 10,
    phantom: false,
    substitutes: [
      { guid, rank: 1, ratio: 1 },
      { rank: 2, ratio: 2.5 },
      { guid: alternative, rank: 3, ratio: 1 },
    ],
  });
  expect(byNumber.get('KIT')).toMatchObject({ phantom: true });
  for (const field of ['substitutes', 'lossPercent', 'lossFixed', 'phantom'])
    for (const number of ['R-2', 'R-4']) expect(byNumber.get(number)).not.toHaveProperty(field);
  expect(read.findings.kept.map(({ code, place }) => [code, place?.cell])).toEqual([
    ['numeric_unreadable', 'Loss'],
    ['numeric_unreadable', 'Setup'],
    ['boolean_unreadable', 'Phantom'],
    ['substitutes_unreadable', 'Instead'],
  ]);
});

test('a column says in which location each location lies, by its key or GUID, above or below', async () => {
  const shelf = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const table = [
    'Number,Name,Parent location,GUID',
    'BIN-1,Bin,SHELF-1,',
    `SHELF-1,Shelf,WH,{${shelf.toUpperCase()}}`,
    `BIN-2,Bin,${shelf},`,
    'WH,Warehouse,,',
  ];
  const suggestion = suggestDefinition(
    table.map((line) => line.split(',')),
    { categories: ['part', 'location'] },
  );
  expect(suggestion?.definition).toMatchObject({
    columns: { parentLocation: 'Parent location' },
    categories: { default: 'location' },
    structure: 'flat',
  });
  const read = await readText(table.join('\n'), suggestion?.definition);
  const byNumber = new Map(read.elements.map((one) => [one.number, one]));
  expect(byNumber.get('BIN-1')).toMatchObject({ parentLocation: shelf, categoryKey: 'location' });
  expect(byNumber.get('BIN-2')).toMatchObject({ parentLocation: shelf });
  expect(byNumber.get('SHELF-1')).toMatchObject({ parentLocation: byNumber.get('WH')?.guid });
  expect(byNumber.get('WH')).not.toHaveProperty('parentLocation');
});
