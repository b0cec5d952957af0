/**
 * A change of configuration waits for the configuration lock in turns. PostgreSQL makes a call that shares a lock wait behind one that waits to
 * have it alone. Behind a long step of an import, an archive call would so make every stock movement wait as long as that step takes.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class ConfigurationLockInTurns extends Migration {
  override name = '20261203_7001_configuration_lock_in_turns';

  override up(): void {
    // In the first two thirds of the time that the caller has, it waits for 200 ms and lets others pass for 200 ms. Short calls that share
    // the lock end within one such wait. After that it waits to the end, so that long ones that overlap cannot keep it out.
    this.addSql(`
      create function take_configuration_lock(space integer, key integer) returns void
      language plpgsql volatile set search_path = public, pg_temp as $$
      declare
        given text := current_setting('lock_timeout');
        patience interval := case when given = '0' then interval '15 s' else given::interval end;
        turn_ms integer := least(200, greatest(1, extract(epoch from patience) * 1000));
        turns_end timestamptz := clock_timestamp() + patience * 2 / 3;
      begin
        while clock_timestamp() < turns_end loop
          begin
            perform set_config('lock_timeout', turn_ms || 'ms', true);
            perform pg_advisory_xact_lock(space, key);
            perform set_config('lock_timeout', given, true);
            return;
          exception when lock_not_available then
            perform pg_sleep(turn_ms / 1000.0);
          end;
        end loop;
        if given <> '0' then
          perform set_config('lock_timeout', greatest(1, extract(epoch from patience / 3) * 1000)::integer || 'ms', true);
        end if;
        perform pg_advisory_xact_lock(space, key);
        perform set_config('lock_timeout', given, true);
      end $$`);
    this.addSql(grantFunction('take_configuration_lock', 'partbook_app', 'partbook_system'));
  }
}
