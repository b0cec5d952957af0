/** Test messages of a webhook that still wait: before another is sent, they are counted, whatever else waits for that webhook. */
import { Migration } from '@mikro-orm/migrations';

export class WaitingTests extends Migration {
  override name = '20261123_0301_waiting_tests';

  override up(): void {
    this.addSql(
      `create index webhook_delivery_test on webhook_delivery (workspace_id, webhook_id)
       where status = 'pending' and type = 'webhook.test'`,
    );
  }
}
