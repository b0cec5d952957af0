/** What refused elements call themselves: their results have a GUID at most, and people know parts by number and name. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../client/ask.ts';
import type { SyncBatch } from '../client/operations.ts';

/** As many as are named; of a batch with more the others show their GUID. */
const NAMED_MAX = 100;

export interface SentName {
  number: string | null;
  name: string | null;
}

/** By place in the payload. Nothing where the payload is gone, or is being read still. */
export function useSentNames(batch: SyncBatch): ReadonlyMap<number, SentName> {
  const query = useQuery({
    ...ask('listSentElements', { id: batch.batchId, query: { result: 'error', limit: NAMED_MAX } }),
    enabled: batch.counts.error > 0,
    retry: false,
    select: ({ items }) => new Map(items.map(({ index, element }) => [index, nameOf(element)])),
  });
  return query.data ?? NOTHING;
}

const NOTHING: ReadonlyMap<number, SentName> = new Map();

function nameOf(element: unknown): SentName {
  const { number, name } = (typeof element === 'object' && element !== null ? element : {}) as Record<
    string,
    unknown
  >;
  return { number: textOf(number), name: textOf(name) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
