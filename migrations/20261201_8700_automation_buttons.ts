/** An automation of context type 5 has a button: its label, where it is offered, and its form. */
import { Migration } from '@mikro-orm/migrations';

export class AutomationButtons extends Migration {
  override name = '20261201_8700_automation_buttons';

  override up(): void {
    // Not jsonb: the fields of a form keep their order.
    this.addSql(`alter table automation add column button json`);
  }
}
