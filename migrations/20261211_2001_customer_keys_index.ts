/** Orders of a customer, in the order of their ids. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class CustomerKeysIndex extends IndexMigration {
  override name = '20261211_2001_customer_keys_index';

  override up(): void {
    this.addIndex(
      'order_reference_customer',
      'on order_reference (workspace_id, customer_key, order_id) where customer_key is not null',
    );
  }
}
