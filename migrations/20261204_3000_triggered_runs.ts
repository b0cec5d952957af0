/** Who triggered a run, and the actor under which an automation acts for that caller. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class TriggeredRuns extends Migration {
  override name = '20261204_3000_triggered_runs';

  override up(): void {
    // An automation that acts for a caller is an actor of its own: history names both, and no id of an actor is ever rewritten.
    this.addSql(`alter table actor add column automation_id uuid, add column acts_for uuid`);
    this.addSql(`alter table automation_run add column triggered_by uuid`);
    // Its name follows the names of both.
    this.addSql(`
      create function follow_actor_names() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        update actor d set name = a.name || ', by ' || c.name
        from actor a, actor c
        where d.workspace_id = new.workspace_id and (d.automation_id = new.id or d.acts_for = new.id)
          and a.workspace_id = d.workspace_id and a.id = d.automation_id
          and c.workspace_id = d.workspace_id and c.id = d.acts_for;
        return null;
      end $$`);
    this.addSql(grantFunction('follow_actor_names'));
    this.addSql(`
      create trigger actor_renamed after update of name on actor for each row
      when (new.acts_for is null and old.name <> new.name) execute function follow_actor_names()`);
  }
}
