/** The order in which glyphs stand on paper where a text has Hebrew or Arabic in it, by the Unicode Bidirectional Algorithm. */
import bidiModule from 'bidi-js';
import type { Glyph } from './faces.ts';

/** Its types describe a module with a default export; Node loads the function itself. */
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

/** A text with a character whose direction is from right to left. */
export const isRightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/**
 * Returns the glyphs of a line from left to right. The first letter of the paragraph decides on which side the line begins. Brackets that
 * are read from right to left are mirrored.
 */
export function inVisualOrder(
  line: readonly Glyph[],
  paragraph: string,
  glyphsOf: (text: string) => readonly Glyph[],
): Glyph[] {
  const base = bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
  const { levels } = bidi.getEmbeddingLevels(line.map(({ text }) => text).join(''), base);
  let at = 0;
  const placed = line.map((glyph) => {
    const level = levels[at] ?? 0;
    at += glyph.text.length;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(glyph.text) : null;
    return { level, glyph: (mirrored === null ? null : glyphsOf(mirrored)[0]) ?? glyph };
  });
  const levelsThere = placed.map(({ level }) => level);
  for (let level = Math.max(...levelsThere); level > 0; level--) reverseRuns(placed, level);
  return placed.map(({ glyph }) => glyph);
}

/** Reverses each run of glyphs of at least this level. */
function reverseRuns(placed: { level: number; glyph: Glyph }[], level: number): void {
  for (let from = 0; from < placed.length; from++) {
    let to = from;
    while (to < placed.length && (placed[to]?.level ?? 0) >= level) to++;
    placed.splice(from, to - from, ...placed.slice(from, to).reverse());
    from = to;
  }
}
