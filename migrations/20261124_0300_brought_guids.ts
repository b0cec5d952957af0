/**
 * Which GUIDs a batch brought, beside its results: so that it can be said of a later batch of the same import definition
 * what it did not bring any more.
 */
import { Migration } from '@mikro-orm/migrations';

export class BroughtGuids extends Migration {
  override name = '20261124_0300_brought_guids';

  override up(): void {
    // First, before the table is taken from everybody else: while it is made, batches are read.
    this.addSql(`create index sync_batch_profile on sync_batch (workspace_id, profile_name, id)`);
    this.addSql(`alter table sync_result add brought uuid[], add refused uuid[]`);
    // GUIDs do not compress; trying to costs more than storing them.
    this.addSql(
      `alter table sync_result alter brought set storage external, alter refused set storage external`,
    );
    this.addSql(`comment on column sync_result.brought is
      'GUIDs of the elements that were taken; null where an earlier release stored the results.'`);
    this.addSql(`comment on column sync_result.refused is
      'GUIDs of the elements that were refused; null for none.'`);
    // The default of the first statement is that of the rows there are, which it does not rewrite.
    this.addSql(`alter table sync_batch add brought_kept boolean not null default false`);
    this.addSql(`alter table sync_batch alter brought_kept set default true`);
    this.addSql(`comment on column sync_batch.brought_kept is
      'Whether its results say which GUIDs it brought; those of earlier releases do not.'`);
  }
}
