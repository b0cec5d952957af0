/**
 * What a chunk's results come to, beside them: which errors and warnings, how often, what a dry run would change. A
 * batch of a million elements is then looked at as quickly as one of ten.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class SyncDigest extends Migration {
  override name = '20261122_0701_sync_digest';

  override up(): void {
    this.addSql(`
      create table sync_digest (
        workspace_id uuid not null,
        batch_id uuid not null,
        chunk integer not null,
        digest bytea not null,
        primary key (workspace_id, batch_id, chunk)
      )`);
    this.addSql(`comment on table sync_digest is
      'Only of chunks that have anything to tell. Batches that ended before this table was made have no digest.'`);
    for (const sql of grantTenantTable('sync_digest')) this.addSql(sql);
  }
}
