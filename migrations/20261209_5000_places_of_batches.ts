/** An import gives locations their places when all its entities are written. */
import { Migration } from '@mikro-orm/migrations';

export class PlacesOfBatches extends Migration {
  override name = '20261209_5000_places_of_batches';

  override up(): void {
    this.addSql('alter table sync_chunk add column places bytea');
    this.addSql(`comment on column sync_chunk.places is
      'Packed JSON: the places in the tree of locations that elements of the chunk ask for. Null where none does.'`);
  }
}
