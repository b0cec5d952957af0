/** Comments on entities (orders, lines and requirements are entities) and on imports, with the earlier texts of edited ones. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Comments extends Migration {
  override name = '20261205_4500_comments';

  override up(): void {
    // "mentions" are members. A deleted comment keeps its row without text, so that the thread keeps its order.
    this.addSql(`
      create table comment (
        workspace_id uuid not null,
        id uuid not null,
        entity_id uuid,
        batch_id uuid,
        author_id uuid not null,
        text text not null,
        mentions uuid[] not null,
        version integer not null default 1,
        created_at timestamptz not null default now(),
        edited_at timestamptz,
        deleted_at timestamptz,
        primary key (workspace_id, id),
        check (num_nonnulls(entity_id, batch_id) = 1)
      )`);
    this.addSql(
      `create index comment_entity on comment (workspace_id, entity_id, id) where entity_id is not null`,
    );
    this.addSql(
      `create index comment_batch on comment (workspace_id, batch_id, id) where batch_id is not null`,
    );
    this.addSql(`
      create table comment_version (
        workspace_id uuid not null,
        comment_id uuid not null,
        version integer not null,
        text text not null,
        written_at timestamptz not null,
        primary key (workspace_id, comment_id, version),
        foreign key (workspace_id, comment_id) references comment (workspace_id, id) on delete cascade
      )`);
    for (const table of ['comment', 'comment_version'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
