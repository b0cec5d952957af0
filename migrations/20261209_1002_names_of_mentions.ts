/** The name by which a comment mentions each member: a member may have another name later. */
import { Migration } from '@mikro-orm/migrations';

export class NamesOfMentions extends Migration {
  override name = '20261209_1002_names_of_mentions';

  override up(): void {
    this.addSql(`alter table comment add column mentioned_as text[] not null default '{}'`);
    this.addSql(
      `comment on column comment.mentioned_as is 'The name in the text of each member of "mentions"; older comments lack it.'`,
    );
  }
}
