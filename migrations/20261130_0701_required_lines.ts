/** Lines by the day on which they are required: what is due in a week is found without looking at all that ever was ordered. */
import { IndexMigration } from '../src/db/index-migration.ts';

export class RequiredLines extends IndexMigration {
  override name = '20261130_0701_required_lines';

  override up(): void {
    this.addIndex(
      'stock_line_required',
      'on stock_line (workspace_id, required_by, id) where required_by is not null',
    );
  }
}
