/** Calls of procurement that one process gathers, several in a transaction. */
import type { Config } from '../config.ts';
import { NumberBlocks, NumbersWanted } from '../configuration/number-blocks.ts';
import type { Db } from '../db/connect.ts';
import { type CombinedCall, CombinedCalls } from '../group-commit/combined-calls.ts';
import { createLines } from './lines/create-lines.ts';
import type { CreatedLines, LinesRequest } from './lines/drafts.ts';
import type { LineRequest, MovedLine } from './lines/line-request.ts';
import { moveLines } from './lines/move-lines.ts';
import type { Requirement } from './records/requirement.ts';
import { type RequirementRequest, raiseRequirements } from './requirements/raise-requirements.ts';
import {
  type MovedRequirement,
  type ReservationRequest,
  reserveRequirements,
} from './requirements/reserve-requirements.ts';

type Gathered<Request, Done> = CombinedCalls<CombinedCall<Done> & Request, Done>;

export interface ProcurementCalls {
  readonly newLines: Gathered<LinesRequest, CreatedLines>;
  readonly lines: Gathered<LineRequest, MovedLine[]>;
  readonly newRequirements: Gathered<RequirementRequest, Requirement>;
  readonly reservations: Gathered<ReservationRequest, MovedRequirement>;
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
      run: (tx, calls, gathering) => createLines(tx, numbers, calls, gathering),
      ...numbering,
    }),
    lines: new CombinedCalls(db, config, {
      what: 'movements of lines',
      run: (tx, calls, gathering) => moveLines(tx, calls, gathering),
    }),
    newRequirements: new CombinedCalls(db, config, {
      what: 'requirements',
      run: (tx, calls, gathering) => raiseRequirements(tx, numbers, calls, gathering),
      ...numbering,
    }),
    reservations: new CombinedCalls(db, config, {
      what: 'reservations for requirements',
      run: (tx, calls, gathering) => reserveRequirements(tx, calls, gathering),
    }),
  };
}
