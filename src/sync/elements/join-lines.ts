/**
 * Joins what elements say of their link beside the quantity: the fields of ../../entities/link-line.ts. All
 * elements of a link say it together: designators are joined, and of the other fields the first value counts. A
 * value that cannot be taken is left out with a warning and never refuses an element, because connectors have long
 * been sending such fields as extras.
 */

import { cleanText } from '../../configuration/clean-text.ts';
import { normaliseGuid } from '../../db/ids.ts';
import {
  type LineField,
  linkLimits,
  type SaidLine,
  type Substitute,
  sortDesignators,
  sortSubstitutes,
} from '../../entities/link-line.ts';
import { microDoubleOf } from '../../quantity.ts';
import type { RawLine, SyncElement } from './read-element.ts';
import { show } from './read-fields.ts';
import type { SyncWarning } from './sync-result.ts';

const texts = [
  ['findNumber', linkLimits.findNumberCharsMax],
  ['unit', linkLimits.unitCharsMax],
  ['note', linkLimits.noteCharsMax],
] as const;

interface ValueField {
  readonly field: 'substitutes' | 'lossPercent' | 'lossFixed' | 'phantom';
  /** In words, for warnings. */
  readonly wanted: string;
  /** Returns what is stored, null for none, undefined for what cannot be taken. */
  read(value: unknown): Substitute[] | number | boolean | null | undefined;
}

const values: readonly ValueField[] = [
  {
    field: 'substitutes',
    wanted: `a list of at most ${linkLimits.substitutesMax} items { guid, rank, ratio }`,
    read: substitutesOf,
  },
  {
    field: 'lossPercent',
    wanted: `a number from 0 to ${linkLimits.lossPercentMax} with at most 6 fractional digits`,
    read: (value) => lossOf(value, linkLimits.lossPercentMax),
  },
  {
    field: 'lossFixed',
    wanted: 'a quantity with at most 9 integer and 6 fractional digits',
    read: (value) => lossOf(value, Number.POSITIVE_INFINITY),
  },
  {
    field: 'phantom',
    wanted: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value || null : undefined),
  },
];

function lossOf(value: unknown, max: number): number | null | undefined {
  if (value === 0) return null;
  return microDoubleOf(value) === null || (value as number) > max ? undefined : (value as number);
}

function substitutesOf(value: unknown): Substitute[] | null | undefined {
  if (!Array.isArray(value) || value.length > linkLimits.substitutesMax) return undefined;
  const substitutes: Substitute[] = [];
  for (const [index, one] of value.entries()) {
    if (typeof one !== 'object' || one === null) return undefined;
    const { guid: text, rank = index + 1, ratio = 1 } = one as Record<string, unknown>;
    const guid = typeof text === 'string' ? normaliseGuid(text) : null;
    const isRank =
      Number.isInteger(rank) && (rank as number) >= 1 && (rank as number) <= linkLimits.substituteRankMax;
    if (guid === null || !isRank || microDoubleOf(ratio) === null) return undefined;
    substitutes.push({ guid, rank: rank as number, ratio: ratio as number });
  }
  return substitutes.length === 0 ? null : sortSubstitutes(substitutes);
}

/** The lines of one child's links, by parent. */
export class ChildLines {
  readonly #byParent = new Map<string, JoinedLine>();

  /** Adds the fields of an element, and returns warnings for those that could not be taken. */
  join({ index, parentGuid }: SyncElement, raw: RawLine): SyncWarning[] {
    if (parentGuid === null) return [];
    let line = this.#byParent.get(parentGuid);
    if (line === undefined) {
      line = new JoinedLine();
      this.#byParent.set(parentGuid, line);
    }
    return line.join(index, raw);
  }

  /** Returns the joined fields of the link to each parent, as JSON. */
  finish(): ReadonlyMap<string, string> {
    const said = new Map<string, string>();
    for (const [parentGuid, line] of this.#byParent) {
      const text = JSON.stringify(line.finish());
      if (text !== '{}') said.set(parentGuid, text);
    }
    return said;
  }
}

class JoinedLine {
  readonly #said: SaidLine = {};
  /** The place of the element that said each field first. */
  readonly #from: { [Field in LineField]?: number } = {};
  readonly #designators = new Set<string>();
  #chars = 0;

  join(index: number, raw: RawLine): SyncWarning[] {
    const warnings: SyncWarning[] = [];
    for (const [field, charsMax] of texts) {
      const value = raw[field];
      if (value === undefined) continue;
      const text = textOf(value, charsMax);
      if (text === undefined)
        warnings.push(invalid(field, value, `a text of at most ${charsMax} characters`));
      else this.#say(field, text, index, warnings);
    }
    if (raw.referenceDesignators !== undefined) this.#addDesignators(raw.referenceDesignators, warnings);
    for (const { field, read, wanted } of values) {
      const value = raw[field];
      if (value === undefined) continue;
      const taken = value === null ? null : read(value);
      if (taken === undefined) warnings.push(invalid(field, value, wanted));
      else this.#say(field, taken, index, warnings);
    }
    return warnings;
  }

  finish(): SaidLine {
    const { referenceDesignators, ...rest } = this.#said;
    if (referenceDesignators === undefined) return rest;
    const all = sortDesignators(this.#designators);
    return { ...rest, referenceDesignators: all.length === 0 ? null : all };
  }

  #say(
    field: Exclude<LineField, 'referenceDesignators'>,
    value: SaidLine[typeof field],
    index: number,
    warnings: SyncWarning[],
  ): void {
    const before = this.#said[field];
    // An element that says that there is none takes nothing back.
    if (before === undefined || (before === null && value !== null)) {
      Object.assign(this.#said, { [field]: value });
      this.#from[field] = index;
    } else if (value !== null && JSON.stringify(value) !== JSON.stringify(before)) {
      warnings.push({
        code: 'link_field_conflict',
        property: field,
        message: `${show(value)} was not taken: the element at index ${this.#from[field]} says ${show(before)} of the same link.`,
      });
    }
  }

  #addDesignators(value: unknown, warnings: SyncWarning[]): void {
    const { designatorsMax, designatorCharsMax, designatorCharsOfAllMax } = linkLimits;
    if (value !== null && !Array.isArray(value)) {
      warnings.push(invalid('referenceDesignators', value, 'a list of texts'));
      return;
    }
    this.#said.referenceDesignators = [];
    let [wrong, tooMany] = [0, 0];
    for (const one of value ?? []) {
      const designator = textOf(one, designatorCharsMax);
      if (designator === undefined) wrong += 1;
      else if (designator !== null && !this.#designators.has(designator)) {
        const chars = this.#chars + designator.length + 1;
        if (this.#designators.size >= designatorsMax || chars > designatorCharsOfAllMax) tooMany += 1;
        else {
          this.#designators.add(designator);
          this.#chars = chars;
        }
      }
    }
    if (wrong > 0) {
      const message = `${wrong} of the reference designators are no texts of at most ${designatorCharsMax} characters; they were not taken.`;
      warnings.push({ code: 'invalid_link_field', property: 'referenceDesignators', message });
    }
    if (tooMany > 0) {
      const message = `A link has at most ${designatorsMax} reference designators with ${designatorCharsOfAllMax} characters in all; ${tooMany} were not taken.`;
      warnings.push({ code: 'invalid_link_field', property: 'referenceDesignators', message });
    }
  }
}

/** Without the blanks around it; null where nothing is left, undefined where it is no such text. */
function textOf(value: unknown, charsMax: number): string | null | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || value.length > charsMax) return undefined;
  if (value.includes('\u0000') || !value.isWellFormed()) return undefined;
  return cleanText(value).trim() || null;
}

function invalid(field: LineField, value: unknown, wanted: string): SyncWarning {
  return {
    code: 'invalid_link_field',
    property: field,
    message: `"${field}" must be ${wanted}, not ${show(value)}; it was not taken.`,
  };
}
