/** Who cancelled a batch, and why: whoever sent it is told. */
import { Migration } from '@mikro-orm/migrations';

export class Cancellation extends Migration {
  override name = '20261130_0800_cancellation';

  override up(): void {
    this.addSql(`alter table sync_batch add column cancellation jsonb`);
  }
}
