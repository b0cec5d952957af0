/** Gives an entity a picture that is stored, or takes it away. */
import type { Actor } from '../actor.ts';
import { keepBlobs, releaseBlobs } from '../blobs/store-blob.ts';
import { configurationForWriting } from '../configuration/current/configuration-for-writing.ts';
import type { Tx } from '../db/transaction.ts';
import { lockEntityRow } from '../entities/lock-entity-row.ts';
import { type EntityRef, resolveEntityId } from '../entities/resolve-entity.ts';
import { reviseReleased } from '../entities/revise-entities.ts';
import { AppError } from '../errors.ts';
import { recordEntityUpdated } from '../events/record-entity-events.ts';

/**
 * Returns the id of the entity. An entity that has this picture already stays as it is; a released one gets a new revision, and the old
 * revision keeps its picture. `sha256` null takes the picture away. Throws `entity_not_found`, `picture_not_found`.
 */
export async function setPicture(
  tx: Tx,
  actor: Actor,
  ref: EntityRef,
  sha256: string | null,
): Promise<string> {
  const configuration = await configurationForWriting(tx);
  const row = await lockEntityRow(tx, await resolveEntityId(tx, ref));
  const before = row.picture == null ? null : Buffer.from(row.picture).toString('hex');
  if (before === sha256) return row.id;
  if (sha256 !== null && !(await keepBlobs(tx, [sha256])).has(sha256)) throw pictureNotFound(sha256);
  await reviseReleased(tx, actor, row, configuration);
  tx.em.assign(row, { picture: sha256 === null ? null : Buffer.from(sha256, 'hex'), syncHash: null });
  await tx.em.flush();
  if (before !== null) await releaseBlobs(tx, [before]);
  await recordEntityUpdated(tx, row, [{ property: 'picture', from: before, to: sha256 }]);
  return row.id;
}

export function pictureNotFound(sha256: string): AppError {
  return new AppError('picture_not_found', `There is no picture ${sha256} in this workspace.`);
}
