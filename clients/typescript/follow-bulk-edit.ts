/** Follows a bulk edit to its end. */
import { type CallOptions, type Partbook, wait } from './connect.ts';
import type { BulkEdit } from './generated/types.ts';

const PERIOD_MS_MIN = 250;
const PERIOD_MS_MAX = 2000;

/** Asks until it has ended. `onProgress` gets each state on the way. */
export async function followBulkEdit(
  partbook: Partbook,
  begun: BulkEdit,
  { signal, onProgress }: CallOptions & { onProgress?: (edit: BulkEdit) => void } = {},
): Promise<BulkEdit> {
  let edit = begun;
  for (let periodMs = PERIOD_MS_MIN; edit.finishedAt === null; periodMs *= 1.5) {
    await wait(Math.min(periodMs, PERIOD_MS_MAX), signal);
    edit = await partbook('GET /bulk-edits/{id}', { id: edit.id }, signal === undefined ? {} : { signal });
    onProgress?.(edit);
  }
  return edit;
}
