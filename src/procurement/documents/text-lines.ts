/** Lines of printed text: where a text is broken, in which order its glyphs stand, and how they are drawn. */
import { documentLimits } from '../../config.ts';
import type { Faces, Glyph, Weight } from './faces.ts';
import { inVisualOrder, isRightToLeft } from './visual-order.ts';

/** Outlines have one weight: a stroke makes them bold. As a part of the size of the text. */
const BOLD_STROKE = 0.03;

export interface TextStyle {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/**
 * Breaks a text into lines: at blanks, between ideographs, and within words that are too long. The glyphs of each line stand from left to
 * right.
 */
export function wrapText(
  faces: Faces,
  text: string,
  width: number,
  { size, weight = 'regular' }: TextStyle,
): Glyph[][] {
  const lines: Glyph[][] = [];
  let line: Glyph[] = [];
  let used = 0;
  const end = () => {
    lines.push(line);
    line = [];
    used = 0;
  };
  for (const piece of text.match(pieces) ?? []) {
    const isBlank = piece.trim() === '';
    const glyphs = faces.glyphsOf(isBlank ? ' ' : piece, weight);
    if (used + widthOf(glyphs, size) > width && line.length > 0) end();
    if (isBlank && line.length === 0) continue;
    for (const glyph of glyphs.flatMap((whole) => partsOf(faces, whole, width / size, weight))) {
      if (used + glyph.width * size > width && line.length > 0) end();
      line.push(glyph);
      used += glyph.width * size;
    }
    if (lines.length >= documentLimits.cellLinesMax) break;
  }
  if (line.length > 0) end();
  const shown = lines.slice(0, documentLimits.cellLinesMax);
  if (!isRightToLeft.test(text)) return shown;
  return shown.map((glyphs) => inVisualOrder(glyphs, text, (mirrored) => faces.glyphsOf(mirrored, weight)));
}

/** A shaped word that is wider than a line is shaped again in halves. */
function partsOf(faces: Faces, glyph: Glyph, width: number, weight: Weight): Glyph[] {
  const letters = [...glyph.text];
  if (glyph.width <= width || letters.length < 2) return [glyph];
  const half = Math.ceil(letters.length / 2);
  return [letters.slice(0, half), letters.slice(half)].flatMap((part) =>
    faces.glyphsOf(part.join(''), weight).flatMap((one) => partsOf(faces, one, width, weight)),
  );
}

/** `baseline` is where the letters stand. */
export function drawLine(
  pdf: PDFKit.PDFDocument,
  line: readonly Glyph[],
  at: { x: number; baseline: number },
  style: TextStyle,
): void {
  const { size, weight = 'regular', color = '#000000' } = style;
  const { baseline } = at;
  let { x } = at;
  for (const run of runsOf(line)) {
    const [first] = run as [Glyph];
    if (first.kind === 'embedded') {
      const text = run.map((glyph) => (glyph.kind === 'embedded' ? glyph.text : '')).join('');
      pdf.fillColor(color).font(first.file).fontSize(size);
      pdf.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: [] });
    } else if (first.kind === 'outline') {
      const scale = first.scale * size;
      pdf.save().translate(x, baseline).scale(scale, -scale);
      pdf.addContent(first.path);
      if (weight === 'bold') pdf.lineWidth(BOLD_STROKE / first.scale).fillAndStroke(color, color);
      else pdf.fill(color);
      pdf.restore();
    } else {
      pdf
        .lineWidth(0.5)
        .rect(x + 0.08 * size, baseline - 0.65 * size, 0.5 * size, 0.65 * size)
        .stroke(color);
    }
    x += widthOf(run, size);
  }
}

export function widthOf(glyphs: readonly Glyph[], size: number): number {
  return glyphs.reduce((sum, { width }) => sum + width * size, 0);
}

/** Blanks, ideographs and syllables by themselves, and words. */
const pieces =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/** Neighbours of one embedded face are printed together. */
function runsOf(line: readonly Glyph[]): Glyph[][] {
  const runs: Glyph[][] = [];
  for (const glyph of line) {
    const last = runs.at(-1);
    const before = last?.[0];
    const isSame = glyph.kind === 'embedded' && before?.kind === 'embedded' && before.file === glyph.file;
    if (isSame) last?.push(glyph);
    else runs.push([glyph]);
  }
  return runs;
}
