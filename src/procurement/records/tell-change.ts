/** Tells of a change of a line or a requirement: the audit trail keeps what was wanted before, and listeners to changed entities hear of it. */
import type { Actor } from '../../actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { configurationForWriting } from '../../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../../configuration/current/workspace-configuration.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockEntityRow } from '../../entities/lock-entity-row.ts';
import { type EventChange, recordEntityUpdated } from '../../events/record-entity-events.ts';
import { gatherProcured } from '../../stock/events/gather-changes.ts';

export interface ToldChange {
  id: string;
  subjectType: 'stockLine' | 'materialRequirement';
  changes: readonly EventChange[];
  /** Values for the audit trail. */
  before: object;
  after: object;
  /** Names by the quantities before and after. */
  formerName: string;
  name: string;
}

export async function tellChange(
  tx: Tx,
  actor: Actor,
  { id, subjectType, changes, before, after, formerName, name }: ToldChange,
): Promise<void> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, id);
  const all = [...changes];
  // A name that somebody has given it stays; so does that of a released revision.
  const { releasedStates } = categoryOf(configuration, row.category).lifecycle;
  if (row.name === formerName && name !== formerName && !releasedStates.has(row.state)) {
    all.push({ property: 'name', from: row.name, to: name });
    tx.em.assign(row, { name });
    await tx.em.flush();
  }
  gatherProcured(tx, [id]);
  await recordChange(tx, { actor, action: 'update', subjectType, subjectKey: id, before, after });
  await recordEntityUpdated(tx, row, all);
}
