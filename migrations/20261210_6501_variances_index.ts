/** Finds what arrived of an item at a standard cost, by time: the difference to what was paid is listed. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class VariancesIndex extends IndexMigration {
  override name = '20261210_6501_variances_index';

  override up(): void {
    this.addIndex(
      'cost_layer_standard',
      'on cost_layer (workspace_id, item_id, entry_id, location_id, layer) where standard is not null',
    );
  }
}
