/**
 * Joins what elements say of their link beside the quantity: find number, reference designators, unit, note. All
 * elements of a link say it together: designators are joined, and of the other fields the first value counts. A
 * value that cannot be taken is left out with a warning and never refuses an element, because connectors have long
 * been sending such fields as extras.
 */
import { cleanText } from '../../configuration/clean-text.ts';
import { type LineField, linkLimits, type SaidLine, sortDesignators } from '../../entities/link-line.ts';
import type { RawLine, SyncElement } from './read-element.ts';
import { show } from './read-fields.ts';
import type { SyncWarning } from './sync-result.ts';

const texts = [
  ['findNumber', linkLimits.findNumberCharsMax],
  ['unit', linkLimits.unitCharsMax],
  ['note', linkLimits.noteCharsMax],
] as const;

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
    text: string | null,
    index: number,
    warnings: SyncWarning[],
  ): void {
    const before = this.#said[field];
    // Whoever says that there is none takes nothing back.
    if (before === undefined || (before === null && text !== null)) {
      this.#said[field] = text;
      this.#from[field] = index;
    } else if (text !== null && text !== before) {
      warnings.push({
        code: 'link_field_conflict',
        property: field,
        message: `${show(text)} was not taken: the element at index ${this.#from[field]} says ${show(before)} of the same link.`,
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
