/** Standard costs of items: from when one is set, what arrives of the item costs it, whatever was paid. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class StandardCosts extends Migration {
  override name = '20261210_6500_standard_costs';

  override up(): void {
    this.addSql(`
      create table standard_cost (
        workspace_id uuid not null,
        item_id uuid not null,
        id uuid not null,
        cost numeric(15, 6) check (cost >= 0),
        note text check (octet_length(note) <= 8000),
        actor_id uuid not null,
        recorded_at timestamptz not null,
        primary key (workspace_id, item_id, id)
      )`);
    this.addSql(`comment on table standard_cost is
      'Standard costs of items, each in force until the next of the item. Without a cost: the item has none from then on.'`);
    for (const sql of grantTenantTable('standard_cost')) this.addSql(sql);
    this.addSql('revoke update, delete on standard_cost from partbook_app, partbook_system');
    this.addSql('alter table cost_layer add column standard numeric(15, 6), add column paid numeric(60, 6)');
    this.addSql(`comment on column cost_layer.standard is
      'The standard cost of a base unit at which it came in; null: it came in at its own cost.'`);
    this.addSql(`comment on column cost_layer.paid is
      'What it would have cost without the standard, in the currency of the workspace; null: unknown.'`);
    this.addSql('alter table cost_step add column standard_id uuid');
    this.addSql(`comment on column cost_step.standard_id is
      'The last row of standard_cost of the item when it was recorded; null: there was none.'`);
  }
}
