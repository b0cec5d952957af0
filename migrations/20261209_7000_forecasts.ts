/** Forecasts of what is sold of items, each for a span of days. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Forecasts extends Migration {
  override name = '20261209_7000_forecasts';

  override up(): void {
    this.addSql(`
      create table forecast (
        workspace_id uuid not null,
        item_id uuid not null,
        from_day date not null,
        until_day date not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        primary key (workspace_id, item_id, from_day),
        check (until_day >= from_day)
      )`);
    this.addSql(
      `comment on table forecast is 'What is expected to be sold of an item within a span of days, in its base unit. Sales lines of the span consume it.'`,
    );
    for (const sql of grantTenantTable('forecast')) this.addSql(sql);
  }
}
