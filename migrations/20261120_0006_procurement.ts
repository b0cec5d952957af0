/**
 * Procurement: what a stock line and a material requirement are about. Both are entities, whose row holds
 * number and state; their quantities are sums over the ledger and stand nowhere else.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Procurement extends Migration {
  override name = '20261120_0006_procurement';

  override up(): void {
    this.addSql(`
      create table stock_line (
        workspace_id uuid not null,
        id uuid not null,
        type text not null check (type in ('purchaseOrder', 'salesOrder', 'manufacturingOrder')),
        order_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        requirement_id uuid,
        quantity numeric(15, 6) not null check (quantity > 0),
        required_by date,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id)
      )`);
    this.addSql(`create index stock_line_order on stock_line (workspace_id, order_id, id)`);
    this.addSql(`create index stock_line_item on stock_line (workspace_id, item_id, id)`);
    this.addSql(`create index stock_line_type on stock_line (workspace_id, type, id)`);
    this.addSql(`create index stock_line_requirement on stock_line (workspace_id, requirement_id, id)
      where requirement_id is not null`);

    // Needed for a project, or as a component of what a manufacturing line makes.
    this.addSql(`
      create table material_requirement (
        workspace_id uuid not null,
        id uuid not null,
        project_id uuid,
        line_id uuid,
        item_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        required_by date,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id),
        check ((project_id is null) <> (line_id is null))
      )`);
    this.addSql(
      `create index material_requirement_project on material_requirement (workspace_id, project_id, item_id, id)
       where project_id is not null`,
    );
    this.addSql(`create index material_requirement_item on material_requirement (workspace_id, item_id, id)`);
    this.addSql(`create index material_requirement_line on material_requirement (workspace_id, line_id, id)
      where line_id is not null`);

    for (const table of ['stock_line', 'material_requirement']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    // Facts: a wrong line is cancelled and another made.
    this.addSql(
      `revoke update, delete on stock_line, material_requirement from partbook_app, partbook_system`,
    );
  }
}
