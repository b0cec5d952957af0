/** Checks that the quantities of lots are the sums of their entries, and that a position has as much in lots as its lots have. */

import { HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import { selectLotsEnd, selectWrongLots, type WrongLot } from './lots.sql.ts';
import type { LedgerProblem } from './verification.schema.ts';

/** A look ends with the item that this many entries come to. */
const LOOK_ENTRIES = 10_000;

/** Returns the first `most` problems, in order of the positions, and the number of all. */
export async function verifyLots(
  read: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>,
  workspaceId: string,
  most: number,
): Promise<{ problems: LedgerProblem[]; problemCount: number }> {
  const problems: LedgerProblem[] = [];
  let problemCount = 0;
  for (let after = LOWEST_ID; after < HIGHEST_ID; ) {
    const [end] = await read<{ id: string }>(selectLotsEnd, [workspaceId, after, LOOK_ENTRIES]);
    const upTo = end?.id ?? HIGHEST_ID;
    const wrong = await read<WrongLot>(selectWrongLots, [workspaceId, after, upTo, most]);
    problemCount += wrong[0]?.count ?? 0;
    problems.push(...wrong.slice(0, most - problems.length).map(problemOf));
    after = upTo;
  }
  return { problems, problemCount };
}

function problemOf({ item_id, location_id, lot }: WrongLot): LedgerProblem {
  return {
    kind: 'lot',
    itemEntityId: item_id,
    locationEntityId: location_id,
    sequence: null,
    entryId: null,
    message:
      lot === null
        ? 'The quantity in lots is not the sum of its lots.'
        : `The quantity of lot ${lot} is not the sum of its entries.`,
  };
}
