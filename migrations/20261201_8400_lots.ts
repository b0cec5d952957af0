/**
 * Lots and serial numbers. Positions and the ledger keep their keys: a lot is a column of the entry, and only items that are tracked have
 * rows in the table of lot positions.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Lots extends Migration {
  override name = '20261201_8400_lots';

  override up(): void {
    this.addSql(`
      create table stock_tracking (
        workspace_id uuid not null,
        item_id uuid not null,
        tracking text collate "C" not null check (tracking in ('lot', 'serial')),
        primary key (workspace_id, item_id)
      )`);
    this.addSql(`comment on table stock_tracking is 'Items whose stock is kept by lot or serial number.'`);
    this.addSql(`
      create table stock_lot (
        workspace_id uuid not null,
        item_id uuid not null,
        number text collate "C" not null check (octet_length(number) between 1 and 400),
        id uuid not null,
        kind text collate "C" not null check (kind in ('lot', 'serial')),
        expires_on date,
        supplier_lot text check (octet_length(supplier_lot) between 1 and 400),
        properties jsonb not null default '{}',
        version integer not null default 1,
        created_at timestamptz not null,
        primary key (workspace_id, item_id, number),
        unique (workspace_id, id)
      )`);
    this.addSql(
      `create index stock_lot_expiry on stock_lot (workspace_id, expires_on, id) where expires_on is not null`,
    );
    this.addSql(`comment on column stock_lot.number is
      'The ledger names a lot by its number, so it never changes.'`);
    this.addSql(`
      create table stock_lot_position (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        lot text collate "C" not null,
        is_serial boolean not null,
        on_hand numeric(15, 6) not null check (on_hand >= 0),
        primary key (workspace_id, item_id, location_id, lot),
        constraint stock_lot_position_serial check (not is_serial or on_hand in (0, 1))
      )`);
    this.addSql(`comment on table stock_lot_position is
      'Read and written only under the lock of the position of the item and location.'`);
    this.addSql(`create unique index stock_lot_position_one_place on stock_lot_position (workspace_id, item_id, lot)
      where is_serial and on_hand > 0`);
    this.addSql(
      `create index stock_lot_position_lot on stock_lot_position (workspace_id, item_id, lot, location_id)`,
    );
    for (const table of ['stock_tracking', 'stock_lot', 'stock_lot_position']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    for (const table of ['stock_lot', 'stock_lot_position'])
      this.addSql(`revoke delete on ${table} from partbook_app, partbook_system`);

    // Null columns need no rewrite. The checks are validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_position
        add column in_lots numeric(15, 6),
        add constraint stock_position_in_lots check (in_lots between 0 and on_hand) not valid`);
    this.addSql(`comment on column stock_position.in_lots is
      'How much of on_hand is in lots; null for an item that is not tracked.'`);
    this.addSql(`alter table stock_count add column lot text collate "C"`);
    this.addSql(`
      alter table stock_ledger
        add column lot text collate "C",
        add constraint stock_ledger_lot check (lot is null or (octet_length(lot) between 1 and 400 and on_hand_delta <> 0)) not valid`);
  }
}
