/** Checks that reversals name an entry of their position and type, and never take back more than it moved. */

import { HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import { selectReversalsEnd, selectWrongReversals, type WrongReversal } from './reversals.sql.ts';
import type { LedgerProblem } from './verification.schema.ts';

/** A look ends with the original to which this many reversals lead. */
const LOOK_ENTRIES = 10_000;

/** Returns the first `most` problems, in order of the entries that were taken back, and the number of all. */
export async function verifyReversals(
  read: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>,
  workspaceId: string,
  most: number,
): Promise<{ problems: LedgerProblem[]; problemCount: number }> {
  const problems: LedgerProblem[] = [];
  let problemCount = 0;
  for (let after = LOWEST_ID; after < HIGHEST_ID; ) {
    const [end] = await read<{ id: string }>(selectReversalsEnd, [workspaceId, after, LOOK_ENTRIES]);
    const upTo = end?.id ?? HIGHEST_ID;
    const wrong = await read<WrongReversal>(selectWrongReversals, [workspaceId, after, upTo, most]);
    problemCount += wrong[0]?.count ?? 0;
    problems.push(...wrong.slice(0, most - problems.length).map(problemOf));
    after = upTo;
  }
  return { problems, problemCount };
}

function problemOf({ id, item_id, location_id }: WrongReversal): LedgerProblem {
  return {
    kind: 'reversal',
    itemEntityId: item_id,
    locationEntityId: location_id,
    sequence: null,
    entryId: id,
    message:
      'The entries that take this one back exceed it, or it is not an entry of their position, type and lot.',
  };
}
