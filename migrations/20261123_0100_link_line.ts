/**
 * Links carry what a line of a bill of materials carries beside its quantity: find number, reference designators, unit and
 * note. And where each designator stands, so that "where is R17" is the range of an index.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class LinkLine extends Migration {
  override name = '20261123_0100_link_line';

  override up(): void {
    for (const table of ['entity_link', 'pending_link', 'entity_revision_link']) {
      this.addSql(`alter table ${table} add column line jsonb`);
      this.addSql(`comment on column ${table}.line is
        'findNumber, referenceDesignators (sorted, each once), unit and note, as far as they are said; null for none of them.'`);
    }
    this.addSql(`
      create table link_designator (
        workspace_id uuid not null,
        designator text not null,
        parent_id uuid not null,
        child_id uuid not null,
        primary key (workspace_id, designator, parent_id, child_id)
      )`);
    this.addSql(`comment on table link_designator is
      'The designators of the links that are, in capitals. Triggers of entity_link keep it, so that no writer can forget.'`);
    for (const sql of grantTenantTable('link_designator')) this.addSql(sql);
    // "C" knows capitals of A to Z alone: the same on every machine.
    this.addSql(`
      create function designators_of(line jsonb) returns text[] language sql immutable parallel safe
      return array(select distinct upper(d.designator collate "C")
                   from jsonb_array_elements_text(coalesce(line -> 'referenceDesignators', '[]')) as d (designator))`);
    this.addSql(`
      create function index_link_designators() returns trigger language plpgsql as $$
      declare
        gone text[] := case when tg_op = 'INSERT' then '{}' else designators_of(old.line) end;
        here text[] := case when tg_op = 'DELETE' then '{}' else designators_of(new.line) end;
      begin
        if tg_op <> 'INSERT' then
          delete from link_designator
          where workspace_id = old.workspace_id and designator = any (gone) and parent_id = old.parent_id
            and child_id = old.child_id and designator <> all (here);
        end if;
        if tg_op <> 'DELETE' then
          insert into link_designator (workspace_id, designator, parent_id, child_id)
          select new.workspace_id, d.designator, new.parent_id, new.child_id
          from unnest(here) as d (designator) where d.designator <> all (gone);
        end if;
        return null;
      end $$`);
    for (const name of ['designators_of', 'index_link_designators']) {
      this.addSql(`revoke all on function ${name} from public`);
      this.addSql(`grant execute on function ${name} to partbook_app, partbook_system`);
    }
    // The conditions are looked at before a trigger is queued: a link without designators costs nothing.
    const named = (row: 'old' | 'new') => `${row}.line -> 'referenceDesignators'`;
    for (const [event, when] of [
      ['insert', `${named('new')} is not null`],
      ['delete', `${named('old')} is not null`],
      ['update of line', `${named('old')} is distinct from ${named('new')}`],
    ] as const) {
      this.addSql(`
        create trigger entity_link_designators_${event.split(' ')[0]} after ${event} on entity_link
        for each row when (${when}) execute function index_link_designators()`);
    }
  }
}
