/** What a workspace is configured by: categories, property definitions and lifecycles. Their keys never change. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class Configuration extends Migration {
  override name = '20261201_0004_configuration';

  override up(): void {
    this.addSql(`
      create table category (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        numbering jsonb not null,
        lifecycle text not null,
        role text not null,
        behaviour text not null,
        hidden_from_new boolean not null,
        tabs jsonb not null default '[]',
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, key)
      )`);
    for (const sql of grantTenantTable('category')) this.addSql(sql);
    this.addSql(`
      create table property_definition (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        type text not null check (type in ('text', 'numeric', 'date', 'boolean')),
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        used boolean not null default false,
        primary key (workspace_id, key)
      )`);
    this.addSql(`comment on column property_definition.used is
      'Set once, by the first writer that stores a value of it; an index on the keys of entity.properties would cost every write instead.'`);
    for (const sql of grantTenantTable('property_definition')) this.addSql(sql);
    this.addSql(`
      create table lifecycle (
        workspace_id uuid not null,
        key text not null,
        name text not null,
        initial_state text not null,
        states jsonb not null,
        transitions jsonb not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (workspace_id, key)
      )`);
    for (const sql of grantTenantTable('lifecycle')) this.addSql(sql);
    // The next number of each category.
    this.addSql(`
      create table number_counter (
        workspace_id uuid not null,
        category text not null,
        next_value bigint not null check (next_value > 0),
        primary key (workspace_id, category)
      )`);
    for (const sql of grantTenantTable('number_counter')) this.addSql(sql);

    // One value for the whole configuration: a process that has parsed it need not do so again while the value is the same.
    // Triggers change it with every row of configuration, so that no writer can forget to.
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
    this.addSql(grantFunction('change_configuration_version', 'partbook_app', 'partbook_system'));
    // The mark "used" is no change: writers of entities set it while they share the configuration lock.
    for (const [table, changes] of [
      ['category', 'insert or delete or update'],
      ['lifecycle', 'insert or delete or update'],
      ['property_definition', 'insert or delete or update of key, name, type'],
    ]) {
      this.addSql(`
        create trigger ${table}_changes_version after ${changes} on ${table}
        for each row execute function change_configuration_version()`);
    }
  }
}
