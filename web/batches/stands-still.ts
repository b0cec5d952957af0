/** Whether the batch that is first in line gets on. */
import type { Overview } from '../client/operations.ts';

/** One that can go on takes a step in far less; the service itself tries again every half minute. */
const STILL_MS = 90_000;

export function standsStill({ first }: Overview['waitingBatches'], now = Date.now()): boolean {
  return first !== null && first.movedAt !== null && now - Date.parse(first.movedAt) > STILL_MS;
}
