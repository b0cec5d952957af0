/** Thresholds on the counts of saved views: the last count of each, or why there is none. */
import { Migration } from '@mikro-orm/migrations';

export class ViewThresholds extends Migration {
  override name = '20261204_3010_view_thresholds';

  override up(): void {
    this.addSql(`alter table automation add column threshold_status json`);
  }
}
