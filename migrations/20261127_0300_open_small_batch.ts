/**
 * What a small batch that is applied where it is accepted begins with: its locks, and what it must know before it reads any
 * entity. Six statements of a few microseconds each, of which the sending, starting and ending cost ten times as much.
 */
import { Migration } from '@mikro-orm/migrations';

export class OpenSmallBatch extends Migration {
  override name = '20261127_0300_open_small_batch';

  override up(): void {
    // Volatile: each of its statements sees what is there when the locks before it are had.
    this.addSql(`
      create function open_small_batch(
        wanted uuid, is_linked boolean, out configuration text, out listened smallint[],
        out links_wait boolean, out holds_structure boolean
      ) language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('accept:' || wanted, 0));
        if exists (
          select from sync_batch where workspace_id = wanted and status in ('queued', 'processing')) then
          raise exception 'there are batches before it' using errcode = 'PB409';
        end if;
        perform pg_advisory_xact_lock_shared(7278623, hashtext(wanted::text));
        perform set_config('partbook.configuration_held', 'yes', true);
        select version into configuration from configuration_version where workspace_id = wanted;
        listened := array(select distinct context_type from event_listener where workspace_id = wanted);
        links_wait := exists (select from pending_link where workspace_id = wanted);
        holds_structure := is_linked or links_wait;
        if holds_structure then
          perform pg_advisory_xact_lock(hashtextextended('structure:' || wanted, 0));
          links_wait := exists (select from pending_link where workspace_id = wanted);
        end if;
      end $$`);
    this.addSql(`revoke all on function open_small_batch(uuid, boolean) from public`);
    this.addSql(`grant execute on function open_small_batch(uuid, boolean) to partbook_app`);
  }
}
