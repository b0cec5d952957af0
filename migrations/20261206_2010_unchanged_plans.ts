/** A planning run that finds what the run before it found shares the actions of that run. */
import { Migration } from '@mikro-orm/migrations';

export class UnchangedPlans extends Migration {
  override name = '20261206_2010_unchanged_plans';

  override up(): void {
    this.addSql('alter table planning_run add column digest text, add column stored_run_id uuid');
    this.addSql(`comment on column planning_run.digest is
      'Hash of all that was found; null for a run with which none is compared, such as one of which actions were committed.'`);
    this.addSql(
      `comment on column planning_run.stored_run_id is 'The run whose actions it shares; null: it has its own.'`,
    );
  }
}
