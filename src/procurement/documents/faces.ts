/**
 * The faces of printed text. IBM Plex Sans is embedded. Characters that it lacks are drawn as outlines of Noto Sans: PDF viewers do not
 * show embedded parts of its compressed variable files. Words of Hebrew and Arabic are shaped as a whole. A character that no face has is
 * drawn as a box.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type Font, type GlyphPosition, openSync, type Path } from 'fontkit';
import { documentLimits } from '../../config.ts';

const { resolve } = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(resolve(`${name}/package.json`));

const plex = folderOf('@fontsource/ibm-plex-sans');
const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;
const weights = { regular: 400, bold: 600 } as const;
export type Weight = keyof typeof weights;

const outlined = [
  { name: '@fontsource-variable/noto-sans-sc', style: 'wght' },
  { name: '@fontsource-variable/noto-sans-kr', style: 'wght' },
  { name: '@fontsource/noto-sans-hebrew', style: '400' },
  { name: '@fontsource/noto-sans-arabic', style: '400' },
  { name: '@fontsource/noto-emoji', style: '400' },
].map(({ name, style }) => {
  const folder = folderOf(name);
  const face = basename(name);
  return { folder, fileOf: (part: string) => join(folder, 'files', `${face}-${part}-${style}-normal.woff2`) };
});

/** A character, or a word of Hebrew or Arabic, as it is printed. Widths are parts of the size of the text. */
export type Glyph =
  | { kind: 'embedded'; file: string; text: string; width: number }
  | { kind: 'outline' /** Operators of PDF. */; path: string; scale: number; text: string; width: number }
  | { kind: 'box'; text: string; width: number };

/** Characters that only say how their neighbours look, such as the joiners of emoji. */
const INVISIBLE = /^[\p{Cf}\p{Variation_Selector}]$/u;

/**
 * Words whose letters stand from right to left, and all other characters by themselves. At most 48 letters and marks of a word are shaped as a
 * whole: shaping takes more than linear time, and marks without end would have no width.
 */
const shapes =
  /[[\p{Script=Hebrew}\p{Script=Arabic}]&&\p{L}][[[\p{Script=Hebrew}\p{Script=Arabic}]&&\p{L}]\p{Mn}\u200C\u200D]{0,47}|./gsv;

const BOX_WIDTH = 0.7;

/** The files of faces, opened when a text first needs them and kept for the next documents: those that were used last. */
export class FontFiles {
  /** The one that was used last stands last. */
  readonly #open = new Map<string, Font>();
  readonly parts = outlined.map(({ folder, fileOf }) => ({ fileOf, ranges: rangesOf(folder) }));
  /** Number of files that were opened so far. */
  opened = 0;
  readonly #most: number;

  constructor(most: number = documentLimits.openFontsMax) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  font(file: string): Font {
    const font = this.#open.get(file) ?? this.#read(file);
    this.#open.delete(file);
    this.#open.set(file, font);
    const [oldest] = this.#open.keys();
    if (this.#open.size > this.#most && oldest !== undefined) this.#open.delete(oldest);
    return font;
  }

  #read(file: string): Font {
    this.opened += 1;
    return openSync(file) as Font;
  }
}

/** The faces of one document. */
export class Faces {
  readonly #files: FontFiles;
  readonly #glyphs = { regular: new Map<string, Glyph>(), bold: new Map<string, Glyph>() };
  /** Characters that no face has, in the order in which they came. */
  readonly unprinted = new Set<string>();

  constructor(files: FontFiles) {
    this.#files = files;
  }

  /** Returns the glyphs of a text without line breaks. */
  glyphsOf(text: string, weight: Weight): Glyph[] {
    const wholes = text.normalize('NFC').match(shapes) ?? [];
    return wholes
      .filter((whole) => !INVISIBLE.test(whole))
      .flatMap((whole) =>
        isWord(whole) ? (this.#word(whole) ?? this.#each(whole, weight)) : this.#glyphOf(whole, weight),
      );
  }

  /** Characters by themselves. */
  #each(text: string, weight: Weight): Glyph[] {
    return [...text]
      .filter((character) => !INVISIBLE.test(character))
      .map((character) => this.#glyphOf(character, weight));
  }

  #glyphOf(character: string, weight: Weight): Glyph {
    const known = this.#glyphs[weight].get(character);
    if (known !== undefined) return known;
    const glyph = this.#embedded(character, weight) ??
      this.#outline(character) ?? { kind: 'box', text: character, width: BOX_WIDTH };
    if (glyph.kind === 'box') this.unprinted.add(character);
    this.#glyphs[weight].set(character, glyph);
    return glyph;
  }

  #embedded(text: string, weight: Weight): Glyph | null {
    const point = text.codePointAt(0) as number;
    for (const subset of subsets) {
      const file = join(plex, 'files', `ibm-plex-sans-${subset}-${weights[weight]}-normal.woff`);
      const font = this.#files.font(file);
      if (!font.hasGlyphForCodePoint(point)) continue;
      return { kind: 'embedded', file, text, width: widthIn(font, point) };
    }
    return null;
  }

  #outline(text: string): Glyph | null {
    const point = text.codePointAt(0) as number;
    const font = this.#outlineFont(point);
    if (font === null) return null;
    const path = operatorsOf(font.glyphForCodePoint(point).path);
    return { kind: 'outline', path, scale: 1 / font.unitsPerEm, text, width: widthIn(font, point) };
  }

  /** A word with its letters joined and its marks placed; null where the face lacks one of them. */
  #word(text: string): Glyph | null {
    const font = this.#outlineFont(text.codePointAt(0) as number);
    if (font === null) return null;
    const { glyphs, positions } = font.layout(text);
    if (glyphs.some(({ id }) => id === NOT_IN_FACE)) return null;
    let x = 0;
    const paths = glyphs.map(({ path }, index) => {
      const { xAdvance, xOffset, yOffset } = positions[index] as GlyphPosition;
      const placed = operatorsOf(path.translate(x + xOffset, yOffset));
      x += xAdvance;
      return placed;
    });
    return {
      kind: 'outline',
      path: paths.join(' '),
      scale: 1 / font.unitsPerEm,
      text,
      width: x / font.unitsPerEm,
    };
  }

  /** The font of the first face that has the character. */
  #outlineFont(point: number): Font | null {
    for (const { fileOf, ranges } of this.#files.parts) {
      for (const { part } of ranges.filter(({ from, to }) => point >= from && point <= to)) {
        const font = this.#files.font(fileOf(part));
        if (font.hasGlyphForCodePoint(point)) return font;
      }
    }
    return null;
  }
}

const NOT_IN_FACE = 0;

function isWord(whole: string): boolean {
  return whole.length > 1 && /\p{L}/u.test(whole) && /^[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(whole);
}

/**
 * Returns a path as one text of operators of PDF, in whole units of the font, which are finer than print: one of many thousands of outlines is small
 * in memory then.
 */
function operatorsOf({ commands }: Path): string {
  let [atX, atY] = [0, 0];
  const words: (number | string)[] = [];
  for (const { command, args } of commands) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = args;
    if (command === 'quadraticCurveTo') {
      // PDF has no quadratic curves.
      const third = (from: number, to: number) => Math.round(from + (2 / 3) * (to - from));
      words.push(
        third(atX, x1),
        third(atY, y1),
        third(x2, x1),
        third(y2, y1),
        Math.round(x2),
        Math.round(y2),
        'c',
      );
    } else words.push(...args.map(Math.round), operators[command]);
    [atX, atY] = [args.at(-2) ?? atX, args.at(-1) ?? atY];
  }
  return words.join(' ');
}

const operators = { moveTo: 'm', lineTo: 'l', bezierCurveTo: 'c', closePath: 'h' } as const;

function widthIn(font: Font, point: number): number {
  return font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm;
}

/** The code points of each file of a face, as its package lists them: "[4]": "U+1f1e9-1f1f5,U+1f21a". */
function rangesOf(folder: string): { from: number; to: number; part: string }[] {
  const listed: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'));
  return Object.entries(listed).flatMap(([part, ranges]) =>
    ranges.split(',').map((range) => {
      const [from = '', to = from] = range.replace('U+', '').split('-');
      return {
        from: Number.parseInt(from, 16),
        to: Number.parseInt(to, 16),
        part: part.replaceAll(/[[\]]/g, ''),
      };
    }),
  );
}
