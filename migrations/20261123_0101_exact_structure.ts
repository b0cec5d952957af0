/** Batches that say the structure of what they send exactly: what of it they do not name is taken out. */
import { Migration } from '@mikro-orm/migrations';

export class ExactStructure extends Migration {
  override name = '20261123_0101_exact_structure';

  override up(): void {
    this.addSql(`
      alter table sync_batch add column structure_mode text not null default 'additive'
        check (structure_mode in ('additive', 'exact'))`);
    this.addSql(`alter table sync_chunk add column applied boolean not null default false`);
    this.addSql(`comment on column sync_chunk.applied is
      'Done before a retry of an exact batch: its plan is kept only for the links that it names.'`);
  }
}
