/** Goods that went back to their supplier do not cover the requirement that they were ordered for. */
import { Migration } from '@mikro-orm/migrations';

export class ReturnedSupply extends Migration {
  override name = '20261201_7000_returned_supply';

  override up(): void {
    // As `20261201_0010_procurement` made it, with returns.
    this.addSql(`
      create or replace function converted_of_requirement(workspace uuid, requirement uuid, required numeric, from_sums numeric)
      returns numeric language plpgsql stable set search_path = public, pg_temp as $$
      declare
        entry record;
        entries int := 0;
        reserved numeric := 0;
        ordered numeric := 0;
        converted numeric := 0;
      begin
        -- The range makes the planner take the index that has this order.
        for entry in
          select movement_type, quantity from stock_ledger
          where workspace_id = $1 and requirement_id >= $2 and requirement_id <= $2
          order by requirement_id, id limit 1001
        loop
          entries := entries + 1;
          if entries > 1000 then
            return from_sums;
          end if;
          case entry.movement_type
            when 'MRReservation' then
              -- What exceeds the open quantity is what came for it.
              converted := converted
                + greatest(0, entry.quantity - greatest(0, required - reserved - (ordered - converted)));
              reserved := reserved + entry.quantity;
            when 'MRRelease' then
              -- The last that was taken is given back first.
              converted := greatest(0, converted + entry.quantity);
              reserved := reserved + entry.quantity;
            when 'OnOrderAdd', 'OnOrderRelease' then
              ordered := ordered + entry.quantity;
            when 'POReturn' then
              -- Goods that went back cover nothing; those that come for them are ordered anew.
              ordered := ordered + entry.quantity;
              converted := greatest(0, least(converted, ordered));
            else
              null;
          end case;
        end loop;
        return converted;
      end $$`);
  }
}
