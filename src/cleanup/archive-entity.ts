/** Archives an entity, so that lists and pickers leave it out, and takes it back. Nothing is deleted. */
import type { Actor } from '../actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import { categoryOf } from '../configuration/current/workspace-configuration.ts';
import { lockConfiguration } from '../configuration/lock-configuration.ts';
import type { Tx } from '../db/transaction.ts';
import type { EntityRow } from '../entities/entity.entity.ts';
import { lockStructure, noteStructureEdit } from '../entities/links/lock-structure.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import { type EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { AppError } from '../errors.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';
import type { ArchiveReason } from './archive.schema.ts';
import { reasonsToKeep, reasonsToStayArchived } from './archive-reasons.ts';

interface Archiving {
  ref: EntityRef;
  archived: boolean;
  /** Maximum number of rows of each kind in which reasons are searched. */
  lookedMax: number;
}

/**
 * Returns the id of the entity; one that is as wanted already stays untouched. Takes the configuration lock alone: whoever gives an
 * entity stock, an order line, a requirement or a parent shares it, so that none of these can appear unnoticed. A batch between two of
 * its steps finds another count of structure edits and warns of the children that were archived. Throws `entity_not_found`,
 * `archive_refused`.
 */
export async function setArchived(
  tx: Tx,
  actor: Actor,
  { ref, archived, lookedMax }: Archiving,
): Promise<string> {
  await lockConfiguration(tx);
  const configuration = await configurationForWriting(tx);
  await lockStructure(tx);
  const row = await lockEntityRow(tx, await resolveEntityId(tx, ref));
  const before = row.archivedAt?.toISOString() ?? null;
  if ((before !== null) === archived) return row.id;
  const category = categoryOf(configuration, row.category);
  if (category.behaviour !== 'none') throw refuseBehaviour(row, category.name);
  const reasons = archived
    ? await reasonsToKeep(tx, row, configuration, lookedMax)
    : await reasonsToStayArchived(tx, row, configuration, lookedMax);
  if (reasons.length > 0) throw refusal(row, archived, reasons);
  const archivedAt = archived ? new Date() : null;
  // Without the hash the next sync that brings it compares it in full, and says that it is archived.
  tx.em.assign(row, { archivedAt, syncHash: null });
  await tx.em.flush();
  await noteStructureEdit(tx);
  const after = archivedAt?.toISOString() ?? null;
  await recordChange(tx, {
    actor,
    action: 'update',
    subjectType: 'entity',
    subjectKey: row.id,
    before: { archivedAt: before },
    after: { archivedAt: after },
  });
  await recordEntityUpdated(tx, row, [{ property: 'archivedAt', from: before, to: after }]);
  return row.id;
}

function refuseBehaviour({ number, id }: EntityRow, category: string): AppError {
  return new AppError(
    'archive_refused',
    `${number ?? id} is of category "${category}": orders, lines and requirements end by their lifecycle and are not archived.`,
  );
}

function refusal({ number, id }: EntityRow, archived: boolean, reasons: readonly ArchiveReason[]): AppError {
  const done = archived ? 'archived' : 'unarchived';
  return new AppError('archive_refused', {
    detail: `${number ?? id} cannot be ${done}: ${reasons.map(({ message }) => message).join('; ')}.`,
    extensions: { reasons },
  });
}
