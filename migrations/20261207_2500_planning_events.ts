/** Listeners hear of planning runs that have ended. A run keeps which run of an automation has caused it. */
import { Migration } from '@mikro-orm/migrations';

export class PlanningEvents extends Migration {
  override name = '20261207_2500_planning_events';

  override up(): void {
    this.addSql(`alter table automation drop constraint automation_context_type_check,
      add constraint automation_context_type_check check (context_type between 1 and 12)`);
    this.addSql(`
      alter table planning_run
        add column depth integer not null default 0,
        add column cause_run_id uuid,
        add column cause_root_id uuid,
        add constraint planning_run_cause_check check ((cause_run_id is null) = (cause_root_id is null))`);
    this.addSql(
      `comment on column planning_run.depth is 'Depth of the event of its end in a chain of automations.'`,
    );
  }
}
