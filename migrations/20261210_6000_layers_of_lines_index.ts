/** Finds what is left of the layers that a line brought to a position: a movement of the line takes these first. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class LayersOfLinesIndex extends IndexMigration {
  override name = '20261210_6000_layers_of_lines_index';

  override up(): void {
    this.addIndex(
      'cost_open_line',
      'on cost_open (workspace_id, item_id, location_id, line_id, origin_id, layer) where line_id is not null',
    );
  }
}
