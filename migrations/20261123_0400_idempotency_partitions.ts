/**
 * Kept answers in partitions by time, which are dropped whole: at a hundred writes a second a day brings 13 GB of them, more
 * than deletes and their vacuum keep up with (docs/adr/0040-kept-answers-in-partitions.md). What makes and drops them comes
 * with 20261124_0100.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class IdempotencyPartitions extends Migration {
  override name = '20261123_0400_idempotency_partitions';

  override up(): void {
    // The table of the release before stays what it is to webs and workers of that release until they are replaced: they write
    // into it and read it by its name, and find one row of a key there. Besides it becomes the first partition, so that what
    // either writes, the other finds.
    this.addSql(`drop index idempotency_key_age`);
    this.addSql(`
      alter table idempotency_key drop constraint idempotency_key_pkey,
        add primary key (workspace_id, actor_id, key, created_at),
        add constraint idempotency_key_once unique (workspace_id, actor_id, key)`);
    // A key is unique within a partition, and over those that are looked at by the lock that goes before.
    this.addSql(`
      create table kept_answer (
        workspace_id uuid not null,
        actor_id uuid not null,
        key text not null,
        request_hash bytea not null,
        status smallint not null,
        headers jsonb not null,
        body bytea not null,
        created_at timestamptz not null default now(),
        primary key (workspace_id, actor_id, key, created_at)
      ) partition by range (created_at)`);
    for (const sql of grantTenantTable('kept_answer')) this.addSql(sql);
    // What no partition was made for, because no worker ran for days or a clock was wrong. Nobody reaches a partition but
    // through its table: it has row-level security, no policy, and no grant.
    this.addSql(`create table kept_answer_other partition of kept_answer default`);
    this.addSql(`alter table kept_answer_other enable row level security`);
    this.addSql(`alter table kept_answer_other alter column workspace_id set statistics 0`);
    // An installation that is new has no release before.
    this.addSql(`
      do $$
      declare ends timestamptz;
      begin
        if not exists (select from workspace) and not exists (select from idempotency_key) then
          drop table idempotency_key;
          return;
        end if;
        select date_trunc('day', greatest(now(), max(created_at)), 'UTC') + interval '2 days' into ends from idempotency_key;
        execute format('alter table kept_answer attach partition idempotency_key for values from (minvalue) to (%L)', ends);
        create function replace_kept_answer() returns trigger language plpgsql as $trigger$
        begin
          delete from idempotency_key
          where workspace_id = new.workspace_id and actor_id = new.actor_id and key = new.key;
          return new;
        end $trigger$;
        create trigger idempotency_key_replaced before insert on idempotency_key
        for each row execute function replace_kept_answer();
      end $$`);
  }
}
