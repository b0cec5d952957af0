/**
 * Digests of the ledger: what each said, and the heads of positions that it covers. A head is kept where it
 * differs from the one that the digest before it covers, so that the record grows with the ledger and not with
 * the number of digests.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class LedgerDigest extends Migration {
  override name = '20261122_0201_ledger_digest';

  override up(): void {
    this.addSql(`
      create table ledger_digest (
        workspace_id uuid not null,
        ordinal integer not null check (ordinal > 0),
        at timestamptz not null,
        entries bigint not null,
        positions integer not null,
        digest bytea not null check (octet_length(digest) = 32),
        primary key (workspace_id, ordinal),
        unique (workspace_id, digest)
      )`);
    // The position's head as of that digest and those after it, until the next row of the position.
    this.addSql(`
      create table ledger_digest_head (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        ordinal integer not null,
        sequence bigint not null check (sequence > 0),
        hash bytea not null check (octet_length(hash) = 32),
        primary key (workspace_id, item_id, location_id, ordinal)
      )`);
    for (const table of ['ledger_digest', 'ledger_digest_head']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
      this.addSql(`revoke update, delete on ${table} from partbook_app, partbook_system`);
    }
  }
}
