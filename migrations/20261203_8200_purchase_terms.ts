/** The terms of purchase lines at the moment of ordering, and the references of both sides of an order. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class PurchaseTerms extends Migration {
  override name = '20261203_8200_purchase_terms';

  override up(): void {
    this.addSql(`
      create table purchase_terms (
        workspace_id uuid not null,
        order_id uuid not null,
        line_id uuid not null,
        supplier_part_id uuid,
        sku text,
        pack_quantity numeric(15, 6) check (pack_quantity > 0),
        unit text collate "C",
        numerator numeric not null check (numerator > 0),
        denominator numeric not null check (denominator > 0),
        price numeric(15, 6) check (price >= 0),
        currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
        amount numeric(36, 6) check (amount >= 0),
        primary key (workspace_id, order_id, line_id),
        check ((price is null) = (currency is null) and (price is null) = (amount is null))
      )`);
    this.addSql(`comment on table purchase_terms is
      'Supplier part, pack, price and currency of a purchase line, as they were when it was made or changed.'`);
    this.addSql(`comment on column purchase_terms.numerator is
      'With denominator, how many base units of the item the unit of price and pack is.'`);
    this.addSql(`comment on column purchase_terms.amount is 'The price of the quantity of the line.'`);
    this.addSql(`
      create table order_reference (
        workspace_id uuid not null,
        order_id uuid not null,
        ours text,
        theirs text,
        primary key (workspace_id, order_id)
      )`);
    this.addSql(`comment on table order_reference is
      'References of an order: ours, and that of the supplier or customer.'`);
    for (const table of ['purchase_terms', 'order_reference'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
  }
}
