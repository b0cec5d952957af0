/** Finds the keys of a member among the actors, and the automations that act for them. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class KeysOfMembersIndex extends IndexMigration {
  override name = '20261206_1501_keys_of_members_index';

  override up(): void {
    this.addIndex('actor_of_member', 'on actor (workspace_id, member_id, id) where member_id is not null');
  }
}
