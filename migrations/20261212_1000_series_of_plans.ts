/** Planning runs of a series share the actions that stay the same: an action belongs to the runs of its generations. */
import { Migration } from '@mikro-orm/migrations';

export class SeriesOfPlans extends Migration {
  override name = '20261212_1000_series_of_plans';

  override up(): void {
    this.addSql(
      'alter table planning_run add column series_id uuid, add column generation integer not null default 0',
    );
    this.addSql(`comment on column planning_run.series_id is
      'The first run of its series, with which its actions are stored; null: not completed, or completed by an earlier version.'`);
    this.addSql(`comment on column planning_run.generation is
      'It has those actions of the series whose generations include this one. A run that finds the same as the run before it has its generation.'`);
    this.addSql(
      `comment on column planning_run.stored_run_id is 'The run before it that found the same; null: there is none.'`,
    );
    this.addSql(`comment on column planning_run.digest is 'Written by earlier versions only.'`);
    this.addSql(`
      alter table planning_action
        add column from_generation integer not null default 0,
        add column until_generation integer not null default 2147483647,
        add column digest uuid`);
    this.addSql(`comment on column planning_action.run_id is 'The first run of the series.'`);
    this.addSql(
      `comment on column planning_action.until_generation is 'The first generation that lacks the action.'`,
    );
    this.addSql(`comment on column planning_action.digest is
      'Hash of what the action says and rests on, by which a later run finds it again; null: a later run writes it anew.'`);
  }
}
