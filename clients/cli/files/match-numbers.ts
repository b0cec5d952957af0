/** Finds the parts of a file that the workspace has already, by number: they are proposed as those, and not created beside them. */
import type { Partbook } from '../../typescript/connect.ts';

/** GUIDs by number. */
export type KnownGuids = ReadonlyMap<string, string>;

/** Of a longer list no number is looked up. */
export const NUMBERS_MAX = 100_000;
const LOOKED_UP_AT_ONCE = 500;
const NUMBER_CHARACTERS_MAX = 255;

export interface Matches {
  /** Numbers that one entity of the workspace has by another GUID than the made one. */
  others: Map<string, string>;
  /** All numbers that the workspace has. */
  known: Set<string>;
}

/** Looks up the numbers for which a GUID was made. A number that several entities have is nobody's. */
export async function findMatches(
  partbook: Partbook,
  made: KnownGuids,
  signal?: AbortSignal,
): Promise<Matches> {
  const others = new Map<string, string>();
  const known = new Set<string>();
  const numbers = [...made.keys()].filter((number) => number.length <= NUMBER_CHARACTERS_MAX);
  const options = signal === undefined ? {} : { signal };
  for (let at = 0; at < numbers.length; at += LOOKED_UP_AT_ONCE) {
    const some = numbers.slice(at, at + LOOKED_UP_AT_ONCE);
    const { items } = await partbook('POST /entities/lookup', { body: { numbers: some } }, options);
    for (const { number, entities } of items) {
      const [only, another] = entities;
      if (only !== undefined) known.add(number);
      const guid = another === undefined ? only?.E_Guid?.toLowerCase() : undefined;
      if (guid !== undefined && guid !== made.get(number)) others.set(number, guid);
    }
  }
  return { others, known };
}
