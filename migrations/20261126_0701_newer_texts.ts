/**
 * Which entities have another text than their line in a block: such lines are passed over by a search one by one, and there may be
 * as many as entities. They are marked when they come about, so that they can be taken out of the blocks where there are many
 * (src/entities/lists/drop-stale-lines.ts).
 */
import { Migration } from '@mikro-orm/migrations';

export class NewerTexts extends Migration {
  override name = '20261126_0701_newer_texts';

  override up(): void {
    this.addSql('alter table entity_text add column is_newer boolean not null default false');
    this.addSql(`comment on column entity_text.is_newer is
      'Of the row of one entity: a block may still have a line of it, which is out of date.'`);
    this.addSql('alter table entity_text alter column is_newer set statistics 0');
    this.addSql(`
      create or replace function write_entity_text() returns trigger language plpgsql
      set search_path = public, pg_temp set plan_cache_mode = auto as $$
      begin
        insert into entity_text (workspace_id, id, ids, lines, is_newer)
        values (new.workspace_id, new.id, array[new.id], E'\\n' || entity_line(new.number, new.name) || E'\\n',
                tg_op = 'UPDATE')
        on conflict (workspace_id, id) do update set lines = excluded.lines;
        return null;
      end $$`);
  }
}
