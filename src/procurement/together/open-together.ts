/** What callers of the same time have done for them together, in one process. */
import type { Config } from '../../config.ts';
import { NumberBlocks } from '../../configuration/number-blocks.ts';
import type { Db } from '../../db/connect.ts';
import { CombinedCalls } from '../../group-commit/combined-calls.ts';
import type { MakingCall } from './draft-order.ts';
import { makingLines } from './make-lines.ts';
import { type LineCall, movingLines } from './move-lines.ts';
import { type RaiseCall, raisingRequirements } from './raise-requirements.ts';
import { type RequirementCall, reservingRequirements } from './reserve-requirements.ts';

export interface ProcurementTogether {
  readonly newLines: CombinedCalls<MakingCall>;
  readonly lines: CombinedCalls<LineCall>;
  readonly newRequirements: CombinedCalls<RaiseCall>;
  readonly reservations: CombinedCalls<RequirementCall>;
}

export function openTogether(db: Db, config: Config): ProcurementTogether {
  const numbers = new NumberBlocks(db);
  return {
    newLines: new CombinedCalls(db, config, makingLines(numbers)),
    lines: new CombinedCalls(db, config, movingLines),
    newRequirements: new CombinedCalls(db, config, raisingRequirements(numbers)),
    reservations: new CombinedCalls(db, config, reservingRequirements),
  };
}
