/**
 * A transaction is let into a workspace that is there. Of one that was forgotten together with its name, whoever was on the way to it
 * would otherwise leave rows behind that belong to nobody.
 */
import { Migration } from '@mikro-orm/migrations';

export class EnterAWorkspaceThatIsThere extends Migration {
  override name = '20261124_0102_enter_a_workspace_that_is_there';

  override up(): void {
    this.addSql(`
      create or replace function enter_workspace(wanted uuid) returns void language plpgsql as $$
      declare found_state text := 'moving';
      begin
        if pg_try_advisory_xact_lock_shared(uuid_hash_extended(wanted, 7278623004)) then
          select state into found_state from workspace where id = wanted;
        end if;
        found_state := coalesce(found_state, 'gone');
        if found_state <> 'active' then
          raise exception 'the workspace is %', found_state
            using errcode = case found_state when 'gone' then 'PB410' else 'PB503' end;
        end if;
      end $$`);
  }
}
