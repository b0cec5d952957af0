/** Makes a lifecycle. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Tx } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import { requireLifecycleSize, requireRoom, requireRoomForAll } from '../limits.ts';
import { lockConfiguration } from '../lock-configuration.ts';
import type { CheckAttachments } from './check-attachments.ts';
import { LifecycleRow } from './lifecycle.entity.ts';
import type { Lifecycle } from './lifecycle.schema.ts';
import { showLifecycle } from './show-lifecycle.ts';

/** Throws `key_taken`, `configuration_full`, `payload_too_large`. */
export async function createLifecycle(
  tx: Tx,
  actor: Actor,
  lifecycle: Lifecycle,
  checkAttachments: CheckAttachments,
): Promise<LifecycleRow> {
  const { workspaceId } = tx;
  requireLifecycleSize(lifecycle);
  checkAttachments(lifecycle.transitions);
  await lockConfiguration(tx);
  if ((await tx.em.findOne(LifecycleRow, { workspaceId, key: lifecycle.key })) !== null) {
    throw new AppError('key_taken', `There is a lifecycle "${lifecycle.key}" already.`);
  }
  requireRoom('lifecycles', await tx.em.count(LifecycleRow, { workspaceId }));
  const row = tx.em.create(LifecycleRow, { workspaceId, ...lifecycle });
  await tx.em.flush();
  await requireRoomForAll(tx, null, showLifecycle(row));
  await recordChange(tx, {
    actor,
    action: 'create',
    subjectType: 'lifecycle',
    subjectKey: row.key,
    before: null,
    after: showLifecycle(row),
  });
  return row;
}
