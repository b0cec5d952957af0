/**
 * Joins what elements say of their link beside the quantity: the fields of ../../entities/link-line.ts. Elements with distinct find
 * numbers are lines of their own. All elements of a line say it together: designators are joined, and of the other fields the first value
 * counts. Elements without a find number belong to the first line. A value that cannot be taken is left out with a warning and never
 * refuses an element, because connectors have long been sending such fields as extras.
 */

import { cleanText } from '../../configuration/clean-text.ts';
import { normaliseGuid } from '../../db/ids.ts';
import {
  type LineField,
  linkLimits,
  type SaidFields,
  type SaidLine,
  type Substitute,
  saidOfLines,
  sortDesignators,
  sortSubstitutes,
} from '../../entities/links/link-line.ts';
import { showValue } from '../../json/show-value.ts';
import { type MicroDouble, microDoubleOf, numberOfMicroDouble } from '../../quantity.ts';
import type { RawLine, SyncElement } from './read-element.ts';
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

export interface JoinedElement {
  warnings: SyncWarning[];
  /** Whether the element is the first of a further line of its link. */
  opensLine: boolean;
}

/** The lines of one child's links, by parent. */
export class ChildLines {
  readonly #byParent = new Map<string, JoinedLink>();

  /** Adds the fields of an element, with warnings for those that could not be taken. */
  join({ index, parentGuid, quantityMicros }: SyncElement, raw: RawLine): JoinedElement {
    if (parentGuid === null) return { warnings: [], opensLine: false };
    let link = this.#byParent.get(parentGuid);
    if (link === undefined) {
      link = new JoinedLink();
      this.#byParent.set(parentGuid, link);
    }
    return link.join(index, raw, quantityMicros);
  }

  /** Returns the joined fields of the link to each parent, as JSON. `sums`: the quantities of links of several elements. */
  finish(sums: ReadonlyMap<string, MicroDouble> | null): ReadonlyMap<string, string> {
    const said = new Map<string, string>();
    for (const [parentGuid, link] of this.#byParent) {
      const text = JSON.stringify(link.finish(sums?.get(parentGuid) ?? 0));
      if (text !== '{}') said.set(parentGuid, text);
    }
    return said;
  }
}

/** The lines of a link by their find numbers. */
class JoinedLink {
  readonly #used: DesignatorRoom = { count: 0, chars: 0 };
  readonly #first = new JoinedLine(this.#used);
  readonly #further = new Map<string, { line: JoinedLine; quantity: MicroDouble }>();

  join(index: number, raw: RawLine, quantity: MicroDouble): JoinedElement {
    const find = textOf(raw.findNumber ?? null, linkLimits.findNumberCharsMax) ?? null;
    if (find === null || this.#first.isOf(find))
      return { warnings: this.#first.join(index, raw), opensLine: false };
    const known = this.#further.get(find);
    // Beyond the limit the quantity is added to the first line, with a warning of its find number.
    if (known === undefined && this.#further.size + 1 >= linkLimits.linesMax)
      return { warnings: this.#first.join(index, raw), opensLine: false };
    const { line } = known ?? { line: new JoinedLine(this.#used) };
    this.#further.set(find, { line, quantity: (known?.quantity ?? 0) + quantity });
    return { warnings: line.join(index, raw), opensLine: known === undefined };
  }

  /** The first line has what of the sum is not of the others. */
  finish(sum: MicroDouble): SaidLine {
    let rest = sum;
    for (const { quantity } of this.#further.values()) rest -= quantity;
    const further = [...this.#further.values()].map(({ line, quantity }) => ({
      ...line.finish(),
      quantity: numberOfMicroDouble(quantity),
    }));
    return saidOfLines([{ ...this.#first.finish(), quantity: numberOfMicroDouble(rest) }, ...further]);
  }
}

/** The designators of all lines of a link so far. */
interface DesignatorRoom {
  count: number;
  chars: number;
}

class JoinedLine {
  readonly #said: SaidFields = {};
  /** The place of the element that said each field first. */
  readonly #from: { [Field in LineField]?: number } = {};
  readonly #designators = new Set<string>();
  readonly #used: DesignatorRoom;

  constructor(used: DesignatorRoom) {
    this.#used = used;
  }

  /** Whether an element with this find number belongs to the line: a line without one takes the first that comes. */
  isOf(findNumber: string): boolean {
    return (this.#said.findNumber ?? findNumber) === findNumber;
  }

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

  finish(): SaidFields {
    const { referenceDesignators, ...rest } = this.#said;
    if (referenceDesignators === undefined) return rest;
    const all = sortDesignators(this.#designators);
    return { ...rest, referenceDesignators: all.length === 0 ? null : all };
  }

  #say(
    field: Exclude<LineField, 'referenceDesignators'>,
    value: SaidFields[typeof field],
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
        message: `${showValue(value)} was not taken: the element at index ${this.#from[field]} says ${showValue(before)} of the same link.`,
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
        const chars = this.#used.chars + designator.length + 1;
        if (this.#used.count >= designatorsMax || chars > designatorCharsOfAllMax) tooMany += 1;
        else {
          this.#designators.add(designator);
          this.#used.count += 1;
          this.#used.chars = chars;
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
    message: `"${field}" must be ${wanted}, not ${showValue(value)}; it was not taken.`,
  };
}
