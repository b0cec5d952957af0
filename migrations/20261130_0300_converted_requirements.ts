/**
 * What was ordered for a requirement, has come and was reserved for it is reserved, and no longer ordered. How much that is follows from the sums
 * alone where nothing was given back that was on order; else from the order in which things happened.
 */
import { Migration } from '@mikro-orm/migrations';

/** Entries of one requirement that are gone through; of one that has more it is told from the sums. */
const ENTRIES_MAX = 1000;

export class ConvertedRequirements extends Migration {
  override name = '20261130_0300_converted_requirements';

  override up(): void {
    this.addSql(`
      create function converted_of_requirement(workspace uuid, requirement uuid, required numeric, from_sums numeric)
      returns numeric language plpgsql stable set search_path = public, pg_temp as $$
      declare
        entry record;
        entries int := 0;
        reserved numeric := 0;
        ordered numeric := 0;
        converted numeric := 0;
      begin
        -- As a range: no other index has this order.
        for entry in
          select movement_type, quantity from stock_ledger
          where workspace_id = $1 and requirement_id >= $2 and requirement_id <= $2
          order by requirement_id, id limit ${ENTRIES_MAX + 1}
        loop
          entries := entries + 1;
          if entries > ${ENTRIES_MAX} then
            return from_sums;
          end if;
          case entry.movement_type
            when 'MRReservation' then
              -- Beyond what is open is what came for it.
              converted := converted
                + greatest(0, entry.quantity - greatest(0, required - reserved - (ordered - converted)));
              reserved := reserved + entry.quantity;
            when 'MRRelease' then
              -- The last that was taken is given back first.
              converted := greatest(0, converted + entry.quantity);
              reserved := reserved + entry.quantity;
            when 'OnOrderAdd', 'OnOrderRelease' then
              ordered := ordered + entry.quantity;
            else
              null;
          end case;
        end loop;
        return converted;
      end $$`);
  }
}
