/** Reads the results of an import anew when it ends. */
import type { Query, QueryClient } from '@tanstack/react-query';
import type { OperationName } from './request.ts';

/** The operations whose answers change while an import runs. */
export const ofResults: readonly OperationName[] = ['listSyncResults', 'listSyncProblems'];

/**
 * Reads the results of a batch that has just ended at once, so that nothing earlier stands beside the word that it is completed. An
 * answer that was empty while it ran is forgotten and not shown until it is read again; rows stay in view meanwhile.
 */
export function readAtEnd(client: QueryClient, batchId: string): void {
  const isOf = ({ queryKey: [name, input] }: Query) =>
    ofResults.some((one) => one === name) && (input as { id?: string } | undefined)?.id === batchId;
  const isEmpty = ({ state }: Query) => {
    const { pages } = (state.data ?? {}) as { pages?: { items: unknown[] }[] };
    return pages === undefined || pages.every(({ items }) => items.length === 0);
  };
  void client.resetQueries({ predicate: (query) => isOf(query) && isEmpty(query) });
  void client.invalidateQueries({ predicate: (query) => isOf(query) && !isEmpty(query) });
}
