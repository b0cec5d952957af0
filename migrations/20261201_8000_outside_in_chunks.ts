/** Whether a chunk creates entities that have no place in a structure. */
import { Migration } from '@mikro-orm/migrations';

export class OutsideInChunks extends Migration {
  override name = '20261201_8000_outside_in_chunks';

  override up(): void {
    this.addSql('alter table sync_chunk add column creates_outside boolean not null default false');
  }
}
