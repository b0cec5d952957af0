/** Reads an import; the stream of the workspace keeps it up to date while it runs. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import { isRunning } from './batch-words.tsx';

/** Beside the stream, in case a proxy holds it back. */
const POLL_MS = 10_000;

export function useBatch(id: string) {
  return useQuery({
    ...ask('getSyncBatch', { id }),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? POLL_MS : false),
  });
}
