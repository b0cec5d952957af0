/** The part of an order line that an action of a planning run is about. */
import { Migration } from '@mikro-orm/migrations';

export class ActionsOfParts extends Migration {
  override name = '20261210_4000_actions_of_parts';

  override up(): void {
    this.addSql('alter table planning_action add column part_on date');
    this.addSql(
      `comment on column planning_action.part_on is 'The day on which the part of the line comes that the action is about; null: the whole line.'`,
    );
  }
}
