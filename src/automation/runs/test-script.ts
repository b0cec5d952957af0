/** Runs a script at once on real data and takes everything back that it wrote (contract §5.3). */
import type { Actor, Workspace } from '../../actor.ts';
import { type Area, areas } from '../../areas.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import type { MoverOf } from '../../entities/transition-entity.ts';
import { contextTypes } from '../../events/record-events.ts';
import type { ScriptPool } from '../conductor/script-pool.ts';
import type { ScriptTest, ScriptTestResult } from '../script-result.schema.ts';
import { openScriptCalls, SCRIPT_LOCK_TIMEOUT_MS } from './open-script-calls.ts';

export interface Tester {
  actor: Actor;
  areas: readonly Area[];
  workspace: Workspace;
}

export interface TestBench {
  db: Db;
  config: Config;
  scripts: Pick<ScriptPool, 'runScript'>;
  moverOf: MoverOf;
}

/** Ends the transaction without a commit and carries the result out of it. */
class Undone extends Error {
  readonly result: ScriptTestResult;

  constructor(result: ScriptTestResult) {
    super('a test leaves nothing');
    this.result = result;
  }
}

export async function testScript(
  { db, config, scripts, moverOf }: TestBench,
  { actor, areas: held, workspace }: Tester,
  test: ScriptTest,
  signal: AbortSignal,
): Promise<ScriptTestResult> {
  try {
    const work = async (tx: Tx): Promise<never> => {
      const context = contextOf(test, workspace);
      const own = { mover: moverOf(actor), automationId: actor.id, runId: null };
      // The test has the rights that a button would give the script; a script that an event starts has all rights.
      const rights = test.contextTypeId === contextTypes.feature ? held : areas;
      const calls = openScriptCalls({ tx, actor, areas: rights, config, context, ...own });
      const { ok, result, logs, error, apiCalls, durationMs, cpuMs } = await scripts.runScript({
        source: test.script,
        context,
        now: new Date(),
        seed: 'test',
        hostCalls: calls.call,
        signal,
      });
      throw new Undone({
        ok,
        result,
        logs,
        error,
        changes: [...calls.changes],
        apiCalls,
        durationMs,
        cpuMs,
      });
    };
    const options = { runsScripts: true, lockTimeoutMs: SCRIPT_LOCK_TIMEOUT_MS };
    return await inTransaction(db, { workspaceId: workspace.id }, work, options);
  } catch (error) {
    if (error instanceof Undone) return error.result;
    throw error;
  }
}

function contextOf(
  { contextTypeId, context = {} }: ScriptTest,
  { slug }: Workspace,
): Record<string, unknown> {
  const feature = { feature: 'test', entityId: null, entityNumber: null, parameters: {} };
  return {
    workspaceSlug: slug,
    ...(contextTypeId === contextTypes.feature ? feature : {}),
    ...context,
  };
}
