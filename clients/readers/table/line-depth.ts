/** Reads how deep a line stands, in the notations that tools use. */
import type { ImportDefinition } from '../definition/import-definition.schema.ts';
import { FileFault, type Place } from '../findings.ts';

/**
 * Answers the depth of the next line; 0 is the topmost. A jump down by more than one level is a fault. `own` are the texts by which
 * other lines may name this line.
 */
export type DepthOf = (text: string, place: Place, own: readonly string[]) => number;

export function depthReader(structure: ImportDefinition['structure']): DepthOf {
  switch (structure) {
    case 'levels':
      return noJumps(levels());
    case 'dots':
      return noJumps(dots());
    case 'items':
      return items();
    case 'indented':
      return indents();
    case 'columns':
      return noJumps(columnsOfLevels());
    case 'paths':
      return paths();
    default:
      return () => 0;
  }
}

/** A number of a level: `2`, `..2`, `L2`, `--2`, `+2`, `Level 2`, `2.`. */
export const levelNumber =
  /^[.\s\-+*>_|]*(?:(?:l|lv|lvl|level|stufe|ebene|niveau|nivel|livello|poziom|уровень|层级?|階層?|:)[.\s\-_:]*)?(\d{1,4})\.?$/i;

/** A number from 0 or 1: the first line says which. */
function levels(): DepthOf {
  let base: number | null = null;
  return (text, place) => {
    const found = levelNumber.exec(text.trim());
    if (found === null) throw new FileFault('level_unreadable', `"${text}" is no level.`, place);
    const level = Number(found[1]);
    base ??= level;
    if (level < base) {
      throw new FileFault(
        'level_jump',
        `Level ${level} stands below a list that begins with level ${base}.`,
        place,
      );
    }
    return level - base;
  };
}

/** The signs by which a text stands deeper: `..`, `+ +`, `--`, `>>`. */
export function marksBefore(text: string): string {
  return /^[\s.\-+*>·•_|└├─│]*/.exec(text)?.[0] ?? '';
}

/** The place of the column among those that are levels; -1 where none is filled. */
function columnsOfLevels(): DepthOf {
  return (text, place) => {
    if (text === '-1')
      throw new FileFault('level_unreadable', 'None of the columns for levels is filled.', place);
    return Number(text);
  };
}

function dots(): DepthOf {
  let base: number | null = null;
  return (text, place) => {
    const depth = marksBefore(text).replaceAll(/\s/g, '').length;
    base ??= depth;
    if (depth < base) throw new FileFault('level_jump', 'A line has fewer dots than the first one.', place);
    return depth - base;
  };
}

function noJumps(read: DepthOf): DepthOf {
  let last = -1;
  return (text, place, own) => {
    const depth = read(text, place, own);
    if (depth > last + 1) {
      throw new FileFault(
        'level_jump',
        `The list goes down by ${depth - last} levels at once: a line between is missing.`,
        place,
      );
    }
    last = depth;
    return depth;
  };
}

const ITEMS_MAX = 2_000_000;

/** An index as it is compared: `1.`, `1.0` and `1.0.0` are the item 1. */
export function plainItem(text: string): string {
  return text
    .trim()
    .replace(/\.$/, '')
    .replace(/(?:\.0+){1,20}$/, '');
}

/** `1.10` is the tenth of `1`; the line above it that is `1` must be there. The same item twice is a fault: 1.10 has become 1.1. */
function items(): DepthOf {
  const seen = new Set<string>();
  const stack: string[] = [];
  // A list may begin with 2.1 where it is a piece of a larger one; what stands above in it must be there.
  let shallowestBefore = Number.POSITIVE_INFINITY;
  return (text, place) => {
    const item = plainItem(text);
    if (!/^[A-Za-z0-9]+(?:[./-][A-Za-z0-9]+)*$/.test(item)) {
      throw new FileFault('level_unreadable', `"${text}" is no item number.`, place);
    }
    if (seen.has(item)) {
      throw new FileFault(
        'item_twice',
        `Item ${item} stands there twice. A spreadsheet turns 1.10 into 1.1: make the column text.`,
        place,
      );
    }
    if (seen.size >= ITEMS_MAX)
      throw new FileFault('too_many_parts', `A file may have ${ITEMS_MAX} lines.`, place);
    seen.add(item);
    const shallowest = shallowestBefore;
    shallowestBefore = Math.min(shallowestBefore, depthOfItem(item));
    while (stack.length > 0 && !isBelow(item, stack.at(-1) as string)) stack.pop();
    const parent = /^(.*)[./-][^./-]+$/.exec(item)?.[1];
    const isJump =
      stack.length > 0 ? stack.at(-1) !== parent : parent !== undefined && depthOfItem(parent) >= shallowest;
    if (isJump) {
      throw new FileFault('level_jump', `Item ${item} stands below no item ${parent}.`, place);
    }
    stack.push(item);
    return stack.length - 1;
  };
}

/** The signs between the steps of a path. */
export const pathSigns = ['/', '\\', '>', '|', '»', '→'] as const;

/**
 * The way down from the top: `A/B` names the lines above by their keys or names. The first path that is not empty says whether the
 * line itself is its last step. Each step must be a line above.
 */
function paths(): DepthOf {
  const stack: (readonly string[])[] = [];
  let sign: string | null = null;
  let isSelfNamed: boolean | null = null;
  return (text, place, own) => {
    sign ??= pathSigns.find((one) => text.includes(one)) ?? null;
    const steps = (sign === null ? [text] : text.split(sign)).map((step) => step.trim()).filter(Boolean);
    if (steps.length > 0) isSelfNamed ??= own.includes(steps.at(-1) as string);
    if (isSelfNamed === true && !own.includes(steps.pop() ?? ''))
      throw new FileFault('level_unreadable', `The path "${text}" does not end in the line itself.`, place);
    const missing = steps.find((step, depth) => stack[depth]?.includes(step) !== true);
    if (missing !== undefined) {
      const message = `The path "${text}" goes through "${missing}", which is not the line above.`;
      throw new FileFault('level_jump', message, place);
    }
    stack.length = steps.length;
    stack.push(own);
    return steps.length;
  };
}

function depthOfItem(item: string): number {
  return item.split(/[./-]/).length;
}

function isBelow(item: string, above: string): boolean {
  return item.startsWith(above) && /^[./-]/.test(item.slice(above.length));
}

/** Blanks before the text, of whatever width: a line is in the nearest one above that stands further left. */
function indents(): DepthOf {
  const widths: number[] = [];
  return (text, place) => {
    const width = widthOf(text);
    if (widths.length === 0 || width > (widths.at(-1) as number)) {
      widths.push(width);
      return widths.length - 1;
    }
    while (widths.length > 1 && width < (widths.at(-1) as number)) widths.pop();
    if (width !== widths.at(-1)) {
      throw new FileFault('level_jump', 'The indentation of this line is that of no line above.', place);
    }
    return widths.length - 1;
  };
}

const TAB_WIDTH = 4;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character === '\t') width += TAB_WIDTH - (width % TAB_WIDTH);
    else if (' \u00a0\u3000│├└─|'.includes(character)) width += 1;
    else break;
  }
  return width;
}
