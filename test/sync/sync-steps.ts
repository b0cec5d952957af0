/** Takes the steps of a batch one by one, on a server without a worker: what a test does falls between two of them. */
import { wireOf } from '../../src/config.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { planStep, wholeStep, writeStep } from '../../src/sync/apply/apply-chunk.ts';
import { advanceBatch, type SyncWorker } from '../../src/sync/batch/advance-batch.ts';
import { HeldBatches } from '../../src/sync/batch/held-batches.ts';
import { ProgressNotes } from '../../src/sync/batch/progress-notes.ts';
import { type BatchRef, openSyncThread } from '../../src/sync/chunk/thread-context.ts';
import { linkStep } from '../../src/sync/link/link-step.ts';
import { structureStep } from '../../src/sync/structure/structure-step.ts';
import type { TestServer } from '../setup/server.ts';
import type { DefaultWorkspace } from '../workspaces/default-workspace.ts';

export interface SyncSteps {
  /** One step, as a job of the batch takes it: a chunk, a pass, or the way to the next phase. How many jobs it announced. */
  step(ref: BatchRef): Promise<number>;
  /** The same while the queue takes nothing, and says that. */
  stepBeside(refusing: Error, ref: BatchRef): Promise<void>;
  /** A step whose thread dies, or that fails with this. */
  stepDying(ref: BatchRef, error?: Error): Promise<void>;
  /** Steps until the batch is in that phase and has taken no step of it; `done` is its end. */
  toPhase(ref: BatchRef, phase: 'structure' | 'write' | 'link' | 'done'): Promise<void>;
  close(): Promise<void>;
}

const passes = {
  plan: planStep,
  structure: structureStep,
  write: writeStep,
  link: linkStep,
  whole: wholeStep,
};
const STEPS_MAX = 1000;

/** `turnMs`: how long a job goes on with further steps while fewer than `jobsMax` are under way. */
export async function openSyncSteps(
  server: TestServer,
  { turnMs, jobsMax } = { turnMs: 0, jobsMax: 2 },
): Promise<SyncSteps> {
  const { config, log, db, queues, databaseUrl } = server.ctx;
  const thread = await openSyncThread({
    databaseUrl,
    applicationName: 'test',
    lockTimeoutMs: 30_000,
    poolMax: 4,
    wire: wireOf(config),
    // So that the links of few entities are made in many transactions.
    linksPerTransaction: 2,
    limits: {
      numberCharsMax: 255,
      propertiesBytesMax: 4 * 1024 * 1024,
      nameCharsMax: 1024,
      propertyValueCharsMax: 32_768,
      propertiesMax: 500,
      warningsMax: 20,
    },
  });
  const pool: SyncWorker['pool'] = {
    run: (name, ref) => passes[name](thread, ref),
    close: () => Promise.resolve(),
  };
  const worker = {
    config: { ...config, SYNC_TURN_MS: turnMs },
    log,
    db,
    pool,
    queues: { ...queues },
    progress: new ProgressNotes(),
    held: new HeldBatches(),
    jobs: { max: jobsMax, underWay: 0 },
  };
  const step = async (ref: BatchRef) => {
    let announced = 0;
    let long = false;
    worker.queues.announce = async (name) => {
      announced++;
      long ||= name === 'sync.advanceLong';
    };
    await advanceBatch(worker, ref);
    if (long) await advanceBatch(worker, ref, true);
    return announced;
  };
  return {
    step,
    stepBeside: (refusing, ref) => {
      worker.queues.announce = () => Promise.reject(refusing);
      return advanceBatch(worker, ref);
    },
    stepDying: (ref, error = new Error('The thread died')) => {
      const dead: SyncWorker['pool'] = { ...pool, run: () => Promise.reject(error) };
      return advanceBatch({ ...worker, pool: dead, held: new HeldBatches() }, ref);
    },
    toPhase: async (ref, phase) => {
      for (let taken = 0; taken < STEPS_MAX; taken++) {
        if ((await phaseOf(server, ref)) === phase) return;
        await step(ref);
      }
      throw new Error(`The batch never came to the phase ${phase}`);
    },
    close: () => thread.db.close(),
  };
}

async function phaseOf({ ctx }: TestServer, { workspaceId, batchId }: BatchRef): Promise<string> {
  const [row] = await inTransaction(ctx.db, { workspaceId }, (tx) =>
    tx.query<{ phase: string }>(
      `select case when status in ('queued', 'processing') then phase else 'done' end as phase
       from sync_batch where id = $1`,
      [batchId],
    ),
  );
  return row?.phase ?? 'absent';
}

export const refIn = (workspace: DefaultWorkspace, batchId: string): BatchRef => ({
  workspaceId: workspace.id,
  batchId,
});
