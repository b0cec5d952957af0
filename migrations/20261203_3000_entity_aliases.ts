/**
 * Merged entities: the GUID and number of the one that was merged are aliases of the one that stays. Aliases never form a chain: a merge
 * moves those that an entity has to the entity that it is merged into.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class EntityAliases extends Migration {
  override name = '20261203_3000_entity_aliases';

  override up(): void {
    this.addSql(`
      create table entity_alias (
        workspace_id uuid not null,
        id uuid not null,
        entity_id uuid not null,
        guid uuid,
        number text,
        merged_at timestamptz not null,
        primary key (workspace_id, id),
        check (id <> entity_id)
      )`);
    this.addSql(
      `comment on column entity_alias.id is 'The entity that was merged, which is archived for good.'`,
    );
    this.addSql(`comment on column entity_alias.guid is
      'GUID that the merged entity had; null if it had none, or if the entity that stays has taken it.'`);
    this.addSql(
      `create unique index entity_alias_guid on entity_alias (workspace_id, guid) where guid is not null`,
    );
    this.addSql(
      `create index entity_alias_number on entity_alias (workspace_id, number, id) where number is not null`,
    );
    this.addSql(`create index entity_alias_entity on entity_alias (workspace_id, entity_id, id)`);
    this.addSql(`create index entity_alias_merged_at on entity_alias (workspace_id, merged_at)`);
    for (const sql of grantTenantTable('entity_alias')) this.addSql(sql);
    this.addSql(`revoke delete on entity_alias from partbook_app, partbook_system`);
    // Syncs read aliases with the configuration.
    this.addSql(`
      create trigger entity_alias_changes_version after insert or delete or update on entity_alias
      for each row execute function change_configuration_version()`);
    // A merge moves open lines and requirements to the entity that stays.
    this.addSql(`grant update (item_id) on stock_line, material_requirement to partbook_app`);
  }
}
