/** Finds the entities and revisions that have a picture, for retention. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class PicturesIndexes extends IndexMigration {
  override name = '20261202_7001_pictures_indexes';

  override up(): void {
    for (const table of ['entity', 'entity_revision'])
      this.addIndex(`${table}_picture`, `on ${table} (workspace_id, picture) where picture is not null`);
  }
}
