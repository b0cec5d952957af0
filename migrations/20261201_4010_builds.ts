/**
 * Builds: the revision of the item that a line is for, what one unit of output needs of a component, and how the receipts of a category
 * take components.
 */
import { Migration } from '@mikro-orm/migrations';

export class Builds extends Migration {
  override name = '20261201_4010_builds';

  override up(): void {
    // Null columns need no rewrite.
    this.addSql(`alter table stock_line add column item_revision integer check (item_revision > 0)`);
    this.addSql(`comment on column stock_line.item_revision is
      'Number of the revision of the item whose structure says what is built; fixed when the line is ordered.'`);
    this.addSql(`alter table material_requirement
      add column per_unit numeric check (per_unit > 0),
      add column per_order numeric check (per_order >= 0),
      add column substitutes jsonb`);
    this.addSql(`comment on column material_requirement.per_unit is
      'Quantity of a component for one unit of output, and per_order beside that for the whole line; null for other requirements and for components of lines ordered by an earlier version.'`);
    this.addSql(`alter table category add column consume text
      check (consume in ('proportional', 'asListed', 'none'))`);
    this.addSql(`comment on column category.consume is
      'How receipts of manufacturing lines take components if the call does not say; null: they take none, and say nothing about it.'`);
    // A line is ordered once; the need for a component follows the quantity of its line.
    this.addSql(`grant update (item_revision) on stock_line to partbook_app`);
    this.addSql(`grant update (quantity) on material_requirement to partbook_app`);
  }
}
