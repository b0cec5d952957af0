/**
 * Makes partitions of kept answers and drops them (docs/adr/0040-kept-answers-in-partitions.md), and brings the table to its
 * name where 20261123_0400 ran while it still took that of the table before.
 */
import { Migration } from '@mikro-orm/migrations';

export class KeptAnswers extends Migration {
  override name = '20261124_0100_kept_answers';

  override up(): void {
    this.addSql(`drop function if exists keep_idempotency_partitions`);
    this.addSql(`drop view if exists idempotency_partition`);
    this.addSql(`
      do $$
      declare partition name;
      begin
        if to_regclass('kept_answer') is not null then return; end if;
        alter table idempotency_key rename to kept_answer;
        alter policy idempotency_key_of_workspace on kept_answer rename to kept_answer_of_workspace;
        alter policy idempotency_key_of_instance on kept_answer rename to kept_answer_of_instance;
        for partition in
          select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'kept_answer'::regclass
        loop
          execute format('alter table %I rename to %I', partition, replace(partition, 'idempotency_key', 'kept_answer'));
        end loop;
      end $$`);
    this.addSql(`
      create view kept_answer_partition as
      select c.oid::regclass as name,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)')::timestamptz as begins,
             substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'kept_answer'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'`);
    // The service owns nothing: its workers have partitions made and dropped by this. Four in a retention, so that a key is
    // looked for in few of them, and what is kept too long is a quarter at most. One that was made ahead for another
    // retention, and holds nothing, is made anew. A lock that is not to be had at once is tried for again by the next look:
    // nobody queues up behind one that waits for long.
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
    this.addSql(`revoke all on function keep_answer_partitions from public`);
    this.addSql(`grant execute on function keep_answer_partitions to partbook_system`);
    this.addSql(`select keep_answer_partitions(7, 0)`);
  }
}
