/**
 * Lines of a link that become one keep no more designators than a link may have. Without a bound, imports that say several lines and one line
 * in turn would let them grow for ever.
 */
import { Migration } from '@mikro-orm/migrations';

export class BoundedDesignators extends Migration {
  override name = '20261203_7000_bounded_designators';

  override up(): void {
    this.addSql(`
      create or replace function merge_link_line(stored_quantity numeric, stored jsonb, new_quantity numeric, said jsonb)
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
        -- One line remains: that of the find number, or else the first. Without a find number it has the designators of all, the first of
        -- them that keep the limits of a link (linkLimits in src/entities/link-line.ts).
        select s.line into base from jsonb_array_elements(stored_lines) with ordinality as s (line, place)
        order by s.line ->> 'findNumber' is distinct from find, s.place limit 1;
        if find is null then
          base := base || coalesce((
            select jsonb_build_object('referenceDesignators', jsonb_agg(d.designator order by d.first))
            from (
              select f.designator, f.first, row_number() over (order by f.first) as number,
                     sum(length(f.designator) + 1) over (order by f.first) as chars
              from (
                select d.designator, min(s.place * 10000 + d.place) as first
                from jsonb_array_elements(stored_lines) with ordinality as s (line, place)
                cross join lateral jsonb_array_elements_text(coalesce(s.line -> 'referenceDesignators', '[]'))
                  with ordinality as d (designator, place)
                group by d.designator) as f) as d
            where d.number <= 2000 and d.chars <= 16384
            having count(*) > 0), '{}');
        end if;
        return nullif(jsonb_strip_nulls((base - 'quantity') || coalesce(said, '{}')), '{}');
      end $$`);
  }
}
