/** Reads a file for sending; parts that the workspace knows by number keep the GUIDs that they have there. */
import type { ImportDefinition } from '../../readers/definition/import-definition.schema.ts';
import type { FileSource } from '../../readers/file-source.ts';
import {
  findMatches,
  isMatched,
  type LookUp,
  MadeGuids,
  matchedOptions,
} from '../../readers/match-numbers.ts';
import type { Partbook } from '../../typescript/connect.ts';
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
  const made = new MadeGuids();
  const prepared = await prepareFile(source, definition, { onMadeGuid: made.note });
  if (prepared.reading === null || !isMatched(definition)) return prepared;
  try {
    if (!made.requireComplete(definition.match, prepared.reading.findings)) return prepared;
    const matches = await findMatches(made.byKey, numbersOf(partbook, signal));
    const isSame = matches.others.size > 0 && (await onMatches([...matches.others.keys()]));
    const options = matchedOptions(matches, definition, isSame);
    if (options === null) return prepared;
    prepared.remove();
    return await prepareFile(source, definition, options);
  } catch (error) {
    prepared.remove();
    throw error;
  }
}

function numbersOf(partbook: Partbook, signal: AbortSignal | undefined): LookUp {
  const options = signal === undefined ? {} : { signal };
  return async (numbers) => {
    const { items } = await partbook('POST /entities/lookup', { body: { numbers: [...numbers] } }, options);
    return items.map(({ number, entities }) => ({ number, guids: entities.map(({ E_Guid }) => E_Guid) }));
  };
}
