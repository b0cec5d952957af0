/** Finds what is on order for requirements, by item. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class PromisedSupply extends IndexMigration {
  override name = '20261201_2030_promised_supply';

  override up(): void {
    // Few requirements wait for a delivery at a time: the index is small, and reservations and issues do not change it.
    this.addIndex(
      'stock_requirement_total_promised',
      'on stock_requirement_total (workspace_id, item_id, requirement_id) where ordered <> received',
    );
  }
}
