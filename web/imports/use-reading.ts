/** What a file becomes by the mapping of the moment: read again whenever one of them changes. */
import { useEffect, useState } from 'react';
import { findMatches, isMatched } from '../../clients/readers/match-numbers.ts';
import type { ImportMapping } from '../client/operations.ts';
import { newKey } from '../components/request-keys.ts';
import { type FileReading, type KnownGuids, readFile } from './read-file.ts';
import { numbersOf } from './send-file.ts';

export type ReadingState =
  | { is: 'reading'; words: string }
  | {
      is: 'read';
      reading: FileReading;
      /** Numbers of the file that entities of the workspace have by other GUIDs than those that are made. */
      others: KnownGuids;
      /** The Idempotency-Key of sending this. */
      key: string;
    }
  | { is: 'faulty'; error: unknown };

const none: KnownGuids = new Map();
const TYPING_MS = 300;

/** `keepsOthers`: parts that the workspace knows by number keep the GUID that they have there. */
export function useReading(file: File, mapping: ImportMapping, keepsOthers: boolean): ReadingState {
  const [state, setState] = useState<ReadingState>({ is: 'reading', words: 'Reading the file…' });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const say = (words: string) => {
      if (!signal.aborted) setState({ is: 'reading', words });
    };
    const read = async (guids: KnownGuids, known: ReadonlySet<string>) =>
      readFile(file, mapping, {
        guids,
        known,
        signal,
        onProgress: (elements) => say(`Reading the file… ${elements} elements`),
      });
    const work = async () => {
      say('Reading the file…');
      const reading = await read(none, new Set());
      const isLookedUp = isMatched({ match: mapping.match ?? 'ask', columns: mapping.columns ?? {} });
      const made = isLookedUp ? reading.made : none;
      const { others, known } = await findMatches(made, numbersOf(signal), (done) =>
        say(`Looking up numbers… ${done} of ${made.size}`),
      );
      const isSame = others.size > 0 && keepsOthers;
      const isAgain = isSame || (mapping.missingParents === 'create' && known.size > 0);
      const kept = new Set([...known].filter((number) => isSame || !others.has(number)));
      const last = isAgain ? await read(isSame ? others : none, kept) : reading;
      if (!signal.aborted) setState({ is: 'read', reading: last, others, key: newKey() });
    };
    // Whoever types changes it letter by letter.
    const timer = setTimeout(() => {
      work().catch((error: unknown) => {
        if (!signal.aborted) setState({ is: 'faulty', error });
      });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [file, mapping, keepsOthers]);
  return state;
}
