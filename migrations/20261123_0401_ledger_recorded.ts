/** Finds entries of the ledger by when they were recorded, whatever their position: whether any is dated ahead of the clock. */
import { Migration } from '@mikro-orm/migrations';

export class LedgerRecorded extends Migration {
  override name = '20261123_0401_ledger_recorded';

  override up(): void {
    // The ledger only grows, and nearly in the order of time: the least and the latest of some megabytes at a time find the
    // few that are asked for, and an entry costs no page of an index.
    this.addSql(`
      create index stock_ledger_recorded on stock_ledger using brin (recorded_at)
      with (pages_per_range = 256, autosummarize = on)`);
  }
}
