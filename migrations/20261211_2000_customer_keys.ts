/** Finds the orders of a customer: spellings of its name share a key, as those of a supplier do. */
import { Migration } from '@mikro-orm/migrations';

export class CustomerKeys extends Migration {
  override name = '20261211_2000_customer_keys';

  override up(): void {
    this.addSql(`
      alter table order_reference
      add column customer_key text generated always as (lower(normalize(regexp_replace(btrim(customer), '\\s+', ' ', 'g'), NFC))) stored`);
    this.addSql(
      `comment on column order_reference.customer_key is 'The customer without differences of case and spaces.'`,
    );
  }
}
