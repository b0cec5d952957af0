/** What a structure says of one part by now, whatever of its level was read: levels may have a hundred thousand parts. */
import type { Use } from '../client/operations.ts';
import { call, callWithTag, Refusal } from '../client/request.ts';

export interface ReadLine {
  /** Null where the part is not in the structure. */
  use: Use | null;
  /** The parent's, as old as the line or older: a change that names it overwrites nobody. */
  tag: string | null;
}

export async function readLine(parentId: string, childId: string): Promise<ReadLine> {
  const { tag } = await callWithTag('getEntity', { id: parentId });
  try {
    return { use: await call('getUse', { id: parentId, childId }), tag };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'use_not_found') return { use: null, tag };
    throw error;
  }
}
