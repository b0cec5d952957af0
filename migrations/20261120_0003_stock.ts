/**
 * Stock: one position per item and location, and the ledger that explains it. The ledger is append-only by
 * privilege and by trigger; what an entry may say is checked here once more, behind the writer.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Stock extends Migration {
  override name = '20261120_0003_stock';

  override up(): void {
    // sequence and hash are those of the position's last entry. No index on what changes, and room on the
    // page: updates stay heap-only, so that a hot position does not bloat its indexes.
    this.addSql(`
      create table stock_position (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        on_hand numeric(15, 6) not null check (on_hand >= 0),
        reserved numeric(15, 6) not null check (reserved >= 0),
        on_order numeric(15, 6) not null check (on_order >= 0),
        sequence bigint not null check (sequence > 0),
        hash bytea not null check (octet_length(hash) = 32),
        updated_at timestamptz not null,
        primary key (workspace_id, item_id, location_id)
      ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
    this.addSql(
      `create index stock_position_location on stock_position (workspace_id, location_id, item_id)`,
    );

    // The movement type is text and no enum: under row security only leak-proof comparisons may use an index,
    // and those of enums are not.
    // No foreign key to the position (it would double the cost of an entry; the one writer holds the
    // position's lock), and no partitions: nothing is ever dropped, and they cost 4 to 11 % of each write.
    this.addSql(`
      create table stock_ledger (
        workspace_id uuid not null,
        id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        sequence bigint not null check (sequence > 0),
        recorded_at timestamptz not null,
        movement_type text collate "C" not null,
        quantity numeric(15, 6) not null check (quantity <> 0),
        on_hand_delta numeric(15, 6) not null,
        reserved_delta numeric(15, 6) not null,
        on_order_delta numeric(15, 6) not null,
        on_hand_after numeric(15, 6) not null check (on_hand_after >= 0),
        reserved_after numeric(15, 6) not null check (reserved_after >= 0),
        on_order_after numeric(15, 6) not null check (on_order_after >= 0),
        note text check (octet_length(note) <= 8000),
        line_id uuid,
        order_id uuid,
        requirement_id uuid,
        actor_id uuid not null,
        hash bytea not null check (octet_length(hash) = 32),
        primary key (workspace_id, item_id, location_id, sequence),
        constraint stock_ledger_opening check (
          sequence > 1 or (on_hand_after, reserved_after, on_order_after)
                        = (on_hand_delta, reserved_delta, on_order_delta)),
        constraint stock_ledger_effect check (case movement_type
          when 'Adjustment' then (on_hand_delta, reserved_delta, on_order_delta) = (quantity, 0, 0)
          when 'POReceipt' then quantity > 0 and (on_hand_delta, reserved_delta, on_order_delta) = (quantity, 0, -quantity)
          when 'MOReceipt' then quantity > 0 and (on_hand_delta, reserved_delta, on_order_delta) = (quantity, 0, -quantity)
          when 'SOReservation' then quantity > 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, quantity, 0)
          when 'MRReservation' then quantity > 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, quantity, 0)
          when 'SORelease' then quantity < 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, quantity, 0)
          when 'MRRelease' then quantity < 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, quantity, 0)
          when 'OnOrderAdd' then quantity > 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, 0, quantity)
          when 'OnOrderRelease' then quantity < 0 and (on_hand_delta, reserved_delta, on_order_delta) = (0, 0, quantity)
          when 'SOShipment' then quantity < 0 and (on_hand_delta, on_order_delta) = (quantity, 0)
                             and reserved_delta between quantity and 0
          when 'MRIssue' then quantity < 0 and (on_hand_delta, reserved_delta, on_order_delta) = (quantity, quantity, 0)
          else false end)
      )`);
    this.addSql(`comment on column stock_ledger.id is
      'UUIDv7 of recorded_at and the order within the transaction: within a position it rises with sequence.'`);
    // History at a time is one probe of this index.
    this.addSql(`create index stock_ledger_time on stock_ledger (workspace_id, item_id, location_id, id)`);
    // With the type before the id, a list of one type and a list of all (a merge of eleven ranges) both cost
    // a page, however long the history and however rare the type.
    this.addSql(`create index stock_ledger_item on stock_ledger (workspace_id, item_id, movement_type, id)`);
    this.addSql(
      `create index stock_ledger_location on stock_ledger (workspace_id, location_id, movement_type, id)`,
    );
    this.addSql(
      `create index stock_ledger_line on stock_ledger (workspace_id, line_id, id) where line_id is not null`,
    );
    this.addSql(`create index stock_ledger_requirement on stock_ledger (workspace_id, requirement_id, id)
      where requirement_id is not null`);

    for (const table of ['stock_position', 'stock_ledger']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    this.addSql(`revoke delete, truncate on stock_position from partbook_app, partbook_system`);
    this.addSql(`revoke update, delete, truncate on stock_ledger from partbook_app, partbook_system`);
    // Behind the privileges, for the owner of the tables too; once a statement, so it costs inserts nothing.
    this.addSql(`
      create function refuse_ledger_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the stock ledger is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger stock_ledger_append_only before update or delete or truncate on stock_ledger
      for each statement execute function refuse_ledger_change()`);
  }
}
