/**
 * A child may stand in several lines of its parent. A link holds them in `line -> 'lines'`, so that no table changes: links, pending links
 * and kept revisions of older releases stay valid, and processes of the release before continue to write links during an upgrade.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class BomLines extends Migration {
  override name = '20261202_6000_bom_lines';

  override up(): void {
    for (const table of ['entity_link', 'pending_link', 'entity_revision_link'])
      this.addSql(`comment on column ${table}.line is
        'The fields of a link beside its quantity (src/entities/link-line.ts); null for none. Where the child stands in several lines of its parent: { "lines": [{ "quantity", … }, …] }, whose quantities add up to that of the link.'`);
    this.addSql(`
      create function merge_link_line(stored_quantity numeric, stored jsonb, new_quantity numeric, said jsonb)
      returns jsonb language plpgsql immutable parallel safe as $$
      declare
        stored_lines jsonb := stored -> 'lines';
        find text := nullif(said ->> 'findNumber', '');
        base jsonb;
      begin
        if stored_lines is null and said -> 'lines' is null then
          return nullif(jsonb_strip_nulls(coalesce(stored, '{}') || coalesce(said, '{}')), '{}');
        end if;
        -- Several lines are said: each continues the stored line of its find number. A single stored line of another find number is
        -- continued by the first.
        if said -> 'lines' is not null then
          return jsonb_build_object('lines', (
            select jsonb_agg(jsonb_strip_nulls(coalesce(
                case when stored_lines is not null then (
                  select s.line from jsonb_array_elements(stored_lines) as s (line)
                  where coalesce(s.line ->> 'findNumber', '') = coalesce(p.line ->> 'findNumber', '') limit 1)
                when coalesce(stored ->> 'findNumber', '') = coalesce(p.line ->> 'findNumber', '') then stored
                when p.place = 1 and not exists (
                  select from jsonb_array_elements(said -> 'lines') as o (line)
                  where coalesce(o.line ->> 'findNumber', '') = coalesce(stored ->> 'findNumber', '')) then stored
                end, '{}') || p.line) order by p.place)
            from jsonb_array_elements(said -> 'lines') with ordinality as p (line, place)));
        end if;
        -- Nothing tells lines apart, and their sum stays: the lines stay, and the first has what is said.
        if find is null and stored_quantity = new_quantity then
          return jsonb_build_object('lines', (
            select jsonb_agg(case when s.place = 1 then jsonb_strip_nulls(s.line || coalesce(said - 'findNumber', '{}')) else s.line end
                             order by s.place)
            from jsonb_array_elements(stored_lines) with ordinality as s (line, place)));
        end if;
        -- One line remains: that of the find number, or else the first. Without a find number it has the designators of all.
        select s.line into base from jsonb_array_elements(stored_lines) with ordinality as s (line, place)
        order by s.line ->> 'findNumber' is distinct from find, s.place limit 1;
        if find is null then
          base := base || coalesce((
            select jsonb_build_object('referenceDesignators', jsonb_agg(d.designator order by d.first))
            from (
              select d.designator, min(s.place * 10000 + d.place) as first
              from jsonb_array_elements(stored_lines) with ordinality as s (line, place)
              cross join lateral jsonb_array_elements_text(coalesce(s.line -> 'referenceDesignators', '[]'))
                with ordinality as d (designator, place)
              group by d.designator) as d
            having count(*) > 0), '{}');
        end if;
        return nullif(jsonb_strip_nulls((base - 'quantity') || coalesce(said, '{}')), '{}');
      end $$`);
    this.addSql(grantFunction('merge_link_line', 'partbook_app', 'partbook_system'));
    this.indexDesignatorsOfLines();
  }

  /** The designators of all lines of a link are found. */
  private indexDesignatorsOfLines(): void {
    this.addSql(`
      create or replace function designators_of(line jsonb) returns text[] language sql immutable parallel safe
      return array(
        select distinct upper(d.designator collate "C")
        from (select line as part union all select jsonb_array_elements(coalesce(line -> 'lines', '[]'))) as p
        cross join lateral jsonb_array_elements_text(coalesce(p.part -> 'referenceDesignators', '[]')) as d (designator))`);
    const has = (row: 'old' | 'new') => `${row}.line ?| '{referenceDesignators,lines}'`;
    for (const [event, of, when] of [
      ['insert', '', has('new')],
      ['delete', '', has('old')],
      ['update', 'of line', `old.line is distinct from new.line and (${has('old')} or ${has('new')})`],
    ] as const) {
      const name = `entity_link_designators_${event}`;
      this.addSql(`drop trigger ${name} on entity_link`);
      this.addSql(`
        create trigger ${name} after ${event} ${of} on entity_link
        for each row when (${when}) execute function index_link_designators()`);
      this.addSql(`alter table entity_link enable always trigger ${name}`);
    }
  }
}
