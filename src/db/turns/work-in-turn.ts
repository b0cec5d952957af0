/**
 * Work of all workspaces that PostgreSQL keeps in line. A process takes a piece of each workspace in turn, so that none waits for another's,
 * until nothing is left that no other process takes. A process that dies loses the transaction of its piece alone.
 */
import type { Logger } from 'pino';
import type { Db } from '../connect.ts';
import { restingState } from '../resting.ts';
import { isHeldUp, isServerAway } from '../server-away.ts';
import { type InstanceTx, inTransaction } from '../transaction.ts';

/** A workspace whose piece failed is left out for so long: the work of others may never end. */
const LEFT_OUT_MS = 30_000;

interface Head {
  workspace_id: string;
  /** It is left out where a workspace has one line of work. */
  id?: string;
}

export interface Turns<H extends Head> {
  db: Db;
  log: Pick<Logger, 'warn' | 'error'>;
  signal: AbortSignal | undefined;
  /** Finds the workspaces that have work, each with its first piece. */
  find(tx: InstanceTx): Promise<H[]>;
  /** Returns how much of it is done: 0 if another process has it. */
  work(head: H): Promise<number>;
  /** The message of the log about a piece that fails. Its workspace is left out for a while, or until the next call; the others go on. */
  failure: string;
}

/** Returns how much is done. */
export async function workInTurn<H extends Head>({
  db,
  log,
  signal,
  find,
  work,
  failure,
}: Turns<H>): Promise<number> {
  let total = 0;
  const failedAt = new Map<string, number>();
  for (let done = 1; done > 0; total += done) {
    done = 0;
    const heads = await inTransaction(db, 'instance', find, { glance: true });
    for (const head of heads) {
      if (signal?.aborted === true) return total + done;
      const lastFailed = failedAt.get(head.workspace_id);
      if (lastFailed !== undefined && performance.now() - lastFailed < LEFT_OUT_MS) continue;
      try {
        done += await work(head);
      } catch (error) {
        failedAt.set(head.workspace_id, performance.now());
        // The work of a workspace that moves waits.
        if (restingState(error) !== null) continue;
        const isHeld = isHeldUp(error);
        if (!isHeld && isServerAway(error)) throw error;
        log[isHeld ? 'warn' : 'error']({ workspaceId: head.workspace_id, id: head.id, err: error }, failure);
      }
    }
  }
  return total;
}
