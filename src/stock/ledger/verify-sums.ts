/** Looks for wrong sums in the ledger, some thousands of entries in a transaction. */

import {
  selectMovedEnd,
  selectOpenEnd,
  selectWrongMoved,
  selectWrongOpen,
} from '../costs/value-proof.sql.ts';
import { verifyValues } from '../costs/verify-values.ts';
import { HIGHEST_ID, LOWEST_ID } from '../entries/ledger-entry.ts';
import { selectLotsEnd, selectWrongLots } from './lots.sql.ts';
import { selectReversalsEnd, selectWrongReversals } from './reversals.sql.ts';
import { selectTotalsEnd, selectWrongTotals, type Totalled, totalled } from './totals.sql.ts';
import { selectTransitsEnd, selectWrongTransits } from './transits.sql.ts';
import type { LedgerProblem } from './verification.schema.ts';

/** A look ends with the id that this many entries come to, however many that one has. */
const LOOK_ENTRIES = 10_000;

/** Opens a transaction for each page. */
export type ReadPage = <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;

/** Problems in order, and how many there are. */
interface Found {
  problems: LedgerProblem[];
  problemCount: number;
}

/** A position with a wrong sum. */
interface WrongRow {
  item_id: string;
  location_id: string;
  /** Number of all wrong ones in the range, shown or not. */
  count: number;
}

interface WrongOf extends WrongRow {
  /** The line, requirement, entry or booking with the wrong sum. */
  id: string;
}

interface WrongLot extends WrongRow {
  /** If it is null, the sum over the lots of the position is wrong. */
  lot: string | null;
}

interface Ranged<Wrong> {
  /** Selects the id at which a look ends. $1 workspace, $2 id behind which, $3 entries that it passes. */
  selectEnd: string;
  /** $1 workspace, $2 id behind which, $3 id up to which, $4 shown at most. */
  selectWrong: string;
  problemOf(wrong: Wrong): Pick<LedgerProblem, 'kind' | 'message'> & Partial<LedgerProblem>;
}

/** Compares what is kept of lines and requirements, reversals, lots, goods in transit and costs with their entries. Returns the first `most` problems, and the number of all. */
export async function verifySums(read: ReadPage, workspaceId: string, most: number): Promise<Found> {
  const problems: LedgerProblem[] = [];
  let problemCount = 0;
  const look = async <Wrong extends WrongRow>({ selectEnd, selectWrong, problemOf }: Ranged<Wrong>) => {
    for (let after = LOWEST_ID; after < HIGHEST_ID; ) {
      const [end] = await read<{ id: string }>(selectEnd, [workspaceId, after, LOOK_ENTRIES]);
      const upTo = end?.id ?? HIGHEST_ID;
      const wrong = await read<Wrong>(selectWrong, [workspaceId, after, upTo, most]);
      problemCount += wrong[0]?.count ?? 0;
      for (const row of wrong.slice(0, most - problems.length)) {
        const { item_id: itemEntityId, location_id: locationEntityId } = row;
        problems.push({ itemEntityId, locationEntityId, sequence: null, entryId: null, ...problemOf(row) });
      }
      after = upTo;
    }
  };
  for (const of of totalled) await look(totals(of));
  await look(reversals);
  await look(lots);
  await look(transits);
  await look(openLayers);
  await look(moved);
  for await (const { itemId, locationId, stepId, message } of verifyValues(read, workspaceId)) {
    problemCount += 1;
    const place = { itemEntityId: itemId, locationEntityId: locationId, sequence: null };
    if (problems.length < most) problems.push({ kind: 'value', ...place, entryId: stepId, message });
  }
  return { problems, problemCount };
}

const totals = (of: Totalled): Ranged<WrongOf> => ({
  selectEnd: selectTotalsEnd(of),
  selectWrong: selectWrongTotals(of),
  problemOf: ({ id }) => ({
    kind: 'total',
    message: `What is kept of ${of} ${id} here is not the sum of its entries.`,
  }),
});

const reversals: Ranged<WrongOf> = {
  selectEnd: selectReversalsEnd,
  selectWrong: selectWrongReversals,
  problemOf: ({ id }) => ({
    kind: 'reversal',
    entryId: id,
    message:
      'The entries that take this one back exceed it, or it is not an entry of their position, type and lot.',
  }),
};

const transits: Ranged<WrongOf> = {
  selectEnd: selectTransitsEnd,
  selectWrong: selectWrongTransits,
  problemOf: ({ id }) => ({
    kind: 'transit',
    message: `What is in transit of transfer ${id} is not what left and has not arrived.`,
  }),
};

const openLayers: Ranged<WrongRow> = {
  selectEnd: selectOpenEnd,
  selectWrong: selectWrongOpen,
  problemOf: () => ({
    kind: 'value',
    message: 'What is left of its cost layers is not what the last step says, or not what is on hand.',
  }),
};

const moved: Ranged<WrongRow> = {
  selectEnd: selectMovedEnd,
  selectWrong: selectWrongMoved,
  problemOf: () => ({
    kind: 'value',
    message: 'Goods of a transfer arrived at another cost than they left with.',
  }),
};

const lots: Ranged<WrongLot> = {
  selectEnd: selectLotsEnd,
  selectWrong: selectWrongLots,
  problemOf: ({ lot }) => ({
    kind: 'lot',
    message:
      lot === null
        ? 'The quantity in lots, or the blocked part of it, is not the sum of its lots; or a reservation holds more of lots than it has.'
        : `The quantity of lot ${lot}, what its status keeps from use, or what a reservation holds of it, is not the sum of its entries.`,
  }),
};
