/**
 * What lets configuration say "in use" without reading the entities: a mark on a property definition that
 * some entity has carried a value of, and an index that finds the entities in a state.
 */
import { Migration } from '@mikro-orm/migrations';

export class ConfigurationUse extends Migration {
  override name = '20261120_0002_configuration_use';

  override up(): void {
    this.addSql(`alter table property_definition add column used boolean not null default false`);
    this.addSql(`comment on column property_definition.used is
      'Set once, by the first writer that stores a value of it; an index on the keys of entity.properties would cost every write instead.'`);
    this.addSql(`create index entity_state on entity (workspace_id, category, state, id)`);
  }
}
