/** What elements call themselves in which something was found: their results have a GUID at most, and people know parts by number and name. */
import { useQuery } from '@tanstack/react-query';
import type { SyncBatch, SyncProblems } from '../client/operations.ts';
import { call, type Input } from '../client/request.ts';
import { isRunning } from './batch-words.tsx';

/** So many are looked at, of all refused ones and of each warning; of a batch with more the others show their GUID. */
const NAMED_MAX = 100;

export interface SentName {
  number: string | null;
  name: string | null;
  /** It came to be, or was there before: what is refused may not be, and what a dry run would create is not. */
  isThere: boolean;
}

/** Of refused ones, by place in the payload. Nothing where the payload is gone, or is being read still. */
export function useRefusedNames(batch: SyncBatch): ReadonlyMap<number, SentName> {
  return useSentNames(batch, { result: 'error', limit: NAMED_MAX }, batch.counts.error > 0);
}

/** The same of the first that have the warning. */
export function useWarnedNames(batch: SyncBatch, { kind, code }: Group): ReadonlyMap<number, SentName> {
  const warning = code as NonNullable<Which['warning']>;
  return useSentNames(batch, { warning, limit: NAMED_MAX }, kind === 'warning');
}

type Group = Pick<SyncProblems['items'][number], 'kind' | 'code'>;
type Which = NonNullable<Input<'listSentElements'>['query']>;

/** Anew when the batch has ended: before, the first may be others than at the end. */
function useSentNames(batch: SyncBatch, which: Which, isWanted: boolean): ReadonlyMap<number, SentName> {
  const input = { id: batch.batchId, query: which };
  const query = useQuery({
    queryKey: ['listSentElements', input, isRunning(batch) ? 'running' : 'ended'],
    queryFn: ({ signal }) => call('listSentElements', input, { signal }),
    enabled: isWanted,
    retry: false,
    select: ({ items }) =>
      new Map(
        items.map(({ index, result, element }) => {
          const isThere = result !== 'error' && !(batch.dryRun && result === 'created');
          return [index, { ...nameOf(element), isThere }];
        }),
      ),
  });
  return query.data ?? NOTHING;
}

const NOTHING: ReadonlyMap<number, SentName> = new Map();

function nameOf(element: unknown): Omit<SentName, 'isThere'> {
  const { number, name } = (typeof element === 'object' && element !== null ? element : {}) as Record<
    string,
    unknown
  >;
  return { number: textOf(number), name: textOf(name) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
