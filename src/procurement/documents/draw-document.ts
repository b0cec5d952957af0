/** Prints an order as PDF. It runs in a thread (workers/document.ts). Rows, columns, characters and lines of a cell are bounded. */

import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { amountDigits } from '../../../clients/typescript/amount-text.ts';
import { documentLimits } from '../../config.ts';
import type { Cell } from '../../http/csv-line.ts';
import { Faces, type FontFiles, type Glyph } from './faces.ts';
import type { OrderDocument } from './order-document.ts';
import type { DocumentField } from './order-template.schema.ts';
import { drawLine, type TextStyle, widthOf, wrapText } from './text-lines.ts';

const MARGIN = 45;
const FOOT = 60;
const SIZE = 9;
const SMALL = 7.5;
const LARGE = 16;
const LEADING = 1.35;
const GAP = 6;
/** The ascent of a line, as a part of its size. */
const ASCENT = 1;
const MUTED = '#555555';
/** How much of the width a column takes, and whether its cells are aligned to the right. */
const shapes: Record<DocumentField, { share: number; isNumber?: true }> = {
  position: { share: 1.2, isNumber: true },
  itemNumber: { share: 3 },
  itemName: { share: 5 },
  itemRevision: { share: 1.6 },
  sku: { share: 3 },
  manufacturer: { share: 3 },
  mpn: { share: 3 },
  quantity: { share: 2, isNumber: true },
  unit: { share: 1.6 },
  packs: { share: 1.6, isNumber: true },
  packQuantity: { share: 1.8, isNumber: true },
  price: { share: 2.2, isNumber: true },
  currency: { share: 2 },
  amount: { share: 2.4, isNumber: true },
  requiredBy: { share: 3.4 },
  location: { share: 3 },
  lineNumber: { share: 2.6 },
  state: { share: 2 },
};
const decimalFields: ReadonlySet<DocumentField> = new Set([
  'quantity',
  'packs',
  'packQuantity',
  'price',
  'amount',
]);

export async function drawDocument(order: OrderDocument, files: FontFiles): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: order.template.paper === 'A4' ? 'A4' : 'LETTER',
    margin: 0,
    info: { Title: order.title, Producer: 'Partbook', Creator: 'Partbook' },
  });
  const bytes = buffer(pdf);
  new Press(pdf, order, files).print();
  pdf.end();
  return bytes;
}

interface Column {
  field: DocumentField;
  title: string;
  x: number;
  width: number;
  align: 'left' | 'right';
}

class Press {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #order: OrderDocument;
  readonly #faces: Faces;
  readonly #columns: readonly Column[];
  #y = MARGIN;
  #page = 1;

  constructor(pdf: PDFKit.PDFDocument, order: OrderDocument, files: FontFiles) {
    this.#faces = new Faces(files);
    this.#pdf = pdf;
    this.#order = order;
    this.#columns = columnsOf(order, pdf.page.width - 2 * MARGIN);
  }

  print(): void {
    this.#head();
    this.#titles();
    for (const [at, row] of this.#order.rows.entries()) this.#row(row, this.#order.currencies[at] ?? null);
    this.#totals();
    this.#note();
    this.#foot();
  }

  #head(): void {
    const { template, title, recipient, recipientLabel, facts } = this.#order;
    const width = this.#width();
    const [name = '', ...address] = linesOf(template.sender, documentLimits.senderLinesMax);
    const top = this.#y;
    this.#block([name], { x: MARGIN, width: width / 2, size: 11, weight: 'bold' });
    this.#block(address, { x: MARGIN, width: width / 2, size: SIZE, color: MUTED });
    const below = this.#y;
    this.#y = top;
    this.#block([title], {
      x: MARGIN + width / 2,
      width: width / 2,
      size: LARGE,
      weight: 'bold',
      align: 'right',
    });
    for (const [label, value] of facts)
      this.#block([`${label}: ${value}`], {
        x: MARGIN + width / 2,
        width: width / 2,
        size: SIZE,
        align: 'right',
      });
    this.#y = Math.max(below, this.#y) + 18;
    if (recipient.length > 0) {
      this.#block([recipientLabel], { x: MARGIN, width: width / 2, size: SMALL, color: MUTED });
      const shown = recipient.slice(0, documentLimits.senderLinesMax);
      this.#block(shown, { x: MARGIN, width: width / 2, size: SIZE + 1 });
      this.#y += 12;
    }
    const header = linesOf(template.header, documentLimits.headerLinesMax);
    if (header.length > 0) {
      this.#block(header, { x: MARGIN, width, size: SIZE });
      this.#y += 8;
    }
  }

  #titles(): void {
    const cells = this.#columns.map(({ title, width }) =>
      wrapText(this.#faces, title, width, { size: SMALL, weight: 'bold' }),
    );
    const height = heightOf(cells, SMALL);
    for (const [index, column] of this.#columns.entries())
      this.#lines(cells[index] as Glyph[][], column, { size: SMALL, weight: 'bold', align: column.align });
    this.#y += height + 2;
    this.#rule('#000000');
    this.#y += 4;
  }

  #row(row: readonly Cell[], currency: string | null): void {
    const cells = this.#columns.map(({ field, width }, index) =>
      wrapText(this.#faces, this.#textOf(row[index], field, currency), width, { size: SIZE }),
    );
    const height = heightOf(cells, SIZE);
    if (this.#y + height > this.#bottom()) {
      this.#nextPage();
      this.#titles();
    }
    for (const [index, column] of this.#columns.entries())
      this.#lines(cells[index] as Glyph[][], column, { size: SIZE, align: column.align });
    this.#y += height + 3;
    this.#rule('#cccccc');
    this.#y += 3;
  }

  #totals(): void {
    const { template, totals } = this.#order;
    for (const total of totals.slice(0, documentLimits.totalsMax)) {
      if (this.#y + SIZE * LEADING + 6 > this.#bottom()) this.#nextPage();
      this.#y += 4;
      const text = `${template.words.total}: ${this.#decimal(total)}`;
      this.#block([text], {
        x: MARGIN,
        width: this.#width(),
        size: SIZE + 1,
        weight: 'bold',
        align: 'right',
      });
    }
  }

  /** Names the characters that are boxes: who reads the document can then ask for them. */
  #note(): void {
    // The foot of the last page is printed behind the note.
    for (const text of this.#footer()) this.#faces.glyphsOf(text, 'regular');
    const unprinted = [...this.#faces.unprinted];
    if (unprinted.length === 0) return;
    const { unprintedMax } = documentLimits;
    const codes = unprinted.slice(0, unprintedMax).map(codeOf).join(', ');
    const more = unprinted.length > unprintedMax ? ' …' : '';
    const text = `${this.#order.template.words.unprinted}: ${codes}${more}`;
    const lines = wrapText(this.#faces, text, this.#width(), { size: SMALL });
    if (this.#y + 8 + lines.length * SMALL * LEADING > this.#bottom()) this.#nextPage();
    this.#y += 8;
    this.#block([text], { x: MARGIN, width: this.#width(), size: SMALL, color: MUTED });
  }

  #footer(): string[] {
    return linesOf(this.#order.template.footer, documentLimits.footerLinesMax);
  }

  #foot(): void {
    this.#y = this.#bottom() + 8;
    this.#block(this.#footer(), { x: MARGIN, width: this.#width() - 60, size: SMALL, color: MUTED });
    this.#y = this.#bottom() + 8;
    const width = this.#width();
    this.#block([String(this.#page)], { x: MARGIN, width, size: SMALL, color: MUTED, align: 'right' });
  }

  #textOf(cell: Cell, field: DocumentField, currency: string | null): string {
    if (cell === null || cell === undefined) return '';
    const isMoney = field === 'price' || field === 'amount';
    const text = (isMoney ? amountDigits(String(cell), currency) : String(cell)).slice(
      0,
      documentLimits.cellCharsMax,
    );
    return decimalFields.has(field) ? this.#decimal(text) : text;
  }

  #decimal(text: string): string {
    return text.replace('.', this.#order.template.decimalSign);
  }

  /** Paragraphs one below the other, wrapped. */
  #block(
    paragraphs: readonly string[],
    { x, width, ...style }: TextStyle & { x: number; width: number },
  ): void {
    for (const paragraph of paragraphs) {
      const lines = wrapText(this.#faces, paragraph, width, style);
      this.#lines(lines, { x, width }, style);
      this.#y += lines.length * style.size * LEADING;
    }
  }

  #lines(lines: readonly Glyph[][], { x, width }: { x: number; width: number }, style: TextStyle): void {
    for (const [index, line] of lines.entries()) {
      const left = style.align === 'right' ? x + width - widthOf(line, style.size) : x;
      drawLine(
        this.#pdf,
        line,
        { x: left, baseline: this.#y + (index * LEADING + ASCENT) * style.size },
        style,
      );
    }
  }

  #rule(color: string): void {
    const end = this.#pdf.page.width - MARGIN;
    this.#pdf.lineWidth(0.5).moveTo(MARGIN, this.#y).lineTo(end, this.#y).stroke(color);
  }

  #nextPage(): void {
    this.#foot();
    this.#pdf.addPage();
    this.#page++;
    this.#y = MARGIN;
  }

  #width(): number {
    return this.#pdf.page.width - 2 * MARGIN;
  }

  #bottom(): number {
    return this.#pdf.page.height - MARGIN - FOOT;
  }
}

function heightOf(cells: readonly Glyph[][][], size: number): number {
  return Math.max(1, ...cells.map((lines) => lines.length)) * size * LEADING;
}

/** Such as `U+0E01`. */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function linesOf(text: string, most: number): string[] {
  if (text.trim() === '') return [];
  return text.split(/\r\n|\n/).slice(0, most);
}

function columnsOf({ template }: OrderDocument, width: number): Column[] {
  const all = template.columns.reduce((sum, { field }) => sum + shapes[field].share, 0);
  const room = width - GAP * (template.columns.length - 1);
  let x = MARGIN;
  return template.columns.map(({ field, title }) => {
    const { share, isNumber } = shapes[field];
    const column = {
      field,
      title,
      x,
      width: (room * share) / all,
      align: isNumber ? 'right' : 'left',
    } as const;
    x += column.width + GAP;
    return column;
  });
}
