/** Records what an operator does, with the name of the person, or none where the operator token was shown. */
import { type Actor, OPERATOR } from '../../actor.ts';
import { newId } from '../../db/ids.ts';
import type { InstanceTx } from '../../db/transaction.ts';
import { insertAction } from './console.sql.ts';
import type { Work } from './group-failures.ts';

export interface RecordedAction {
  action: 'retry' | 'cancel' | 'pause' | 'resume' | 'create' | 'key' | 'appoint' | 'dismiss';
  work?: Work;
  /** The slug; null where it concerns several workspaces, or none. */
  workspace: string | null;
  subject: string;
  reason?: string | null;
  items?: number;
}

/** Returns the id of the action. */
export async function recordAction(
  tx: InstanceTx,
  operator: Actor,
  { action, work, workspace, subject, reason, items }: RecordedAction,
): Promise<string> {
  const id = newId();
  const by = operator.id === OPERATOR.id ? [null, null] : [operator.id, operator.name];
  const about = [action, work ?? null, workspace, subject, reason ?? null, items ?? 0];
  await tx.query(insertAction, [id, ...about, ...by]);
  return id;
}
