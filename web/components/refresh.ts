/** What a change makes stale, and what is in view is asked for again. */
import type { InvalidateOptions, QueryClient } from '@tanstack/react-query';
import { type OperationName, Refusal } from '../client/request.ts';
import { isUnanswered } from '../client/unanswered.ts';

/** Operations that read summaries: any change may show in them. */
const derived: readonly OperationName[] = [
  'getEntitySummary',
  'getItemDemand',
  'countEntities',
  'getStockTotals',
];
const WAIT_MS = 1000;
const WAIT_MAX_MS = 10_000;

/** Makes the answers of these operations stale; those in view are asked for again. */
export async function refresh(
  client: QueryClient,
  names: readonly OperationName[],
  options: InvalidateOptions = {},
): Promise<void> {
  await Promise.all(
    [...names, ...derived].map((name) => client.invalidateQueries({ queryKey: [name] }, options)),
  );
}

/** The same until the service has answered: after a write without an answer what is shown may be what was before it. */
export async function refreshUntilRead(client: QueryClient, names: readonly OperationName[]): Promise<void> {
  for (let waitMs = WAIT_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MAX_MS)) {
    try {
      return await refresh(client, names, { throwOnError: true });
    } catch (error) {
      if (error instanceof Refusal && !isUnanswered(error)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
