/**
 * A batch that is cancelled while entities of it are written and not linked ends when they are. And batches no
 * longer count the elements that name a parent, which nobody reads.
 */
import { Migration } from '@mikro-orm/migrations';

export class SyncEnding extends Migration {
  override name = '20261120_0008_sync_ending';

  override up(): void {
    this.addSql(`alter table sync_batch drop column linked_count`);
    this.addSql(`alter table sync_batch add column cancelling boolean not null default false`);
    this.addSql(`comment on column sync_batch.cancelling is
      'Cancelled, and goes on only to link what is written.'`);
  }
}
