/** Content-addressed storage of files, and the picture of an entity and of each of its revisions. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Pictures extends Migration {
  override name = '20261202_7000_pictures';

  override up(): void {
    this.addSql(`
      create table blob (
        workspace_id uuid not null,
        sha256 bytea not null check (octet_length(sha256) = 32),
        media_type text collate "C" not null,
        bytes bigint not null check (bytes >= 0),
        stored_bytes bigint not null check (stored_bytes >= bytes),
        width integer,
        height integer,
        unchecked_since timestamptz,
        primary key (workspace_id, sha256)
      )`);
    this.addSql(
      `comment on table blob is 'Files by the SHA-256 of their content, shared within a workspace.'`,
    );
    this.addSql(`comment on column blob.stored_bytes is 'Bytes of the file and of its renditions.'`);
    this.addSql(`comment on column blob.unchecked_since is
      'When it was last uploaded or lost a reference; null if retention has found a reference since. Unused blobs are deleted by it.'`);
    this.addSql(`create index blob_unchecked on blob (unchecked_since) where unchecked_since is not null`);
    this.addSql(`
      create table blob_content (
        workspace_id uuid not null,
        sha256 bytea not null,
        form text collate "C" not null,
        media_type text collate "C" not null,
        content bytea not null,
        primary key (workspace_id, sha256, form)
      )`);
    this.addSql(
      `comment on table blob_content is 'The file itself (form original) and its renditions (w64, w256, w1024).'`,
    );
    // The content is compressed already. Without compression, a part of it is read without the rest.
    this.addSql('alter table blob_content alter column content set storage external');
    this.addSql(`
      create table blob_usage (
        workspace_id uuid not null primary key,
        stored_bytes bigint not null check (stored_bytes >= 0)
      )`);
    this.addSql(
      `comment on table blob_usage is 'Sum of blob.stored_bytes of a workspace. Locked after rows of blob.'`,
    );
    for (const table of ['blob', 'blob_content', 'blob_usage'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);

    // Null columns need no rewrite.
    this.addSql('alter table entity add column picture bytea');
    this.addSql('alter table entity_revision add column picture bytea');
    for (const table of ['entity', 'entity_revision'])
      this.addSql(
        `comment on column ${table}.picture is 'SHA-256 of the picture (blob.sha256); null if it has none.'`,
      );
  }
}
