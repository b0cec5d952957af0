/** The events of a chunk: one for each created and each updated result (contract §2.5, §5.4). */

import type { Tx } from '../../db/transaction.ts';
import { type ContextType, recordEvents } from '../../events/record-events.ts';
import type { BatchRef } from '../chunk/thread-context.ts';
import type { WrittenChange } from './chunk-writing.ts';

export async function recordChanges(
  tx: Tx,
  { batchId }: BatchRef,
  changes: readonly WrittenChange[],
  listened: ReadonlySet<ContextType>,
): Promise<void> {
  if (changes.length === 0) return;
  if (!listened.has('entityCreated') && !listened.has('entityUpdated')) return;
  const workspaceSlug = await slugOf(tx);
  const subject = ({ entity, id, number }: WrittenChange) => ({
    entityId: id,
    entityNumber: number,
    entityGuid: entity.guid,
    categoryKey: entity.stored?.category ?? entity.carrier.element.categoryKey,
    workspaceSlug,
    batchId,
  });
  if (listened.has('entityCreated')) {
    const created = changes.filter((change) => change.kind === 'created').map(subject);
    await recordEvents(tx, 'entityCreated', created);
  }
  if (listened.has('entityUpdated')) {
    const updated = changes
      .filter((change) => change.kind === 'updated')
      .map((change) => ({
        ...subject(change),
        changes: change.entity.changes.map(({ property, from, to }) => ({ property, from, to })),
      }));
    await recordEvents(tx, 'entityUpdated', updated);
  }
}

async function slugOf(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ slug: string }>('select slug from workspace where id = $1', [
    tx.workspaceId,
  ]);
  return row?.slug ?? '';
}
