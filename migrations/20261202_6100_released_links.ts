/** The revisions of the children with which an assembly was released, and what a release does about children that are not released. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class ReleasedLinks extends Migration {
  override name = '20261202_6100_released_links';

  override up(): void {
    this.addSql(`
      create table released_link (
        workspace_id uuid not null,
        entity_id uuid not null,
        revision_number integer not null,
        child_id uuid not null,
        child_revision integer not null,
        child_number text,
        child_name text not null,
        primary key (workspace_id, entity_id, revision_number, child_id)
      )`);
    this.addSql(`comment on table released_link is
      'Written when a revision is released, for each of its children. Revisions that were released before this table have no rows: what they were released with is not known.'`);
    for (const sql of grantTenantTable('released_link')) this.addSql(sql);
    // History stays as it is.
    this.addSql(`revoke update, delete on released_link from partbook_app, partbook_system`);
    this.addSql(`alter table category add column unreleased_children text not null default 'warn'
      check (unreleased_children in ('warn', 'refuse'))`);
  }
}
