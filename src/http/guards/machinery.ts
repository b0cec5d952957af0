/** What the mounted routes have in common while they serve. */
import type { KeyUses } from '../../access/note-key-use.ts';
import type { CallerReads } from '../../access/read-as-caller.ts';
import type { Context } from '../../context.ts';
import type { Admissions } from './admissions.ts';
import type { LimitRate } from './limit-rate.ts';

export interface Machinery {
  ctx: Context;
  limitRate: LimitRate;
  keyUses: KeyUses;
  callerReads: CallerReads;
  admissions: Admissions;
  /** Aborted when the service begins to stop: balancers are to look elsewhere. */
  draining: AbortSignal;
  /** Aborted when it takes nothing new: waits and streams end. */
  closing: AbortSignal;
}
