/** Pauses and resumes batches, automations or webhooks of a workspace. Running work finishes. */
import { newId } from '../db/ids.ts';
import { inTransaction } from '../db/transaction.ts';
import { announceResumed } from '../sync/batch/announce-steps.ts';
import { deletePause, forgetAnnouncement, insertAction, insertPause } from './console.sql.ts';
import type { Work } from './group-failures.ts';
import type { Retrying } from './retry-failures.ts';

export interface Pause {
  workspace: { id: string; slug: string };
  work: Work;
  reason: string;
}

export async function pauseWork({ db, log }: Retrying, { workspace, work, reason }: Pause): Promise<void> {
  await inTransaction(db, 'instance', async (tx) => {
    await tx.query(insertPause, [workspace.id, work, reason]);
    await tx.query(insertAction, [newId(), 'pause', work, workspace.slug, workspace.slug, reason, 0]);
  });
  log.info({ operator: true, workspace: workspace.slug, work }, 'operator paused work');
}

export async function resumeWork(
  { config, db, log, queues }: Retrying,
  { workspace, work, reason }: Pause,
): Promise<void> {
  const was = await inTransaction(db, 'instance', async (tx) => {
    const rows = await tx.query(deletePause, [workspace.id, work]);
    if (rows.length === 0) return false;
    await tx.query(insertAction, [
      newId(),
      'resume',
      work,
      workspace.slug,
      workspace.slug,
      reason || null,
      0,
    ]);
    if (work !== 'batch') await tx.query(forgetAnnouncement, [workspace.id, work]);
    return true;
  });
  if (!was) return;
  log.info({ operator: true, workspace: workspace.slug, work }, 'operator resumed work');
  if (work !== 'batch') return;
  await announceResumed({ config, db, queues }, workspace.id).catch((error: unknown) =>
    log.warn({ err: error }, 'resumed batches wait for healing'),
  );
}
