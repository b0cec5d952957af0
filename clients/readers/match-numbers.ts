/**
 * Finds the parts of a file that a workspace has already, by number: they are proposed as those parts, and not created beside them. The
 * app, the command line and the service ask in their own ways and share this.
 */
import type { ImportDefinition } from './definition/import-definition.schema.ts';
import { FileFault, type Findings } from './findings.ts';
import type { ReadingOptions } from './read-elements.ts';

/** GUIDs by number. */
export type KnownGuids = ReadonlyMap<string, string>;

/** Returns the GUIDs of the entities that have each number, at most two of each; null stands for an entity without one. */
export type LookUp = (
  numbers: readonly string[],
) => Promise<readonly { number: string; guids: readonly (string | null)[] }[]>;

/** The numbers of a longer list are not looked up. */
const NUMBERS_MAX = 100_000;
const LOOKED_UP_AT_ONCE = 500;
const NUMBER_CHARACTERS_MAX = 255;

/** Whether the keys of the file are numbers that may be looked up: a key beside the number is none. */
export function isMatched({ match, columns }: Pick<ImportDefinition, 'match' | 'columns'>): boolean {
  return match !== 'guid' && (columns.key === undefined || columns.number === undefined);
}

/** Collects the GUIDs that are made for the keys of a file. */
export class MadeGuids {
  readonly byKey = new Map<string, string>();
  #isComplete = true;

  readonly note = (key: string, guid: string): string => {
    if (this.byKey.size < NUMBERS_MAX) this.byKey.set(key, guid);
    else if (!this.byKey.has(key)) this.#isComplete = false;
    return guid;
  };

  /** Throws or reports that there are too many numbers to look up. */
  requireComplete(match: ImportDefinition['match'], findings: Findings): boolean {
    if (this.#isComplete) return true;
    const message = `The file has more than ${NUMBERS_MAX} numbers: none of them is looked up.`;
    if (match === 'number') {
      throw new FileFault('too_many_numbers', `${message} Send it in parts, or say "match": "guid".`);
    }
    findings.add('warning', 'not_matched', {}, message);
    return false;
  }
}

export interface Matches {
  /** Numbers that one entity of the workspace has by another GUID than the made one. */
  others: Map<string, string>;
  /** All numbers that the workspace has. */
  known: Set<string>;
}

/** Looks up the numbers for which a GUID was made. A number that several entities have is left alone. */
export async function findMatches(
  made: KnownGuids,
  lookUp: LookUp,
  onProgress: (done: number) => void = () => undefined,
): Promise<Matches> {
  const others = new Map<string, string>();
  const known = new Set<string>();
  const isNumber = (text: string) => text.length <= NUMBER_CHARACTERS_MAX && !/\p{Cc}/u.test(text);
  const numbers = [...made.keys()].filter(isNumber);
  for (let at = 0; at < numbers.length; at += LOOKED_UP_AT_ONCE) {
    onProgress(at);
    for (const { number, guids } of await lookUp(numbers.slice(at, at + LOOKED_UP_AT_ONCE))) {
      if (guids.length > 0) known.add(number);
      const guid = guids.length === 1 ? guids[0]?.toLowerCase() : undefined;
      if (guid !== undefined && guid !== made.get(number)) others.set(number, guid);
    }
  }
  return { others, known };
}

/** The options for reading the file again as `isSame` says; null where the first reading stands. */
export function matchedOptions(
  { others, known }: Matches,
  { missingParents }: Pick<ImportDefinition, 'missingParents'>,
  isSame: boolean,
): ReadingOptions | null {
  const isChanged = isSame && others.size > 0;
  if (!isChanged && (missingParents !== 'create' || known.size === 0)) return null;
  return {
    onMadeGuid: (key, guid) => (isChanged ? others.get(key) : undefined) ?? guid,
    isKnown: (key) => known.has(key) && (isChanged || !others.has(key)),
  };
}

const NAMED = 5;

/** `matches HL-110, HL-120, which the workspace has already`. */
export function matchesText(numbers: readonly string[]): string {
  const named = numbers.slice(0, NAMED).join(', ');
  const more = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
  return `matches ${named}${more}, which the workspace has already`;
}
