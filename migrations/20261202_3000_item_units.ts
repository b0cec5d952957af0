/**
 * Units: an item has a base unit and exact factors to others. Entries and lines keep what was entered; the ledger stays in the base unit.
 * The settings of stock say until when stock is closed.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class ItemUnits extends Migration {
  override name = '20261202_3000_item_units';

  override up(): void {
    this.addSql(`
      create table item_base_unit (
        workspace_id uuid not null,
        item_id uuid not null,
        unit text collate "C" not null check (octet_length(unit) between 1 and 128),
        dimension text collate "C",
        numerator numeric check (numerator > 0),
        denominator numeric check (denominator > 0),
        version integer not null default 1,
        primary key (workspace_id, item_id),
        check ((dimension is null) = (numerator is null) and (numerator is null) = (denominator is null))
      )`);
    this.addSql(`comment on table item_base_unit is
      'The unit in which stock of an item is kept. A unit with a dimension is numerator/denominator of the base units of UCUM.'`);
    this.addSql(`
      create table item_unit (
        workspace_id uuid not null,
        item_id uuid not null,
        unit text collate "C" not null check (octet_length(unit) between 1 and 128),
        numerator numeric(15, 0) not null check (numerator > 0),
        denominator numeric(15, 0) not null check (denominator > 0),
        primary key (workspace_id, item_id, unit)
      )`);
    this.addSql(`comment on table item_unit is
      'Other units of an item: one of them is numerator/denominator of its base unit.'`);
    for (const table of ['item_base_unit', 'item_unit'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);

    // Null columns need no rewrite. The checks are validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_ledger
        add column entered_quantity numeric(15, 6),
        add column entered_unit text collate "C",
        add constraint stock_ledger_entered check (
          (entered_quantity is null) = (entered_unit is null)
          and (entered_unit is null or octet_length(entered_unit) between 1 and 128)) not valid`);
    this.addSql(`
      alter table stock_line
        add column entered_quantity numeric(15, 6) check (entered_quantity > 0),
        add column entered_unit text collate "C" check (octet_length(entered_unit) between 1 and 128),
        add column unit_numerator numeric check (unit_numerator > 0),
        add column unit_denominator numeric check (unit_denominator > 0)`);
    this.addSql(`comment on column stock_line.unit_numerator is
      'With unit_denominator, how many base units of the item one entered unit was when the line was made or changed.'`);
    this.addSql(
      `grant update (entered_quantity, entered_unit, unit_numerator, unit_denominator) on stock_line to partbook_app`,
    );
    this.addSql(`alter table stock_settings add column closed_until date`);
  }
}
