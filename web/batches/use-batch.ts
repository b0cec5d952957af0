/** A batch as it stands, and as it goes on: its stream of progress replaces what was read, as long as it runs. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask } from '../client/ask.ts';
import type { SyncBatch } from '../client/operations.ts';
import { addressOf } from '../client/request.ts';
import { isRunning } from './batch-words.tsx';

const POLL_MS = 4000;

export function useBatch(id: string) {
  const client = useQueryClient();
  const options = ask('getSyncBatch', { id });
  const query = useQuery({
    ...options,
    // Beside the stream, in case a proxy holds it back.
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? POLL_MS : false),
  });
  const running = query.data !== undefined && isRunning(query.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key follows from the id
  useEffect(() => {
    if (!running) return;
    const stream = new EventSource(addressOf('streamSyncEvents', { id }));
    const take = (event: MessageEvent<string>) => {
      const counts = JSON.parse(event.data) as Partial<SyncBatch>;
      client.setQueryData<SyncBatch>(options.queryKey, (before) =>
        before === undefined ? before : { ...before, ...counts },
      );
    };
    const end = () => {
      stream.close();
      void client.invalidateQueries({ queryKey: ['getSyncBatch', { id }] });
      void client.invalidateQueries({ queryKey: ['listSyncResults'] });
      void client.invalidateQueries({ queryKey: ['listSyncProblems'] });
      void client.invalidateQueries({ queryKey: ['listSyncBatches'] });
    };
    stream.addEventListener('progress', take);
    for (const name of ['completed', 'cancelled', 'failed']) stream.addEventListener(name, end);
    return () => stream.close();
  }, [id, running]);
  return query;
}
