/** Pauses and resumes batches, automations or webhooks of a workspace. Running work finishes. */
import type { Actor } from '../../actor.ts';
import { inTransaction } from '../../db/transaction.ts';
import { announceResumed } from '../../sync/batch/announce-steps.ts';
import { deletePause, forgetAnnouncement, insertPause } from './console.sql.ts';
import type { Work } from './group-failures.ts';
import { recordAction } from './record-action.ts';
import type { Retrying } from './retry-failures.ts';

export interface Pause {
  workspace: { id: string; slug: string };
  work: Work;
  reason: string;
  operator: Actor;
}

export async function pauseWork(
  { db, log }: Retrying,
  { workspace, work, reason, operator }: Pause,
): Promise<void> {
  await inTransaction(db, 'instance', async (tx) => {
    await tx.query(insertPause, [workspace.id, work, reason]);
    const { slug } = workspace;
    await recordAction(tx, operator, { action: 'pause', work, workspace: slug, subject: slug, reason });
  });
  log.info({ operator: true, workspace: workspace.slug, work }, 'operator paused work');
}

export async function resumeWork(
  { config, db, log, queues }: Retrying,
  { workspace, work, reason, operator }: Pause,
): Promise<void> {
  const was = await inTransaction(db, 'instance', async (tx) => {
    const rows = await tx.query(deletePause, [workspace.id, work]);
    if (rows.length === 0) return false;
    const { slug } = workspace;
    const about = { work, workspace: slug, subject: slug, reason: reason || null };
    await recordAction(tx, operator, { action: 'resume', ...about });
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
