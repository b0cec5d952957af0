/** How a workspace prints its orders. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class OrderTemplates extends Migration {
  override name = '20261209_8001_order_templates';

  override up(): void {
    this.addSql(`
      create table order_template (
        workspace_id uuid not null primary key,
        template jsonb not null,
        version integer not null default 1
      )`);
    this.addSql(
      `comment on table order_template is 'How the workspace prints its orders; no row: as by default.'`,
    );
    for (const sql of grantTenantTable('order_template')) this.addSql(sql);
  }
}
