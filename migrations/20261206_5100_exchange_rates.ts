/** Exchange rates of a workspace, each from a day on. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class ExchangeRates extends Migration {
  override name = '20261206_5100_exchange_rates';

  override up(): void {
    this.addSql(`
      create table exchange_rate (
        workspace_id uuid not null,
        from_currency text collate "C" not null check (from_currency ~ '^[A-Z]{3}$'),
        to_currency text collate "C" not null check (to_currency ~ '^[A-Z]{3}$'),
        valid_from date not null,
        rate numeric(18, 9) not null check (rate > 0),
        version integer not null default 1,
        primary key (workspace_id, from_currency, to_currency, valid_from),
        check (from_currency <> to_currency)
      )`);
    this.addSql(
      `comment on column exchange_rate.rate is 'How much of to_currency one unit of from_currency is worth.'`,
    );
    for (const sql of grantTenantTable('exchange_rate')) this.addSql(sql);
  }
}
