/** How much of a line is wanted, and when, is changed while it is open (ADR 79); what it is of stays a fact. */
import { Migration } from '@mikro-orm/migrations';

export class ChangedLines extends Migration {
  override name = '20261130_0200_changed_lines';

  override up(): void {
    this.addSql(`grant update (quantity, required_by) on stock_line to partbook_app`);
  }
}
