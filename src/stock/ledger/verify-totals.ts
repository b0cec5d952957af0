/** Compares what is kept of lines and requirements with the sums of their entries, some thousands of entries in a transaction. */

import { HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import {
  selectTotalsEnd,
  selectWrongTotals,
  type Totalled,
  totalled,
  type WrongTotal,
} from './totals.sql.ts';
import type { LedgerProblem } from './verification.schema.ts';

/** A look ends with the line or the requirement that this many entries come to, however many that one has. */
const LOOK_ENTRIES = 10_000;

/** The problems in order, `most` of them at most, and how many there are. */
export async function verifyTotals(
  read: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>,
  workspaceId: string,
  most: number,
): Promise<{ problems: LedgerProblem[]; problemCount: number }> {
  const problems: LedgerProblem[] = [];
  let problemCount = 0;
  for (const of of totalled) {
    for (let after = LOWEST_ID; after < HIGHEST_ID; ) {
      const [end] = await read<{ id: string }>(selectTotalsEnd(of), [workspaceId, after, LOOK_ENTRIES]);
      const upTo = end?.id ?? HIGHEST_ID;
      const wrong = await read<WrongTotal>(selectWrongTotals(of), [workspaceId, after, upTo, most]);
      problemCount += wrong[0]?.count ?? 0;
      problems.push(...wrong.slice(0, most - problems.length).map((row) => problemOf(of, row)));
      after = upTo;
    }
  }
  return { problems, problemCount };
}

function problemOf(of: Totalled, { id, item_id, location_id }: WrongTotal): LedgerProblem {
  return {
    kind: 'total',
    itemEntityId: item_id,
    locationEntityId: location_id,
    sequence: null,
    entryId: null,
    message: `What is kept of ${of} ${id} here is not the sum of its entries.`,
  };
}
