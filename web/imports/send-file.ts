/** Sends what was read as a dry run. It is durable when this answers; whoever leaves the page finds it under Batches. */
import type { SyncBatch } from '../client/operations.ts';
import { addressOf, call, send } from '../client/request.ts';
import { newKey } from '../components/use-action.ts';

const LOOKUP_NUMBERS = 500;

export async function sendDryRun(
  body: Blob,
  type: 'application/json' | 'application/x-ndjson',
  key: string,
): Promise<SyncBatch> {
  const address = addressOf('submitSync', { query: { profile: 'upload', dryRun: 'true' }, body: undefined });
  const response = await send(address, {
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

/** The GUIDs of entities that exist, by number. One that several have is nobody's. */
export async function lookUpGuids(
  numbers: readonly string[],
  onProgress: (done: number) => void,
): Promise<{ guids: ReadonlyMap<string, string>; ambiguous: readonly string[] }> {
  const guids = new Map<string, string>();
  const ambiguous: string[] = [];
  for (let at = 0; at < numbers.length; at += LOOKUP_NUMBERS) {
    const { items } = await call('lookUpEntities', {
      body: { numbers: numbers.slice(at, at + LOOKUP_NUMBERS) },
    });
    for (const { number, entities } of items) {
      const [first, second] = entities;
      if (second !== undefined) ambiguous.push(number);
      else if (first?.E_Guid != null) guids.set(number, first.E_Guid);
    }
    onProgress(Math.min(numbers.length, at + LOOKUP_NUMBERS));
  }
  return { guids, ambiguous };
}

export function newGuid(): string {
  const hex = newKey();
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
