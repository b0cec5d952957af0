/** From whom a purchase order is: a name, found again by the key that its spellings share. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class OrderSupplier extends Migration {
  override name = '20261130_0700_order_supplier';

  override up(): void {
    this.addSql(`
      create table order_supplier (
        workspace_id uuid not null,
        order_id uuid not null,
        name text not null check (name <> ''),
        key text collate "C" not null check (key <> ''),
        primary key (workspace_id, order_id)
      )`);
    // The orders of one supplier in the order of their ids, and one supplier behind the other.
    this.addSql(`create index order_supplier_key on order_supplier (workspace_id, key, order_id)`);
    for (const sql of grantTenantTable('order_supplier')) this.addSql(sql);
  }
}
