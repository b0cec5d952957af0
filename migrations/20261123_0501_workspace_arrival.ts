/** When a workspace came into use again, here or from elsewhere: what waits in it is announced soon, by whoever looks. */
import { Migration } from '@mikro-orm/migrations';

export class WorkspaceArrival extends Migration {
  override name = '20261123_0501_workspace_arrival';

  override up(): void {
    this.addSql(`alter table workspace add column active_since timestamptz`);
    this.addSql(`create index workspace_arrived on workspace (active_since) where active_since is not null`);
    this.addSql(`
      create or replace function refuse_workspace_state() returns trigger language plpgsql as $$
      begin
        if (old.state, new.state) in (('active', 'gone'), ('gone', 'active'), ('gone', 'moving')) then
          raise exception 'a workspace that is % does not become %', old.state, new.state
            using errcode = 'object_not_in_prerequisite_state';
        end if;
        if old.state <> 'active' and new.state = 'active' then new.active_since := now(); end if;
        return new;
      end $$`);
  }
}
