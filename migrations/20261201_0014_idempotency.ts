/**
 * Kept answers of requests with an Idempotency-Key, in partitions by time that are dropped whole: a hundred writes a second leave
 * 13 GB a day, more than deletes and their vacuum keep up with (docs/adr/0040-kept-answers-in-partitions.md).
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

export class Idempotency extends Migration {
  override name = '20261201_0014_idempotency';

  override up(): void {
    // A key is unique within a partition; over the partitions of a retention, the lock that a request takes first keeps it unique.
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
    // Takes rows when no worker has made partitions for days, or a clock is wrong. Partitions are reached through their table
    // alone: they have row-level security, no policy and no grant.
    this.addSql(`create table kept_answer_other partition of kept_answer default`);
    this.addSql(`alter table kept_answer_other enable row level security`);
    this.addSql(`alter table kept_answer_other alter column workspace_id set statistics 0`);
    this.addSql(`
      create view kept_answer_partition as
      select c.oid::regclass as name,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)')::timestamptz as begins,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'kept_answer'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`);
    // Workers call this, because the service owns nothing. Four partitions cover a retention: a key is looked for in few of them, and
    // at most a quarter of a retention is kept too long. An empty partition that was made ahead for another retention is made
    // anew. A lock that is not free at once is left for the next call, so that nobody queues behind one that waits.
    this.addSql(`
      create function keep_answer_partitions(retention_days integer, rows_max integer) returns integer
      language plpgsql security definer
      set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '500ms' as $$
      declare
        width constant interval := make_interval(days => greatest(1, ceil(retention_days / 4.0)::integer));
        kept_from constant timestamptz := now() - make_interval(days => retention_days);
        starts timestamptz;
        made text;
        old regclass;
        holds boolean;
        removed integer;
      begin
        for old in
          select name from kept_answer_partition where begins > now() and ends - begins > width order by begins desc
        loop
          execute format('lock table %s in access exclusive mode', old);
          execute format('select exists (select from %s)', old) into holds;
          exit when holds;
          execute format('drop table %s', old);
        end loop;
        select greatest(max(ends), date_trunc('day', now())) into starts from kept_answer_partition;
        while starts <= now() + width loop
          made := 'kept_answer_' || to_char(starts, 'YYYYMMDD');
          execute format('create table %I (like kept_answer including defaults)', made);
          execute format('alter table %I alter column workspace_id set statistics 0', made);
          execute format('alter table %I enable row level security', made);
          execute format('with moved as (delete from kept_answer_other where created_at >= %L and created_at < %L returning *)
            insert into %I select * from moved', starts, starts + width, made);
          execute format('alter table kept_answer attach partition %I for values from (%L) to (%L)',
            made, starts, starts + width);
          starts := starts + width;
        end loop;
        delete from kept_answer_other where ctid = any (array(
          select ctid from kept_answer_other where created_at < kept_from limit rows_max));
        get diagnostics removed = row_count;
        for old in select name from kept_answer_partition where ends <= kept_from loop
          execute format('drop table %s', old);
        end loop;
        return removed;
      end $$`);
    this.addSql(grantFunction('keep_answer_partitions', 'partbook_system'));
    this.addSql(`select keep_answer_partitions(7, 0)`);
  }
}
