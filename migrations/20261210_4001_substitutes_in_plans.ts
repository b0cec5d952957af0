/** Actions of planning runs that use stock of a substitute. */
import { Migration } from '@mikro-orm/migrations';

const actions = [
  'none',
  'order',
  'make',
  'expedite',
  'defer',
  'increase',
  'decrease',
  'cancel',
  'useSubstitute',
];

export class SubstitutesInPlans extends Migration {
  override name = '20261210_4001_substitutes_in_plans';

  override up(): void {
    this.addSql('alter table planning_action drop constraint planning_action_action_check');
    this.addSql(`alter table planning_action
      add constraint planning_action_action_check check (action in (${actions.map((one) => `'${one}'`).join(', ')})) not valid,
      add column substitute_id uuid,
      add column substitute_quantity numeric(15, 6) check (substitute_quantity > 0)`);
    this.addSql(
      `comment on column planning_action.substitute_id is 'The item whose free stock is used in place of the item; null: none is.'`,
    );
  }
}
