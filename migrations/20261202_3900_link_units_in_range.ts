/** BOM lines in units: `mg` and `Mg` are different units, and lines that are too many in the base unit count as they were entered. */
import { Migration } from '@mikro-orm/migrations';

export class LinkUnitsInRange extends Migration {
  override name = '20261202_3900_link_units_in_range';

  override up(): void {
    // As `factorOf` of src/units: units of the dimension come first, because their case counts.
    this.addSql(`
      create or replace function unit_factor(of_workspace uuid, of_item uuid, said text, out numerator numeric, out denominator numeric)
      language plpgsql stable set search_path = public, pg_temp as $$
      declare base record;
      begin
        select b.unit, b.dimension, b.numerator, b.denominator into base from item_base_unit b
        where b.workspace_id = $1 and b.item_id = $2;
        if said = base.unit then
          numerator := 1; denominator := 1;
          return;
        end if;
        if base.dimension is not null then
          select u.numerator * base.denominator, u.denominator * base.numerator into numerator, denominator
          from known_unit(said, base.dimension) u;
        end if;
        if numerator is null then
          select u.numerator, u.denominator into numerator, denominator from item_unit u
          where u.workspace_id = $1 and u.item_id = $2 and lower(u.unit) = lower(said) limit 1;
        end if;
        if numerator is null and lower(said) = lower(base.unit) then
          numerator := 1; denominator := 1;
        end if;
      end $$`);
    this.addSql(`
      create or replace function keep_base_quantity() returns trigger language plpgsql set search_path = public, pg_temp as $$
      declare
        converted jsonb;
        total numeric;
      begin
        if coalesce(new.line ? 'unit' or new.line ? 'lines', false)
          and not exists (select from item_base_unit where workspace_id = new.workspace_id and item_id = new.child_id)
        then return new; end if;
        new.base_quantity := null;
        new.base_line := null;
        if new.line ? 'lines' then
          select jsonb_agg(c.part order by p.place), sum((c.part ->> 'quantity')::numeric) into converted, total
          from jsonb_array_elements(new.line -> 'lines') with ordinality as p (part, place)
          cross join lateral (
            select coalesce(
              line_in_base_unit(new.workspace_id, new.child_id, p.part, (p.part ->> 'quantity')::numeric), p.part) as part) c;
          if total < 1000000000 then
            new.base_quantity := total;
            new.base_line := jsonb_build_object('lines', converted);
          end if;
        elsif new.line ? 'unit' then
          converted := line_in_base_unit(new.workspace_id, new.child_id, new.line, new.quantity);
          new.base_quantity := (converted ->> 'quantity')::numeric;
          new.base_line := converted - 'quantity';
        end if;
        return new;
      end $$`);
  }
}
