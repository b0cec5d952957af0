/**
 * A revision says which GUID the entity had in it: an entity that was made by hand may be given one later. Until now a
 * GUID never changed, so that all revisions have that of their entity.
 */
import { Migration } from '@mikro-orm/migrations';

export class RevisionGuid extends Migration {
  override name = '20261122_0600_revision_guid';

  override up(): void {
    this.addSql(`alter table entity_revision add column guid uuid`);
    this.addSql(`
      update entity_revision r set guid = e.guid from entity e
      where e.workspace_id = r.workspace_id and e.id = r.entity_id and e.guid is not null`);
  }
}
