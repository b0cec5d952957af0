/**
 * Kept answers in partitions by time, which are dropped whole: at a hundred writes a second a day brings 13 GB of them, more
 * than deletes and their vacuum keep up with (docs/adr/0040-kept-answers-in-partitions.md).
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class IdempotencyPartitions extends Migration {
  override name = '20261123_0400_idempotency_partitions';

  override up(): void {
    this.addSql(`alter table idempotency_key rename to idempotency_key_before`);
    this.addSql(`drop index idempotency_key_age`);
    this.addSql(`
      alter table idempotency_key_before drop constraint idempotency_key_pkey,
        add primary key (workspace_id, actor_id, key, created_at)`);
    this.addSql(`revoke all on idempotency_key_before from partbook_app, partbook_system`);
    for (const policy of ['workspace', 'instance'])
      this.addSql(`drop policy idempotency_key_of_${policy} on idempotency_key_before`);
    // A key is unique within a partition, and over those that are looked at by the lock that goes before.
    this.addSql(`
      create table idempotency_key (
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
    for (const sql of grantTenantTable('idempotency_key')) this.addSql(sql);
    // What no partition was made for, because no worker ran for days or a clock was wrong. Nobody reaches a partition but
    // through its table: it has row-level security, no policy, and no grant.
    this.addSql(`create table idempotency_key_other partition of idempotency_key default`);
    this.addSql(`alter table idempotency_key_other enable row level security`);
    this.addSql(`alter table idempotency_key_other alter column workspace_id set statistics 0`);
    // What there is becomes the first partition as it lies there.
    this.addSql(`
      do $$
      declare ends timestamptz;
      begin
        select date_trunc('day', greatest(now(), max(created_at)), 'UTC') + interval '1 day' into ends
        from idempotency_key_before having count(*) > 0;
        if ends is null then
          drop table idempotency_key_before;
        else
          execute format('alter table idempotency_key attach partition idempotency_key_before
            for values from (minvalue) to (%L)', ends);
        end if;
      end $$`);
    // The service owns nothing: its workers have partitions made and dropped by this. Four in a retention, so that a key is
    // looked for in few of them, and what is kept too long is a quarter at most. A lock that is not to be had at once is
    // tried for again by the next look: nobody queues up behind one that waits for long.
    this.addSql(`
      create function keep_idempotency_partitions(retention_days integer, rows_max integer) returns integer
      language plpgsql security definer
      set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '500ms' as $$
      declare
        width constant interval := make_interval(days => greatest(1, ceil(retention_days / 4.0)::integer));
        kept_from constant timestamptz := now() - make_interval(days => retention_days);
        begins timestamptz;
        made text;
        old regclass;
        removed integer;
      begin
        select greatest(max(ends), date_trunc('day', now())) into begins from idempotency_partition;
        while begins <= now() + width loop
          made := 'idempotency_key_' || to_char(begins, 'YYYYMMDD');
          execute format('create table %I (like idempotency_key including defaults)', made);
          execute format('alter table %I alter column workspace_id set statistics 0', made);
          execute format('alter table %I enable row level security', made);
          execute format('with moved as (delete from idempotency_key_other where created_at >= %L and created_at < %L returning *)
            insert into %I select * from moved', begins, begins + width, made);
          execute format('alter table idempotency_key attach partition %I for values from (%L) to (%L)',
            made, begins, begins + width);
          begins := begins + width;
        end loop;
        delete from idempotency_key_other where ctid = any (array(
          select ctid from idempotency_key_other where created_at < kept_from limit rows_max));
        get diagnostics removed = row_count;
        for old in select name from idempotency_partition where ends <= kept_from loop
          execute format('drop table %s', old);
        end loop;
        return removed;
      end $$`);
    this.addSql(`
      create view idempotency_partition as
      select c.oid::regclass as name,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'idempotency_key'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`);
    this.addSql(`revoke all on function keep_idempotency_partitions from public`);
    this.addSql(`grant execute on function keep_idempotency_partitions to partbook_system`);
    this.addSql(`select keep_idempotency_partitions(7, 0)`);
  }
}
