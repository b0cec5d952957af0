/**
 * Which configuration a workspace has, as one value: whoever has read and parsed it before need not do so again
 * while the value is the same. Triggers change it with every row of configuration, so that no writer can forget.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class ConfigurationVersion extends Migration {
  override name = '20261122_0300_configuration_version';

  override up(): void {
    this.addSql(`
      create table configuration_version (
        workspace_id uuid not null,
        version uuid not null,
        primary key (workspace_id)
      ) with (fillfactor = 50)`);
    this.addSql(`comment on column configuration_version.version is
      'Random and never the same again: a count would come back after a rollback, with another configuration.'`);
    for (const sql of grantTenantTable('configuration_version')) this.addSql(sql);

    this.addSql(`
      create function change_configuration_version() returns trigger language plpgsql as $$
      declare changed uuid := case tg_op when 'DELETE' then old.workspace_id else new.workspace_id end;
      begin
        insert into configuration_version (workspace_id, version) values (changed, gen_random_uuid())
        on conflict (workspace_id) do update set version = excluded.version;
        return null;
      end $$`);
    this.addSql(`revoke all on function change_configuration_version from public`);
    this.addSql(`grant execute on function change_configuration_version to partbook_app, partbook_system`);
    // That a property is used is marked by writers of entities, who share the configuration lock: it is no change.
    for (const [table, changes] of [
      ['category', 'insert or delete or update'],
      ['lifecycle', 'insert or delete or update'],
      ['property_definition', 'insert or delete or update of key, name, type'],
    ]) {
      this.addSql(`
        create trigger ${table}_changes_version after ${changes} on ${table}
        for each row execute function change_configuration_version()`);
    }
    this.addSql(`
      insert into configuration_version (workspace_id, version)
      select workspace_id, gen_random_uuid() from (
        select workspace_id from category union select workspace_id from lifecycle
        union select workspace_id from property_definition) as configured`);
  }
}
