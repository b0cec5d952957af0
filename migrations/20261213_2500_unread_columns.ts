/** Columns that nothing reads: a revision ends when the next one begins, and of a crossing only the item counts. */
import { Migration } from '@mikro-orm/migrations';

export class UnreadColumns extends Migration {
  override name = '20261213_2500_unread_columns';

  override up(): void {
    this.addSql('alter table entity_revision drop column superseded_at');
    this.addSql('alter table threshold_crossing drop column crossed_at');
    this.addSql('alter table reorder_crossing drop column crossed_at');
    this.addSql(
      `comment on column person_password.changed_at is 'When the password was last set; for the operator, after a theft.'`,
    );
  }
}
