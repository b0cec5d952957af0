/** One verification of a workspace at a time in a process, however many ask: it reads everything there is. */
import type { Db } from '../db/connect.ts';
import type { LedgerVerification } from './stock.schema.ts';
import { verifyLedger } from './verify-ledger.ts';

const underWay = new WeakMap<Db, Map<string, Promise<LedgerVerification>>>();

/** The run that is under way, or a new one. */
export function verifyOnce(db: Db, workspaceId: string, signal: AbortSignal): Promise<LedgerVerification> {
  const ofDb = underWay.get(db) ?? new Map<string, Promise<LedgerVerification>>();
  underWay.set(db, ofDb);
  const running = ofDb.get(workspaceId);
  if (running !== undefined) return running;
  const run = verifyLedger(db, workspaceId, signal).finally(() => ofDb.delete(workspaceId));
  ofDb.set(workspaceId, run);
  return run;
}
