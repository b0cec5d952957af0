/** What is kept of a sync with the entity that it wrote tells an element that comes again word for word as well. */
import { Migration } from '@mikro-orm/migrations';

export class SentAgain extends Migration {
  override name = '20261129_0300_sent_again';

  override up(): void {
    this.addSql(`comment on column entity.sync_hash is
      'Hash of what a sync would write; behind it that of the element as it was sent, and its quantity where it is not 1. Every writer other than sync sets it to null.'`);
  }
}
