/** Sends what was read as a dry run. It is durable when this answers; whoever leaves the page finds it under Batches. */
import type { LookUp } from '../../clients/readers/match-numbers.ts';
import type { SyncBatch } from '../client/operations.ts';
import { addressOf, call, send } from '../client/request.ts';

/** The profile of what no definition of the workspace was used for. */
export const PLAIN_PROFILE = 'upload';

export interface Sending {
  body: Blob;
  type: 'application/json' | 'application/x-ndjson';
  profile: string;
  /** Whether assemblies have exactly the parts that the file names. */
  isExact: boolean;
  key: string;
}

export async function sendDryRun({ body, type, profile, isExact, key }: Sending): Promise<SyncBatch> {
  const query = { profile, dryRun: 'true' as const, ...(isExact ? { structure: 'exact' as const } : {}) };
  const response = await send(addressOf('submitSync', { query, body: undefined }), {
    method: 'POST',
    body,
    headers: {
      'Content-Type': type,
      Accept: 'application/json',
      Prefer: 'respond-async',
      'Idempotency-Key': key,
    },
  });
  return (await response.json()) as SyncBatch;
}

/** Asks the service which entities have the numbers. */
export function numbersOf(signal: AbortSignal): LookUp {
  return async (numbers) => {
    const { items } = await call('lookUpEntities', { body: { numbers: [...numbers] } }, { signal });
    return items.map(({ number, entities }) => ({ number, guids: entities.map(({ E_Guid }) => E_Guid) }));
  };
}
