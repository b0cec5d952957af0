/** Finds the locations that lie directly in a location. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LocationsInLocation extends IndexMigration {
  override name = '20261201_3001_locations_in_location';

  override up(): void {
    this.addIndex(
      'entity_parent_location',
      'on entity (workspace_id, parent_location_id, id) where parent_location_id is not null',
    );
  }
}
