/**
 * Suppliers become records. Orders keep the name that they were ordered under; `supplier_name` says which supplier has that name, so that a
 * supplier can be renamed and merged without touching its orders.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Suppliers extends Migration {
  override name = '20261203_8000_suppliers';

  override up(): void {
    this.addSql(`
      create table supplier (
        workspace_id uuid not null,
        id uuid not null,
        name text not null check (name <> ''),
        key text collate "C" not null check (key <> ''),
        code text collate "C" check (code <> ''),
        currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
        lead_time_days integer check (lead_time_days between 0 and 3650),
        contact text,
        state text not null default 'active' check (state in ('active', 'inactive', 'merged')),
        merged_into uuid,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id),
        check ((merged_into is null) = (state <> 'merged'))
      )`);
    this.addSql(`comment on column supplier.key is 'The key of its present name; see supplier_name.'`);
    this.addSql(`comment on column supplier.merged_into is 'The supplier that has its names and parts now.'`);
    this.addSql(`create index supplier_key on supplier (workspace_id, key) where merged_into is null`);
    this.addSql(`create unique index supplier_code on supplier (workspace_id, code)
      where code is not null and merged_into is null`);
    this.addSql(
      `create index supplier_merged on supplier (workspace_id, merged_into) where merged_into is not null`,
    );
    this.addSql(`
      create table supplier_name (
        workspace_id uuid not null,
        key text collate "C" not null check (key <> ''),
        supplier_id uuid not null,
        primary key (workspace_id, key)
      )`);
    this.addSql(`comment on table supplier_name is
      'Which supplier has a name, or had it. The key is that of order_supplier: spellings of a name share it.'`);
    this.addSql(`create index supplier_name_of on supplier_name (workspace_id, supplier_id, key)`);
    for (const table of ['supplier', 'supplier_name'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    // Each name that orders have becomes a supplier, written as its newest order writes it.
    this.addSql(`
      with named as (
        insert into supplier_name (workspace_id, key, supplier_id)
        select workspace_id, key, uuidv7() from (select distinct workspace_id, key from order_supplier) as known
        returning workspace_id, key, supplier_id)
      insert into supplier (workspace_id, id, name, key)
      select n.workspace_id, n.supplier_id, newest.name, n.key from named n
      cross join lateral (
        select name from order_supplier o where o.workspace_id = n.workspace_id and o.key = n.key
        order by order_id desc limit 1) newest`);
  }
}
