/** Lists what a member follows, the newest first. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class SubscriptionsOfMembersIndex extends IndexMigration {
  override name = '20261207_3000_subscriptions_of_members_index';

  override up(): void {
    this.addIndex('subscription_of_member', 'on subscription (workspace_id, member_id, id)');
  }
}
