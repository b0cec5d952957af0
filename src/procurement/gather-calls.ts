/** Calls of procurement that one process gathers, several in a transaction. */
import type { Config } from '../config.ts';
import { NumberBlocks, NumbersWanted } from '../configuration/number-blocks.ts';
import type { Db } from '../db/connect.ts';
import type { Tx } from '../db/transaction.ts';
import { AppError } from '../errors.ts';
import { type CombinedCall, CombinedCalls } from '../group-commit/combined-calls.ts';
import type { Gathering, Outcome } from '../group-commit/gathering.ts';
import { createLines } from './lines/create-lines.ts';
import type { CreatedLines, LinesRequest } from './lines/drafts.ts';
import type { LineRequest, MovedLine } from './lines/line-request.ts';
import { moveLines } from './lines/move-lines.ts';
import { type Reading, readingIn } from './records/given-amounts.ts';
import type { Requirement } from './records/requirement.ts';
import { type RequirementRequest, raiseRequirements } from './requirements/raise-requirements.ts';
import {
  type MovedRequirement,
  type ReservationRequest,
  reserveRequirements,
} from './requirements/reserve-requirements.ts';

/** A request of which a part, such as a quantity in another unit, is read in the transaction that carries it out. */
type Giving<Request, Part extends keyof Request> = Omit<Request, Part> & {
  /** Returns that part, or refuses. */
  give(reading: Reading): Promise<Pick<Request, Part>>;
};

type Gathered<Request, Part extends keyof Request, Done> = CombinedCalls<
  CombinedCall<Done> & Giving<Request, Part>,
  Done
>;

export interface ProcurementCalls {
  readonly newLines: Gathered<LinesRequest, 'lines', CreatedLines>;
  readonly lines: Gathered<LineRequest, 'moves' | 'effectiveOn' | 'build', MovedLine[]>;
  readonly newRequirements: Gathered<RequirementRequest, 'amount', Requirement>;
  readonly reservations: Gathered<ReservationRequest, 'amount' | 'entered' | 'lots', MovedRequirement>;
}

export function gatherProcurement(db: Db, config: Config): ProcurementCalls {
  const numbers = new NumberBlocks(db);
  const numbering = {
    amend: async (workspaceId: string, error: unknown) => {
      if (!(error instanceof NumbersWanted)) return false;
      await numbers.refill(workspaceId, error);
      return true;
    },
    lookAhead: (workspaceId: string) => numbers.lookAhead(workspaceId),
  };
  return {
    newLines: new CombinedCalls(db, config, {
      what: 'new lines',
      run: (tx, calls, gathering) =>
        withGiven(tx, calls, gathering, (requests, ready) => createLines(tx, numbers, requests, ready)),
      ...numbering,
    }),
    lines: new CombinedCalls(db, config, {
      what: 'movements of lines',
      run: (tx, calls, gathering) =>
        withGiven(tx, calls, gathering, (requests, ready) => moveLines(tx, requests, ready)),
    }),
    newRequirements: new CombinedCalls(db, config, {
      what: 'requirements',
      run: (tx, calls, gathering) =>
        withGiven(tx, calls, gathering, (requests, ready) => raiseRequirements(tx, numbers, requests, ready)),
      ...numbering,
    }),
    reservations: new CombinedCalls(db, config, {
      what: 'reservations for requirements',
      run: (tx, calls, gathering) =>
        withGiven(tx, calls, gathering, (requests, ready) => reserveRequirements(tx, requests, ready)),
    }),
  };
}

/** Carries out the requests that are not refused while the rest of them is read. */
async function withGiven<Request, Part extends keyof Request, Done>(
  tx: Tx,
  calls: readonly Giving<Request, Part>[],
  { answered, isSingle }: Gathering,
  run: (requests: readonly Request[], gathering: Gathering) => Promise<Outcome<Done>[]>,
): Promise<Outcome<Done>[]> {
  const reading = readingIn(tx);
  const outcomes: Outcome<Done>[] = calls.map(() => null);
  const ready: { index: number; request: Request }[] = [];
  for (const [index, call] of calls.entries()) {
    try {
      ready.push({ index, request: { ...call, ...(await call.give(reading)) } as unknown as Request });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      outcomes[index] = error;
    }
  }
  if (ready.length === 0) return outcomes;
  const done = await run(
    ready.map(({ request }) => request),
    { answered: answered.then((known) => ready.map(({ index }) => known[index] === true)), isSingle },
  );
  for (const [at, { index }] of ready.entries()) outcomes[index] = done[at] ?? null;
  return outcomes;
}
