/** Sends what was read as a dry run. It is durable when this answers; whoever leaves the page finds it under Batches. */
import type { SyncBatch } from '../client/operations.ts';
import { addressOf, call, send } from '../client/request.ts';
import type { KnownGuids } from './read-file.ts';

/** The profile of what no definition of the workspace was used for. */
export const PLAIN_PROFILE = 'upload';
const LOOKUP_NUMBERS = 500;

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

export interface Matches {
  /** Numbers that one entity of the workspace has by another GUID than the made one. */
  others: Map<string, string>;
  /** All numbers that the workspace has. */
  known: Set<string>;
}

/** Looks up the numbers for which a GUID was made. A number that several entities have is nobody's. */
export async function findMatches(
  made: KnownGuids,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<Matches> {
  const others = new Map<string, string>();
  const known = new Set<string>();
  const numbers = [...made.keys()].filter((number) => number.length <= 255);
  for (let at = 0; at < numbers.length; at += LOOKUP_NUMBERS) {
    onProgress(at);
    const some = numbers.slice(at, at + LOOKUP_NUMBERS);
    const { items } = await call('lookUpEntities', { body: { numbers: some } }, { signal });
    for (const { number, entities } of items) {
      const [only, another] = entities;
      if (only !== undefined) known.add(number);
      // One without a GUID has the number too.
      const guid = another === undefined ? only?.E_Guid?.toLowerCase() : undefined;
      if (guid !== undefined && guid !== made.get(number)) others.set(number, guid);
    }
  }
  return { others, known };
}
