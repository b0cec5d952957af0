/** Chunks of new entities that nothing of their batch lies below are written where they are planned. */
import { Migration } from '@mikro-orm/migrations';

export class LeafChunks extends Migration {
  override name = '20261127_0100_leaf_chunks';

  override up(): void {
    this.addSql(`alter table sync_chunk add column leaves boolean not null default false`);
    this.addSql(`comment on column sync_chunk.leaves is
      'No element of the batch names an entity of this chunk as its parent; false where that is not known.'`);
  }
}
