// Tables to elements: text, figures, structure, lines; what cannot be read is named with its place.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { guessDelimiter, splitCsv } from '../../clients/readers/csv/split-csv.ts';
import type { ImportDefinitionInput } from '../../clients/readers/definition/import-definition.schema.ts';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { readReferences } from '../../clients/readers/designators/read-references.ts';
import { DEFAULT_NAMESPACE, guidOf } from '../../clients/readers/guid.ts';
import { readDecimal } from '../../clients/readers/read-decimal.ts';
import { readDate } from '../../clients/readers/table/read-value.ts';
import { readText, textSource } from './read-text.ts';

const root = { number: 'TOP' };

describe('text', () => {
  const number = { columns: { number: 'No', quantity: 'Qty' }, root };

  test('splits as RFC 4180 says, however it is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ä', ';') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        fc.nat(7),
        async (rows, cut) => {
          const text = Papa.unparse(rows, { quotes: true });
          const pieces = text.match(new RegExp(`[\\s\\S]{1,${cut + 1}}`, 'g')) ?? [];
          const read = await Array.fromAsync(splitCsv(pieces, ','));
          expect(read.map(({ cells }) => cells)).toEqual(rows);
          const lines = rows.map((_, at) => {
            const before = at === 0 ? '' : `${Papa.unparse(rows.slice(0, at), { quotes: true })}\r\n`;
            return 1 + (before.match(/\r\n|\r|\n/g)?.length ?? 0);
          });
          expect(read.map(({ line }) => line)).toEqual(lines);
        },
      ),
    );
  });

  test('agrees with another reader on unquoted cells', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', 'ö', '7', '.') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }),
        async (rows) => {
          const text = rows.map((cells) => cells.join(';')).join('\n');
          const { data } = Papa.parse<string[]>(text, { delimiter: ';' });
          const read = await Array.fromAsync(splitCsv([text], ';'));
          // A last line of nothing is none here.
          expect(read.map(({ cells }) => cells)).toEqual(
            data.at(-1)?.join('') === '' && text.endsWith('\n') ? data.slice(0, -1) : text === '' ? [] : data,
          );
        },
      ),
    );
  });

  test('a quote that is never closed is named with the line it was opened in', async () => {
    await expect(readText('No,Qty\nA,1\nB,"2\nC,3\n', number)).rejects.toMatchObject({
      code: 'quote_open',
      place: { line: 3 },
    });
    await expect(readText('No,Qty\n"A"x,1\n', number)).rejects.toMatchObject({ code: 'text_after_quote' });
  });

  test.each([
    ['a,b\n1,2', ','],
    ['a;b\n1,5;2', ';'],
    ['a\tb,c\n1\t2', '\t'],
    ['Title\n\nPos;Name, long;Qty\n1;x;2\n2;y;3', ';'],
    ['one\ntwo', ','],
  ])('finds the delimiter of %j', (text, delimiter) => {
    expect(guessDelimiter(text)).toBe(delimiter);
  });

  test('an encoding is never guessed: what is not UTF-8 needs its name', async () => {
    const bytes = Uint8Array.from([
      ...new TextEncoder().encode('No,Qty\nGeh'),
      0xe4,
      ...new TextEncoder().encode('use,1\n'),
    ]);
    await expect(readText(bytes, number)).rejects.toMatchObject({ code: 'encoding_unknown' });
    const named = await readText(bytes, { ...number, encoding: 'windows-1252' });
    expect(named.elements[1]?.number).toBe('Gehäuse');
    expect(named.encoding).toBe('windows-1252');
    const marked = await readText(
      Uint8Array.from([0xff, 0xfe, ...Buffer.from('No,Qty\nÄ,1\n', 'utf16le')]),
      number,
    );
    expect(marked.elements[1]?.number).toBe('Ä');
  });
});

describe('what other tools write', () => {
  const table = 'Part Number\tDescription\tQty\nA-1\tGröße\t2\n';
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = Buffer.from(text, 'utf16le');
    return new Uint8Array(isBig ? bytes.swap16() : bytes);
  };

  test.each([
    ['with its mark', utf16(`\ufeff${table}`, false), 'utf-16le'],
    ['without', utf16(table, false), 'utf-16le'],
    ['with the bytes in the other order', utf16(table, true), 'utf-16be'],
  ])('UTF-16 %s', async (_, bytes, encoding) => {
    const definition = { columns: { number: 'Part Number', name: 'Description', quantity: 'Qty' }, root };
    const read = await readText(bytes, definition);
    expect([read.lines, read.elements[1]?.name, read.encoding]).toEqual([
      ['TOP', 'TOP > A-1: 2'],
      'Größe',
      encoding,
    ]);
  });

  test('a column that is there twice is told; the first of them is taken', async () => {
    const { lines, findings } = await readText('No,Qty,Name,Qty\nA,2,x,5\n', {
      columns: { number: 'No', quantity: 'Qty' },
      root,
    });
    expect([lines, findings.counts]).toEqual([['TOP', 'TOP > A: 2'], { column_twice: 1 }]);
  });

  test('a topmost line needs no quantity; one that cannot be read takes what is below it along, by name', async () => {
    const levels: ImportDefinitionInput = {
      columns: { number: 'No', level: 'L', quantity: 'Qty' },
      structure: 'levels',
    };
    const head = 'L,No,Qty\n';
    expect((await readText(`${head}0,A,\n1,B,2\n`, levels)).lines).toEqual(['A', 'A > B: 2']);
    expect((await readText(`${head}0,A,0\n1,B,2\n`, levels)).lines).toEqual(['A', 'A > B: 2']);
    const { lines, findings } = await readText(`${head}0,A,1\n1,B,some\n2,C,1\n1,D,1\n`, levels);
    expect(lines).toEqual(['A', 'A > D: 1']);
    expect(findings.kept.map(({ severity, code, place }) => [severity, code, place.line])).toEqual([
      ['error', 'quantity_unreadable', 3],
      ['error', 'below_unreadable', 4],
    ]);
  });

  test.each([
    [
      'SAP',
      'Stufe;Pos.;Komponente;Objektkurztext;Menge;ME\n.1;0010;100;Gehäuse;1,000;ST\n..2;0010;110;Blech;1.250,500;KG\n',
      ['100', '100 > 110: 1250.5'],
    ],
    [
      'Teamcenter',
      'Level,Item ID,Revision,Name,Quantity,Find No.\n0,000100,A,Top,,\n1,000101,A,Sub,2,10\n',
      ['000100', '000100 > 000101: 2'],
    ],
    ['SOLIDWORKS', 'ITEM NO.\tPART NUMBER\tQTY.\n1\tS\t1\n1.1\tP\t2\n', ['S', 'S > P: 2']],
    ['OrCAD', 'Item\tQuantity\tReference\tPart\n______\n1\t2\tC1,C2\t100n\n', ['100n']],
    [
      'a list whose values are called designations',
      '"Id";"Designator";"Footprint";"Quantity";"Designation"\n1;"C1,C2";"C_0603";2;"100n"\n2;"C3";"C_0603";1;"1u"\n',
      ['100n C_0603', '1u C_0603'],
    ],
  ])('%s: as it is suggested', async (_, text, expected) => {
    const { suggestion } = await suggestForFile(textSource(text));
    expect((await readText(text, suggestion?.definition ?? {})).lines).toEqual(expected);
  });
});

describe('figures', () => {
  test.each([
    ['1.250,75', ',', 1250.75, ''],
    ['$2,000.00', '.', 2000, ''],
    ['0.3 kg', '.', 0.3, 'kg'],
    ['2.000000', '.', 2, ''],
    ['0,5', ',', 0.5, ''],
    ["1'250.5", '.', 1250.5, ''],
    ['−4', '.', -4, ''],
    ['1e3', '.', 1000, ''],
    ['.5', '.', 0.5, ''],
  ] as const)('%s with %s is %d', (text, sign, value, unit) => {
    expect(readDecimal(text, sign)).toEqual({ value, unit });
  });

  test.each([
    ['1.250,75', '.'],
    ['1,5', '.'],
    ['12.34.56', ','],
    ['No value', '.'],
    ['', '.'],
    ['1,2,3', ','],
    ['2 x 3', '.'],
  ] as const)('%s with %s is none', (text, sign) => {
    expect(readDecimal(text, sign)).toBeNull();
  });

  test.each([
    ['2026-06-07', 'ymd', '2026-06-07'],
    ['7.6.2026.', 'dmy', '2026-06-07'],
    ['6/7/26', 'mdy', '2026-06-07'],
    ['31.2.2026', 'dmy', null],
    ['7.6.2026', 'ymd', null],
  ] as const)('the date %s in the order %s is %s', (text, order, date) => {
    expect(readDate(text, order)).toBe(date);
  });

  test('references may be a range', () => {
    expect(readReferences('C4, C3, C2, ')).toEqual(['C4', 'C3', 'C2']);
    expect(readReferences('R1-R3 R7')).toEqual(['R1', 'R2', 'R3', 'R7']);
    expect(readReferences('X1-2-Y')).toEqual(['X1-2-Y']);
  });

  test('a GUID is the same on every machine', () => {
    expect(guidOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
    expect(guidOf(DEFAULT_NAMESPACE, ' Geha\u0308use')).toBe(guidOf(DEFAULT_NAMESPACE, 'Gehäuse'));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (key) => {
        const plain = Buffer.from(key.trim().normalize('NFC'));
        const hash = createHash('sha1')
          .update(Buffer.from(DEFAULT_NAMESPACE.replaceAll('-', ''), 'hex'))
          .update(plain)
          .digest('hex');
        const guid = guidOf(DEFAULT_NAMESPACE, key).replaceAll('-', '');
        expect(guid.slice(0, 12)).toBe(hash.slice(0, 12));
        expect(guid.slice(20)).toBe(hash.slice(20, 32));
      }),
    );
  });
});

describe('structure', () => {
  const columns = { number: 'No', name: 'Name', quantity: 'Qty', level: 'L' };
  const levels: ImportDefinitionInput = { columns, structure: 'levels' };
  const list = (...rows: string[]) => `L,No,Name,Qty\n${rows.join('\n')}\n`;

  test('levels from 0 or from 1 are the same', async () => {
    const from0 = await readText(list('0,A,a,1', '1,B,b,2', '2,C,c,3', '1,D,d,4'), levels);
    const from1 = await readText(list('1,A,a,1', '2,B,b,2', '3,C,c,3', '2,D,d,4'), levels);
    expect(from0.lines).toEqual(['A', 'A > B: 2', 'B > C: 3', 'A > D: 4']);
    expect(from1.elements).toEqual(from0.elements);
  });

  test('numbered items, indentation and leading dots say the same', async () => {
    const expected = ['A', 'A > B: 2', 'B > C: 3', 'A > D: 4'];
    const items = await readText(list('1,A,a,1', '1.1,B,b,2', '1.1.1,C,c,3', '1.10,D,d,4'), {
      columns,
      structure: 'items',
    });
    expect(items.lines).toEqual(expected);
    const dots = await readText(list('A,A,a,1', '.B,B,b,2', '. .C,C,c,3', '.D,D,d,4'), {
      columns,
      structure: 'dots',
    });
    expect(dots.lines).toEqual(expected);
    const indented = await readText('No,Qty\nA,1\n   B,2\n      C,3\n   D,4\n', {
      columns: { number: 'No', quantity: 'Qty', level: 'No' },
      structure: 'indented',
    });
    expect(indented.lines).toEqual(expected);
  });

  test.each([
    ['levels', ['0,A,a,1', '2,B,b,1'], 'level_jump', 3],
    ['levels', ['1,A,a,1', '0,B,b,1'], 'level_jump', 3],
    ['levels', ['0,A,a,1', 'x,B,b,1'], 'level_unreadable', 3],
    ['items', ['1,A,a,1', '1.1.1,B,b,1'], 'level_jump', 3],
    ['items', ['1,A,a,1', '1.1,B,b,1', '1.1,C,c,1'], 'item_twice', 4],
    ['dots', ['A,A,a,1', '..B,B,b,1'], 'level_jump', 3],
    ['indented', ['A,A,a,1', '    B,B,b,1', '  C,C,c,1'], 'level_jump', 4],
    ['levels', ['0,A,a,1', '1,B,b,1', '2,A,a,1'], 'cycle', 4],
  ] as const)('%s %j is %s', async (structure, rows, code, line) => {
    await expect(readText(list(...rows), { columns, structure })).rejects.toMatchObject({
      code,
      place: { line },
    });
  });

  test('any tree that is written by levels comes back, with repeated sub-assemblies taken once', async () => {
    // Part n is made of parts with higher numbers only.
    const product = fc.array(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9 })), { maxLength: 3 }),
      { minLength: 2, maxLength: 7 },
    );
    await fc.assert(
      fc.asyncProperty(product, async (made) => {
        const children = made.map(
          (uses, part) => new Map(uses.map(([step, quantity]) => [part + step, quantity])),
        );
        for (const uses of children)
          for (const part of uses.keys()) if (part >= children.length) uses.delete(part);
        const rows: string[] = [];
        const write = (part: number, level: number, quantity: number) => {
          rows.push(`${level},P${part},p,${quantity}`);
          for (const [child, each] of children[part] ?? []) write(child, level + 1, each);
        };
        write(0, 0, 1);
        const reached = new Set(rows.map((row) => row.split(',')[1]));
        const expected = children.flatMap((uses, part) =>
          reached.has(`P${part}`)
            ? [...uses].map(([child, quantity]) => `P${part} > P${child}: ${quantity}`)
            : [],
        );
        const { lines } = await readText(list(...rows), levels);
        expect(lines.filter((line) => line.includes('>')).toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  test('equal lines of one assembly add up; an assembly that differs where it stands again stops the run', async () => {
    const twice = await readText(list('0,A,a,1', '1,B,b,2', '1,B,b,3'), levels);
    expect(twice.lines).toEqual(['A', 'A > B: 2', 'A > B: 3']);
    const differs = list('0,T,t,1', '1,A,a,1', '2,B,b,2', '1,C,c,1', '2,A,a,1', '3,B,b,4');
    await expect(readText(differs, levels)).rejects.toMatchObject({
      code: 'assembly_differs',
      message: expect.stringContaining('line 3'),
    });
    const collapsed = await readText(list('0,T,t,1', '1,A,a,1', '2,B,b,2', '1,C,c,1', '2,A,a,1'), levels);
    expect(collapsed.lines).toContain('C > A: 1');
  });

  test('two different records with one key stop the run; what one leaves out is no difference', async () => {
    await expect(readText(list('0,A,a,1', '1,B,b,1', '1,B,other,1'), levels)).rejects.toMatchObject({
      code: 'key_conflict',
      place: { line: 4 },
    });
    const definition = { ...levels, properties: { M: 'M' } };
    const { elements } = await readText('L,No,Name,Qty,M\n0,A,a,1,\n1,B,b,1,5\n1,B,b,1,\n', definition);
    expect(elements[1]?.properties).toEqual({ M: '5' });
  });

  test('a parent that stands below its children is linked by the GUID that the file gives it', async () => {
    const [child, parent] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const { elements } = await readText(`No,Id,In\nC1,${child},A1\nA1,${parent},\n`, {
      columns: { number: 'No', guid: 'Id', parent: 'In' },
      structure: 'parent',
    });
    expect(elements.map(({ guid, parentGuid }) => [guid, parentGuid])).toEqual([
      [child, parent],
      [parent, null],
    ]);
  });

  test('a column of parents: lines in any order, a parent that is no line, a list that was exploded', async () => {
    const definition: ImportDefinitionInput = {
      columns: { number: 'No', parent: 'In', quantity: 'Qty' },
      structure: 'parent',
    };
    const { lines, findings } = await readText('No,In,Qty\nB,A,2\nA,,1\nC,B,3\nX,ELSEWHERE,1\n', definition);
    expect(lines).toEqual(['A > B: 2', 'A', 'B > C: 3', '? > X: 1']);
    expect(findings.counts).toEqual({ parent_missing: 1 });
    const exploded = await readText('No,In,Qty\nA,,1\nB,A,1\nC,B,3\nD,A,1\nC,B,3\n', definition);
    expect(exploded.lines.filter((line) => line === 'B > C: 3')).toHaveLength(1);
    await expect(readText('No,In,Qty\nC,B,3\nD,A,1\nC,B,4\n', definition)).rejects.toMatchObject({
      code: 'assembly_differs',
    });
    await expect(readText('No,In,Qty\nA,B,1\nB,A,1\n', definition)).rejects.toMatchObject({ code: 'cycle' });
  });

  test('a parent that stands below its children is linked by the GUID that the file gives it', async () => {
    const [child, parent] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const { elements } = await readText(`No,Id,In\nC1,${child},A1\nA1,${parent},\n`, {
      columns: { number: 'No', guid: 'Id', parent: 'In' },
      structure: 'parent',
    });
    expect(elements.map(({ guid, parentGuid }) => [guid, parentGuid])).toEqual([
      [child, parent],
      [parent, null],
    ]);
  });

  test('quantities for the whole are divided back, and must come out', async () => {
    const extended: ImportDefinitionInput = { ...levels, quantity: 'extended' };
    const { lines } = await readText(list('0,A,a,2', '1,B,b,6', '2,C,c,3'), extended);
    expect(lines).toEqual(['A', 'A > B: 3', 'B > C: 0.5']);
    const { findings } = await readText(list('0,A,a,1', '1,B,b,3', '2,C,c,1'), extended);
    expect(findings.counts).toEqual({ quantity_indivisible: 1 });
  });

  test('the category of what has children, and categories by rule', async () => {
    const definition: ImportDefinitionInput = {
      ...levels,
      categories: {
        assembly: 'assembly',
        rules: [{ column: 'Name', values: ['STEEL'], category: 'material' }],
      },
    };
    const { elements } = await readText(list('0,A,a,1', '1,B,steel,2', '1,C,c,1'), definition);
    expect(elements.map(({ categoryKey }) => categoryKey)).toEqual(['assembly', 'material', 'part']);
  });
});

describe('lines', () => {
  const definition: ImportDefinitionInput = {
    columns: { number: 'Number', name: 'Name', quantity: 'Qty', references: 'Refs' },
    properties: {
      Mass: { column: 'Mass', type: 'numeric', units: { kg: 1, g: 0.001 } },
      Made: { column: 'Made', type: 'date' },
    },
    exclude: [{ column: 'DNP' }],
    root,
  };
  const head = 'Number,Name,Qty,Refs,Mass,Made,DNP';

  test('titles, sums and empty rows are left out and counted; the header may stand anywhere', async () => {
    const { lines, findings } = await readText(
      `A list,,,,,,\n,,,,,,\n${head}\nA,a,1,,,,\n,,,,,,\n,Sum,,,,,\n,lost,2,,,,\n`,
      definition,
    );
    expect(lines).toEqual(['TOP', 'TOP > A: 1']);
    expect(findings.counts).toEqual({ total_row: 1, no_key: 1 });
    expect(findings.kept.map(({ severity }) => severity)).toEqual(['note', 'warning']);
    await expect(readText('Number,Other\nA,1\n', definition)).rejects.toMatchObject({
      code: 'header_missing',
      place: { line: 1 },
      message: expect.stringContaining('"Qty"'),
    });
  });

  test('what cannot be read is named with its cell and is never 0', async () => {
    const { elements, findings } = await readText(
      `${head}\nA,a,many,,,,\nB,b,1,,0.3 lb,,\nC,c,1,,250 g,7.6.2026,\nD,d,-2,,,,\n`,
      definition,
    );
    expect(findings.kept).toEqual([
      expect.objectContaining({
        severity: 'error',
        code: 'quantity_unreadable',
        place: { line: 2, cell: 'Qty' },
      }),
      expect.objectContaining({
        severity: 'warning',
        code: 'numeric_unreadable',
        place: { line: 3, cell: 'Mass' },
      }),
      expect.objectContaining({
        severity: 'warning',
        code: 'date_unreadable',
        place: { line: 4, cell: 'Made' },
      }),
      expect.objectContaining({ severity: 'error', code: 'quantity_negative' }),
    ]);
    expect(elements.map(({ number, properties }) => [number, properties])).toEqual([
      ['TOP', {}],
      ['B', {}],
      ['C', { Mass: '0.25' }],
    ]);
  });

  test('quantity 0, what is not fitted, and what is below them are left out and counted', async () => {
    const { lines, findings } = await readText(`${head}\nA,a,0,,,,\nB,b,1,,,,x\nC,c,1,,,,no\n`, definition);
    expect(lines).toEqual(['TOP', 'TOP > C: 1']);
    expect(findings.counts).toEqual({ quantity_zero: 1, not_fitted: 1 });
    const below = await readText('L,No,Qty\n0,A,1\n1,B,0\n2,C,1\n1,D,1\n', {
      columns: { number: 'No', quantity: 'Qty', level: 'L' },
      structure: 'levels',
    });
    expect(below.lines).toEqual(['A', 'A > D: 1']);
  });

  test('references are held against the quantity', async () => {
    const { findings, elements } = await readText(`${head}\nA,a,2,"R1, R2",,,\nB,b,3,R3 R4,,,\n`, definition);
    expect(findings.counts).toEqual({ references_differ: 1 });
    expect(elements[1]?.referenceDesignators).toEqual(['R1', 'R2']);
  });

  test('a column has the pictures of parts, and an empty cell leaves the picture as it is', async () => {
    const hash = 'ab'.repeat(32);
    const { elements } = await readText(`No,Picture\nA,${hash.toUpperCase()}\nB,\n`, {
      columns: { number: 'No', picture: 'Picture' },
    });
    expect(elements.map(({ number, picture }) => [number, picture])).toEqual([
      ['A', hash],
      ['B', undefined],
    ]);
  });

  test('what a line says of its use goes with the link, and what several say of one part stays with each', async () => {
    const { elements } = await readText(
      'Pos,No,Qty,UoM,Ref,Remark\n10,A,2,pcs,"R1,R2",glued\n20,B,0.5,m,,\n30,A,1,pcs,R3,loose\n',
      {
        columns: {
          number: 'No',
          quantity: 'Qty',
          findNumber: 'Pos',
          unit: 'UoM',
          references: 'Ref',
          note: 'Remark',
        },
        root,
      },
    );
    const links = elements
      .slice(1)
      .map(({ guid: _, name: __, categoryKey: ___, parentGuid: ____, ...line }) => line);
    expect(links).toEqual([
      {
        number: 'A',
        quantity: 2,
        findNumber: '10',
        unit: 'pcs',
        referenceDesignators: ['R1', 'R2'],
        note: 'glued',
        properties: {},
      },
      { number: 'B', quantity: 0.5, findNumber: '20', unit: 'm', properties: {} },
      {
        number: 'A',
        quantity: 1,
        findNumber: '30',
        unit: 'pcs',
        referenceDesignators: ['R3'],
        note: 'loose',
        properties: {},
      },
    ]);
  });

  test('one unit a column, where the definition names none', async () => {
    const plain: ImportDefinitionInput = {
      columns: { number: 'No' },
      properties: { M: { column: 'M', type: 'numeric' } },
      root,
    };
    const { elements, findings } = await readText('No,M\nA,0.3 kg\nB,300 g\n', plain);
    expect(elements.map(({ properties }) => properties.M)).toEqual([undefined, '0.3', undefined]);
    expect(findings.counts).toEqual({ no_quantities: 1, numeric_unreadable: 1 });
  });

  test('the unit of each number for the service to convert, where the property has a unit: grams are no kilograms', async () => {
    const text = 'Part Number;Mass;Qty\nA;12 g;1\nB;0,5 kg;2\nC;7;1\n';
    const hints = { properties: [{ key: 'M', name: 'Mass', type: 'numeric', unit: 'kg' } as const] };
    const suggested = (await suggestForFile(textSource(text), hints)).suggestion?.definition;
    expect(suggested?.properties).toEqual({ M: { column: 'Mass', type: 'numeric', withUnit: true } });
    const { elements, findings } = await readText(text, { ...suggested, root } as ImportDefinitionInput);
    expect(elements.map(({ properties }) => properties.M)).toEqual([undefined, '12 g', '0.5 kg', undefined]);
    expect(findings.counts.numeric_unreadable).toBe(1);
  });

  test('merged cells are filled down where the definition says so', async () => {
    const filled: ImportDefinitionInput = {
      columns: { number: 'No', parent: 'In' },
      structure: 'parent',
      fillDown: ['In'],
    };
    const { lines } = await readText('In,No\nA,B\n,C\n', filled);
    expect(lines).toEqual(['? > B: 1', '? > C: 1']);
  });
});

test('a suggestion reads the columns of many languages and keeps its hands off prices', async () => {
  const suggest = (text: string) =>
    suggestForFile(textSource(text), { properties: [{ key: 'Mass', name: 'Masse kg', type: 'numeric' }] });
  const german = await suggest(
    'Stückliste;;\nPos;Sachnummer;Benennung;Menge;Masse kg\n1;A;a;1;0,5\n1.1;B;b;2;1,25\n',
  );
  expect(german.suggestion?.definition).toMatchObject({
    columns: { number: 'Sachnummer', name: 'Benennung', quantity: 'Menge', level: 'Pos' },
    structure: 'items',
    decimal: ',',
    properties: { Mass: { column: 'Masse kg', type: 'numeric' } },
  });
  const noted = 'Pos,Part Number,Qty,Remarks\n1,A,1,glued\n2,B,2,\n';
  expect((await suggest(noted)).suggestion?.definition.columns).toMatchObject({ note: 'Remarks' });
  const property = { key: 'Remarks', name: 'Remarks', type: 'text' } as const;
  const hinted = await suggestForFile(textSource(noted), { properties: [property] });
  expect(hinted.suggestion?.definition).toMatchObject({ properties: { Remarks: 'Remarks' } });
  expect(hinted.suggestion?.definition.columns?.note).toBeUndefined();
  const priced = await suggest('MPN,Qty,Unit,Category\nA,1,0.20,Electronics\n');
  expect(priced.suggestion?.definition.columns).toEqual({ number: 'MPN', quantity: 'Qty' });
  expect((await suggest('1,2\n3,4\n')).suggestion).toBeNull();
});

test.each([
  [
    'Stufe;Objektnummer;Objektkurztext;Komponentenmenge;Mengeneinheit\n1;A;a;2;ST\n2;B;b;3;ST\n',
    { number: 'Objektnummer', name: 'Objektkurztext', quantity: 'Komponentenmenge', level: 'Stufe' },
  ],
  [
    'Structure Level,Number,Name,Quantity,Revision Level\n0,A,a,1,B\n1,B,b,2,A\n',
    { number: 'Number', level: 'Structure Level', quantity: 'Quantity' },
  ],
  [
    'Número de pieza;Descripción;Cantidad necesaria\nA-1;a;2\nB-1;b;1\n',
    { number: 'Número de pieza', name: 'Descripción', quantity: 'Cantidad necesaria' },
  ],
  ['Part,Desc,Qty\nBRK-100,Bracket,2\nM6X20,Bolt,4\n', { number: 'Part', name: 'Desc', quantity: 'Qty' }],
  [
    'Designator,Manufacturer Part Number 1,Manufacturer 1,Quantity\n"R1, R2",RC0603,Yageo,2\nC1,GRM188,Murata,1\n',
    { number: 'Manufacturer Part Number 1', references: 'Designator', quantity: 'Quantity' },
  ],
  ['Part Number,Stock Qty,Order Quantity\nA,5,1\nB,7,2\n', { number: 'Part Number' }],
  ['Assembly Part Number,Component,Qty\nA,B,1\nA,C,2\n', { number: 'Component', quantity: 'Qty' }],
])(
  'a suggestion reads a title by a word within it, and leaves what speaks of other things: %s',
  async (text, columns) => {
    const found = (await suggestForFile(textSource(text), {})).suggestion?.definition.columns;
    expect(found).toMatchObject(columns);
    if (!('quantity' in columns)) expect(found?.quantity).toBeUndefined();
  },
);
