/** The pictures that elements name by their hashes. */
import { keepBlobs } from '../../blobs/store-blob.ts';
import type { Tx } from '../../db/transaction.ts';
import type { PreparedEntity } from '../elements/prepare-elements.ts';
import { picturePending, type SyncWarning } from '../elements/sync-result.ts';

/** The part of a compared entity that a picture decides. */
interface Pictured extends Pick<PreparedEntity, 'carrier'> {
  picture: string | null | undefined;
  hash: string | null;
  warnings: readonly SyncWarning[];
}

/**
 * Takes the pictures that the workspace has, and keeps them until the transaction ends; of the others the results say so. The entities are
 * new, or differ from what is stored and are locked where they are to be written.
 */
export async function takePictures(tx: Tx, entities: readonly Pictured[]): Promise<void> {
  const pictured = entities.filter(({ carrier }) => carrier.element.picture !== undefined);
  if (pictured.length === 0) return;
  const hashes = new Set(pictured.flatMap(({ carrier }) => carrier.element.picture ?? []));
  const present = await keepBlobs(tx, [...hashes]);
  for (const entity of pictured) {
    const { picture } = entity.carrier.element;
    if (picture == null || present.has(picture)) {
      entity.picture = picture;
      continue;
    }
    entity.warnings = [...entity.warnings, picturePending(picture)];
    // The hash would let it pass as unchanged when the picture is there.
    entity.hash = null;
  }
}
