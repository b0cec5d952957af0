/** What a structure says of one part by now, whatever of its level was read: levels may have a hundred thousand parts. */
import type { Use } from '../../client/operations.ts';
import { call, callWithTag, Refusal } from '../../client/request.ts';

export interface ReadLine {
  /** Null where the part is not in the structure. */
  use: Use | null;
  /** The parent's, as old as the line or older: a change that names it overwrites nobody. */
  tag: string | null;
}

/** `line`: the find number of the line where the child stands in several. */
export async function readLine(parentId: string, childId: string, line?: string): Promise<ReadLine> {
  const { tag } = await callWithTag('getEntity', { id: parentId });
  try {
    return { use: await call('getUse', { id: parentId, childId, ...lineQuery(line) }), tag };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'use_not_found') return { use: null, tag };
    throw error;
  }
}

/** Addresses one line of a child. Empty parameters are not sent, so the line without a find number is a blank, which the service drops. */
export function lineQuery(line: string | undefined) {
  return line === undefined ? {} : { query: { line: line || ' ' } };
}
