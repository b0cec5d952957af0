/** Finds the purchase lines of an item, however many other lines it has. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class PurchasedItems extends IndexMigration {
  override name = '20261201_5000_purchased_items';

  override up(): void {
    this.addIndex(
      'stock_line_purchased',
      `on stock_line (workspace_id, item_id, id) where type = 'purchaseOrder'`,
    );
  }
}
