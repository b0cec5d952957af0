/** The web process's thread that merges results. It needs no database, and so costs little. */
import { type MergedResults, type MergeRequest, mergeResults } from '../src/sync/batch/merge-results.ts';

/** Results of several chunks as one page in payload order. */
export function merge(request: MergeRequest): MergedResults {
  return mergeResults(request);
}
