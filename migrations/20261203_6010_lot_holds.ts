/** Reservations can hold a lot. A movement of type `LotHold` records how much of a reservation a lot is held for. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class LotHolds extends Migration {
  override name = '20261203_6010_lot_holds';

  override up(): void {
    this.addSql(`
      create table stock_lot_hold (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        lot text collate "C" not null,
        holder_id uuid not null,
        line_id uuid,
        requirement_id uuid,
        quantity numeric(15, 6) not null check (quantity > 0),
        primary key (workspace_id, item_id, location_id, lot, holder_id),
        check ((line_id is null) <> (requirement_id is null) and holder_id = coalesce(requirement_id, line_id))
      )`);
    this.addSql(`comment on table stock_lot_hold is
      'Lots that the reservation of a sales line or a requirement holds. Read and written only under the lock of the position.'`);
    this.addSql(
      `create index stock_lot_hold_holder on stock_lot_hold (workspace_id, holder_id, item_id, location_id, lot)`,
    );
    this.addSql(
      `create index stock_lot_hold_lot on stock_lot_hold (workspace_id, item_id, lot, location_id, holder_id)`,
    );
    for (const sql of grantTenantTable('stock_lot_hold')) this.addSql(sql);
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
          when 'LotHold' then on_hand = 0 and reserved = 0 and on_order = 0
          else false end;
      end $$`);
    // The new check accepts all that the old one did. It is validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_ledger
        drop constraint stock_ledger_lot,
        add constraint stock_ledger_lot check (
          case movement_type
            when 'LotStatus' then octet_length(lot) between 1 and 400 and reason in ('quarantine', 'rejected') and lot is not null and reason is not null
            when 'LotHold' then octet_length(lot) between 1 and 400 and lot is not null and (line_id is null) <> (requirement_id is null)
            else lot is null or (octet_length(lot) between 1 and 400 and on_hand_delta <> 0) end) not valid`);
  }
}
