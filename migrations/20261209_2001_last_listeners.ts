/** Of two listeners to reorder points that end at once, each saw the other one, and neither was the last: they end one after the other. */
import { Migration } from '@mikro-orm/migrations';

export class LastListeners extends Migration {
  override name = '20261209_2001_last_listeners';

  override up(): void {
    // The statement after the lock sees what was committed before it was given.
    this.addSql(`
      create or replace function forget_reorder_crossings() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('reorder listeners of:' || old.workspace_id, 0));
        if not exists (select from event_listener where workspace_id = old.workspace_id and context_type = 11) then
          delete from reorder_look where workspace_id = old.workspace_id;
          delete from reorder_crossing where workspace_id = old.workspace_id;
        end if;
        return null;
      end $$`);
    // Rows that were left behind.
    this.addSql(`
      delete from reorder_crossing c
      where not exists (select from event_listener l where l.workspace_id = c.workspace_id and l.context_type = 11)`);
    this.addSql(`
      delete from reorder_look c
      where not exists (select from event_listener l where l.workspace_id = c.workspace_id and l.context_type = 11)`);
  }
}
