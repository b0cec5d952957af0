/** The operator's actions on a workspace as a whole, such as creating it, concern no kind of work. */
import { Migration } from '@mikro-orm/migrations';

export class ActionsOnWorkspaces extends Migration {
  override name = '20261201_6001_actions_on_workspaces';

  override up(): void {
    this.addSql('alter table operator_action alter column work drop not null');
  }
}
