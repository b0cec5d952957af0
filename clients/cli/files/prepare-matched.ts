/** Reads a file for sending; parts that the workspace knows by number keep the GUIDs that they have there. */
import type { ImportDefinition } from '../../readers/definition/import-definition.schema.ts';
import type { FileSource } from '../../readers/file-source.ts';
import type { Partbook } from '../../typescript/connect.ts';
import { findMatches, NUMBERS_MAX } from './match-numbers.ts';
import { type Prepared, prepareFile } from './send-file.ts';

export interface MatchOptions {
  signal?: AbortSignal;
  /** Is asked where parts have the numbers of others in the workspace: whether they are the same. Throws to stop. */
  onMatches(numbers: readonly string[]): Promise<boolean>;
}

export async function prepareMatched(
  source: FileSource,
  definition: ImportDefinition,
  partbook: Partbook,
  { signal, onMatches }: MatchOptions,
): Promise<Prepared> {
  const made = new Map<string, string>();
  const prepared = await prepareFile(source, definition, {
    onMadeGuid: (key, guid) => {
      if (made.size <= NUMBERS_MAX) made.set(key, guid);
      return guid;
    },
  });
  // A key of several columns is no number.
  if (prepared.reading === null || definition.match === 'guid' || definition.columns.key !== undefined) {
    return prepared;
  }
  try {
    if (made.size > NUMBERS_MAX) return prepared;
    const { others, known } = await findMatches(partbook, made, signal);
    const isSame = others.size > 0 && (await onMatches([...others.keys()]));
    const hasParents = definition.missingParents === 'create' && known.size > 0;
    if (!isSame && !hasParents) return prepared;
    prepared.remove();
    const guids = isSame ? others : new Map<string, string>();
    return await prepareFile(source, definition, {
      onMadeGuid: (key, guid) => guids.get(key) ?? guid,
      isKnown: (key) => known.has(key) && (isSame || !others.has(key)),
    });
  } catch (error) {
    prepared.remove();
    throw error;
  }
}

const NAMED = 5;

/** `3 numbers of the file are in the workspace: matches HL-110, HL-120, HL-130`. */
export function matchesText(numbers: readonly string[]): string {
  const named = numbers.slice(0, NAMED).join(', ');
  const more = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
  return `matches ${named}${more}, which the workspace has already`;
}
