/**
 * What the writer of stock costs beside the rows themselves: it says in SQL that it was overtaken, so that its
 * statement can travel with the commit; and what a movement type does to a position is checked by a function.
 */
import { Migration } from '@mikro-orm/migrations';

export class StockWriter extends Migration {
  override name = '20261120_0010_stock_writer';

  override up(): void {
    this.addSql(`
      create function raise_stock_race() returns boolean language plpgsql volatile as $$
      begin
        raise exception 'a stock position appeared or moved meanwhile' using errcode = 'serialization_failure';
      end $$`);
    // The expression of a CHECK is read and prepared for every statement, that of a function once a connection:
    // as a constraint these eleven cases cost as much as the entry of an index (100 of 470 us for 15 entries).
    this.addSql(`
      create function stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric,
                                         on_order numeric)
      returns boolean language plpgsql immutable as $$
      begin
        return case movement_type
          when 'Adjustment' then on_hand = quantity and reserved = 0 and on_order = 0
          when 'POReceipt' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = -quantity
          when 'MOReceipt' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = -quantity
          when 'SOReservation' then quantity > 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'MRReservation' then quantity > 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'SORelease' then quantity < 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'MRRelease' then quantity < 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'OnOrderAdd' then quantity > 0 and on_hand = 0 and reserved = 0 and on_order = quantity
          when 'OnOrderRelease' then quantity < 0 and on_hand = 0 and reserved = 0 and on_order = quantity
          when 'SOShipment' then quantity < 0 and on_hand = quantity and reserved between quantity and 0
                             and on_order = 0
          when 'MRIssue' then quantity < 0 and on_hand = quantity and reserved = quantity and on_order = 0
          else false end;
      end $$`);
    for (const name of ['raise_stock_race', 'stock_effect_holds']) {
      this.addSql(`revoke all on function ${name} from public`);
      this.addSql(`grant execute on function ${name} to partbook_app, partbook_system`);
    }
    this.addSql(`
      alter table stock_ledger
        drop constraint stock_ledger_effect,
        add constraint stock_ledger_effect
          check (stock_effect_holds(movement_type, quantity, on_hand_delta, reserved_delta, on_order_delta))`);
  }
}
