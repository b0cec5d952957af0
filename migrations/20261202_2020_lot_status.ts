/** Lots have a status. A movement of type `LotStatus` records what a status keeps from use, as reserved stock. */
import { Migration } from '@mikro-orm/migrations';

export class LotStatus extends Migration {
  override name = '20261202_2020_lot_status';

  override up(): void {
    this.addSql(`
      alter table stock_lot add column status text collate "C" not null default 'available'
        check (status in ('available', 'quarantine', 'rejected'))`);
    this.addSql(`comment on column stock_lot.status is
      'Changes under the locks of all positions of the item. The ledger holds what it keeps from use: entries of type LotStatus.'`);
    this.addSql(`
      create or replace function stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric,
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
          when 'TransferOut' then quantity < 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'TransferIn' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'POReturn' then quantity < 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'SOReturn' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'LotStatus' then on_hand = 0 and reserved = quantity and on_order = 0
          else false end;
      end $$`);
    // The new check accepts all that the old one did. It is validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_ledger
        drop constraint stock_ledger_lot,
        add constraint stock_ledger_lot check (
          case when movement_type = 'LotStatus'
            then octet_length(lot) between 1 and 400 and reason in ('quarantine', 'rejected') and lot is not null and reason is not null
            else lot is null or (octet_length(lot) between 1 and 400 and on_hand_delta <> 0) end) not valid`);
  }
}
