/**
 * The `api` of one run, within a transaction that other runs may share: its writes stand behind a savepoint, so
 * that a script that fails takes nothing with it but its own, and a refused call nothing but what it began.
 */
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { forgetGathered, markGathered, recordGathered } from '../../stock/events/gather-changes.ts';
import type { ActionRun } from '../built-in/built-in-action.ts';
import type { HostCalls } from '../conductor/answer-host-call.ts';
import { type ApiArguments, isWriteMethod, type WriteMethod } from '../conductor/api.schema.ts';
import type { ScriptChange } from '../script-result.schema.ts';
import { type ReadMethod, readers } from './read-for-script.ts';
import { writeForScript } from './write-for-script.ts';

export interface ScriptCalls {
  readonly call: HostCalls;
  /** The changes written so far. */
  readonly changes: readonly ScriptChange[];
  /** Ends the run: what it wrote stays in the transaction. */
  keep(): Promise<void>;
  /** Ends the run: nothing of it stays. */
  undo(): Promise<void>;
}

/** Maximum time to wait for a row that another transaction has locked. Then the run is retried later. */
export const SCRIPT_LOCK_TIMEOUT_MS = 4000;

export function openScriptCalls(run: ActionRun): ScriptCalls {
  const { tx } = run;
  const changes: ScriptChange[] = [];
  let writes = false;

  async function write(method: WriteMethod, args: unknown[]): Promise<unknown> {
    // Savepoints cost round trips: most runs read, or not even that.
    if (!writes) await tx.query('savepoint run');
    writes = true;
    await tx.query('savepoint call');
    const mark = markGathered(tx);
    try {
      const made = await writeForScript(run, method, args);
      await tx.query('release savepoint call');
      changes.push(...made.changes);
      return made.answer;
    } catch (error) {
      if (error instanceof AppError) {
        await rollBackTo('call');
        forgetGathered(tx, mark);
      }
      throw error;
    }
  }

  async function rollBackTo(savepoint: 'run' | 'call'): Promise<void> {
    await tx.query(`rollback to savepoint ${savepoint}`);
    // The identity map knows rows as they were written; they are read again.
    tx.em.clear();
  }

  return {
    call: (method, args) =>
      isWriteMethod(method)
        ? write(method, args)
        : (readers[method] as (tx: Tx, ...args: unknown[]) => Promise<unknown>)(
            tx,
            ...(args as ApiArguments[ReadMethod]),
          ),
    changes,
    keep: async () => {
      // Other runs share the transaction: each has its own events.
      if (writes) await recordGathered(tx);
      if (writes) await tx.query('release savepoint run');
      tx.em.clear();
    },
    undo: async () => {
      if (writes) {
        await rollBackTo('run');
        forgetGathered(tx, { entries: 0, procured: 0 });
      }
      changes.length = 0;
    },
  };
}
