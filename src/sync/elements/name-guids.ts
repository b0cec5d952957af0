/** Which GUIDs the elements of a batch name, for what later batches do not bring any more (absent.routes.ts). */
import type { SyncResult } from './sync-result.ts';

/**
 * GUIDs of several portions: in each portion those of accepted elements, then those of refused ones. Places count
 * from 1.
 */
export interface NamedGuids {
  guids: string[];
  broughtFrom: number[];
  refusedFrom: number[];
  refusedEnd: number[];
}

/**
 * A GUID may stand there more than once: elements of one come one after the other, and of those one is kept; a set of all
 * would cost more than what it saves.
 */
export function nameGuids(portions: readonly (readonly SyncResult[])[]): NamedGuids {
  const named: NamedGuids = { guids: [], broughtFrom: [], refusedFrom: [], refusedEnd: [] };
  for (const results of portions) {
    named.broughtFrom.push(named.guids.length + 1);
    add(named.guids, results, false);
    named.refusedFrom.push(named.guids.length + 1);
    add(named.guids, results, true);
    named.refusedEnd.push(named.guids.length + 1);
  }
  return named;
}

function add(guids: string[], results: readonly SyncResult[], refused: boolean): void {
  let last: string | null = null;
  for (let i = 0; i < results.length; i++) {
    const { guid, result } = results[i] as SyncResult;
    if (guid === null || guid === last || (result === 'error') !== refused) continue;
    last = guid;
    guids.push(guid);
  }
}
