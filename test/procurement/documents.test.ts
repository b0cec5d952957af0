// Orders as documents: PDF to print or send, CSV, and the template of the workspace.
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { drawDocument } from '../../src/procurement/documents/draw-document.ts';
import { Faces, FontFiles } from '../../src/procurement/documents/faces.ts';
import { plainTemplate } from '../../src/procurement/documents/order-template.schema.ts';
import { wrapText } from '../../src/procurement/documents/text-lines.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { makeProcuringWorkspace, type ProcuringWorkspace } from './procuring-workspace.ts';

let server: TestServer;
let workspace: ProcuringWorkspace;
let bolt: string;
let shelf: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  workspace = await makeProcuringWorkspace(server);
  [bolt] = workspace.items as [string];
  [shelf] = workspace.locations as [string];
});

const line = (more: object = {}) => ({ itemEntityId: bolt, locationEntityId: shelf, quantity: 10, ...more });
const makeOrder = (more: object = {}) =>
  workspace.must(201, 'POST', '/orders', {
    type: 'purchaseOrder',
    supplier: 'Zellwerk',
    lines: [line()],
    ...more,
  });

async function download(
  path: string,
  accept = '*/*',
): Promise<{ status: number; type: string; name: string; bytes: Buffer }> {
  const { slug, key } = workspace;
  const response = await fetch(`${server.baseUrl}/api/wid/${slug}${path}`, {
    headers: { Authorization: `Bearer ${key}`, Accept: accept },
  });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    name: response.headers.get('content-disposition') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;

/** The drawing of all pages: shown texts are numbers of glyphs in it, outlines are lines and curves. */
function drawingOf(pdf: Buffer): string {
  const drawn: string[] = [];
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 7)) {
    if (pdf.subarray(at - 3, at).toString() === 'end') continue;
    const end = pdf.indexOf('endstream', at);
    try {
      drawn.push(inflateSync(pdf.subarray(at + 7, end)).toString('latin1'));
    } catch {
      // A font program, or another stream that is not compressed.
    }
  }
  return drawn.join('\n');
}

test('an order is a PDF named by its number, or a CSV with the columns of the template', async () => {
  const order = await makeOrder({
    ourReference: 'A. Berg',
    lines: [line({ price: '0.5', currency: 'EUR', requiredBy: '2027-01-15' })],
  });
  const pdf = await download(`/orders/${order.id}/document`);
  expect([pdf.status, pdf.type, pdf.name]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="${order.number}.pdf"`,
  ]);
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pagesOf(pdf.bytes)).toBe(1);
  const csv = await download(`/orders/${order.id}/document?format=csv`);
  expect([csv.status, csv.type, csv.name]).toEqual([
    200,
    'text/csv; charset=utf-8',
    `attachment; filename="${order.number}.csv"`,
  ]);
  const { itemNumber, itemName } = order.lines[0];
  expect(csv.bytes.toString()).toBe(
    `Pos.,Part,Description,Your part no.,MPN,Quantity,Unit,Price,Amount,Required by\r\n1,${itemNumber},${itemName},,,10,,0.5,5,2027-01-15\r\n`,
  );
  expect((await download(`/orders/${order.id}/document`, 'text/csv')).bytes.equals(csv.bytes)).toBe(true);
  expect((await download(`/orders/${order.id}/document`, 'image/png')).status).toBe(406);
  expect((await download(`/orders/${bolt}/document`)).status).toBe(404);
});

test('the template says columns, titles and words, and is kept until it is replaced', async () => {
  const order = await makeOrder({ lines: [line(), line({ quantity: 2.5 })] });
  const plain = await workspace.must(200, 'GET', '/order-template');
  expect(plain).toMatchObject({ sender: '', paper: 'A4', words: { purchaseOrder: 'Purchase order' } });
  const columns = [
    { field: 'itemNumber', title: 'Artikel' },
    { field: 'quantity', title: 'Menge' },
  ];
  const template = {
    sender: 'Rover Works AB\nPlant road 4',
    columns,
    words: { purchaseOrder: 'Bestellung' },
    paper: 'Letter',
    decimalSign: ',',
  };
  const saved = await workspace.must(200, 'PUT', '/order-template', template);
  expect(saved).toMatchObject({ ...template, words: { purchaseOrder: 'Bestellung', total: 'Total' } });
  expect(await workspace.must(200, 'GET', '/order-template')).toEqual(saved);
  const csv = await download(`/orders/${order.id}/document?format=csv`);
  const number = order.lines[0].itemNumber;
  expect(csv.bytes.toString()).toBe(`Artikel,Menge\r\n${number},10\r\n${number},2.5\r\n`);
  const pdf = await download(`/orders/${order.id}/document`);
  expect(pdf.bytes.toString('latin1')).toContain('/MediaBox [0 0 612 792]');
  expect(await workspace.must(200, 'PUT', '/order-template', {})).toEqual(plain);
});

test.each([
  [
    'a column twice',
    {
      columns: [
        { field: 'sku', title: 'A' },
        { field: 'sku', title: 'B' },
      ],
    },
    '/columns',
  ],
  ['no column', { columns: [] }, '/columns'],
  ['an unknown column', { columns: [{ field: 'colour', title: 'A' }] }, '/columns/0/field'],
  ['an empty word', { words: { total: ' ' } }, '/words/total'],
  ['a text that is too long', { footer: 'x'.repeat(2001) }, '/footer'],
])('a template with %s is refused', async (_, template, pointer) => {
  const { status, body } = await workspace.ask('PUT', '/order-template', template);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

test('a change of the template by a stale tag is refused', async () => {
  const { slug, key } = workspace;
  const put = (tag: string) =>
    server.request(`/api/wid/${slug}/order-template`, {
      method: 'PUT',
      key,
      body: { footer: tag },
      headers: { 'If-Match': `"${tag}"` },
    });
  expect((await put('0')).status).toBe(200);
  expect((await put('0')).status).toBe(412);
});

test('texts of many scripts are printed, and long ones are wrapped', async () => {
  await workspace.must(200, 'PUT', '/order-template', {
    sender: 'Ærø Værksted\nΘεσσαλονίκη\nСанкт-Петербург\nĐà Nẵng',
    header: '请在两天内确认此订单。 ご確認ください。 주문을 확인해 주십시오. \u{1F680} \u{10FFFD}',
    footer: 'word'.repeat(400),
  });
  const order = await makeOrder({ supplier: '采购有限公司' });
  const { status, bytes } = await download(`/orders/${order.id}/document`);
  expect(status).toBe(200);
  // Embedded by the subset that has the letters; ideographs are curves, and what no face has is a rectangle.
  const text = bytes.toString('latin1');
  expect(text.match(/\/FontName \/[A-Z]+\+IBMPlexSans/g)?.length).toBeGreaterThan(3);
  const drawing = drawingOf(bytes);
  expect(drawing.match(/\bre\b/g)).toHaveLength(1);
  expect(drawing.match(/ c\b/g)?.length).toBeGreaterThan(200);
});

test('characters without a font are named once below the lines, and fonts are opened once for all documents', async () => {
  const files = new FontFiles();
  const template = { ...plainTemplate, footer: 'a \u{10FFFD}\u{E000}' };
  const facts: [string, string][] = [['Note', '采购 \u{E000}']];
  const plain = {
    template,
    title: 'PO-1',
    recipient: [],
    recipientLabel: '',
    facts,
    rows: [],
    currencies: [],
    totals: [],
  };
  const faces = new Faces(files);
  expect(faces.glyphsOf('\u{E000}\u{1F469}\u200D\u{1F680}\uFE0F', 'regular').map(({ kind }) => kind)).toEqual(
    ['box', 'outline', 'outline'],
  );
  expect([...faces.unprinted]).toEqual(['\u{E000}']);
  const first = await drawDocument(plain, files);
  const { opened } = files;
  expect(opened).toBeGreaterThan(1);
  const second = await drawDocument(plain, files);
  expect([files.opened, files.size]).toEqual([opened, opened]);
  expect(second.length).toBe(first.length);
  const without = await drawDocument({ ...plain, template: plainTemplate, facts: [] }, files);
  const lettersOf = (pdf: Uint8Array) => drawingOf(Buffer.from(pdf)).match(/ T[jJ]\b/g)?.length ?? 0;
  expect(lettersOf(first)).toBeGreaterThan(lettersOf(without) + 1);
  // Files that were not used for long are closed.
  const few = new FontFiles(3);
  const ofFew = new Faces(few);
  for (const text of ['a', 'я', 'ω', '采', '购', '주', 'a']) ofFew.glyphsOf(text, 'regular');
  expect(few.size).toBe(3);
  expect(few.opened).toBeGreaterThan(3);
});

test('Hebrew and Arabic stand from right to left, with their letters joined, and numbers in them from left to right', () => {
  const faces = new Faces(new FontFiles());
  const printed = (text: string, width = 100) =>
    wrapText(faces, text, width, { size: 1 }).map((glyphs) => glyphs.map((glyph) => glyph.text).join(''));
  expect(printed('Part מספר 123 (abc) בורג')).toEqual(['Part 123 מספר (abc) בורג']);
  // Brackets between words that are read from right to left are mirrored.
  expect(printed('בורג (נירוסטה) 12')).toEqual(['12 (נירוסטה) בורג']);
  expect(printed('برغي ٢٥ ملم')).toEqual(['ملم ٢٥ برغي']);
  expect(printed('plain (text)')).toEqual(['plain (text)']);
  // A joined word is narrower than its letters by themselves, and is divided where a line is too short for it.
  const widthOf = (text: string) =>
    faces.glyphsOf(text, 'regular').reduce((sum, { width }) => sum + width, 0);
  const word = 'مستودع';
  expect(faces.glyphsOf(word, 'regular')).toHaveLength(1);
  expect(widthOf(word)).toBeLessThan([...word].reduce((sum, letter) => sum + widthOf(letter), 0));
  expect(printed(word, widthOf(word) * 0.7).length).toBeGreaterThan(1);
  expect(printed(word, widthOf(word) * 0.7).join('')).toBe(word);
  expect([...faces.unprinted]).toEqual([]);
});

test('a word of very many letters or marks is shaped in parts, and its outlines take little memory', () => {
  const faces = new Faces(new FontFiles());
  for (const [word, most] of [
    ['بتثجحخد'.repeat(60), 20],
    [`ب${'\u0651'.repeat(400)}`, 400],
  ] as const) {
    const glyphs = faces.glyphsOf(word, 'regular');
    expect(glyphs.map(({ text }) => text).join('')).toBe(word);
    expect(glyphs.length).toBeGreaterThan(1);
    expect(glyphs.length).toBeLessThan(most);
  }
  const [letter] = faces.glyphsOf('品', 'regular');
  expect(letter).toMatchObject({ path: expect.stringMatching(/^-?[\d.]+ -?[\d.]+ m [-\d. mlch]+ h$/) });
});

test('an order with too much text for the memory of printing is refused', async () => {
  const failed = Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const printing = vi.spyOn(server.ctx.documents, 'run').mockRejectedValueOnce(failed);
  const order = await makeOrder({ lines: [line()] });
  const { status, body } = await workspace.ask('GET', `/orders/${order.id}/document`);
  expect([status, body.code]).toEqual([422, 'document_too_large']);
  printing.mockRestore();
});

test('cancelled lines are left out, lines fill pages, and an order with too many is refused', async () => {
  const order = await makeOrder({ lines: Array.from({ length: 100 }, () => line()) });
  await workspace.must(200, 'POST', `/stock/lines/${order.lines[0].id}/cancel`, {});
  const csv = await download(`/orders/${order.id}/document?format=csv`);
  expect(csv.bytes.toString().trim().split('\r\n')).toHaveLength(100);
  expect(pagesOf((await download(`/orders/${order.id}/document`)).bytes)).toBeGreaterThan(2);
  for (let at = 0; at < 10; at++)
    await workspace.must(201, 'POST', `/orders/${order.id}/lines`, {
      lines: Array.from({ length: at === 9 ? 1 : 100 }, () => line()),
    });
  const { status, body } = await workspace.ask('GET', `/orders/${order.id}/document?format=csv`);
  expect([status, body.code]).toEqual([422, 'document_too_large']);
});
