/** What of a batch is still rejected, after elements of it were sent again and accepted. */
import { Migration } from '@mikro-orm/migrations';

export class StillRejected extends Migration {
  override name = '20261201_0301_still_rejected';

  override up(): void {
    this.addSql('alter table sync_batch add column still_rejected integer, add column open_problems bytea');
    this.addSql(`comment on column sync_batch.still_rejected is
      'Rejected elements that no resend has brought in; null while none was sent again.'`);
  }
}
