/**
 * Results and batches get old, and the operator's sessions end: what the service forgets, it finds by an index.
 */
import { Migration } from '@mikro-orm/migrations';

export class Retention extends Migration {
  override name = '20261122_0500_retention';

  override up(): void {
    // Kept: they are shown. Left: rows of theirs are still there, to be deleted in pieces when nobody reads them.
    this.addSql(`
      alter table sync_batch
        add results_kept boolean not null default true,
        add results_left boolean not null default true`);
    this.addSql(
      `create index sync_batch_results on sync_batch (finished_at) where results_kept and not payload_kept`,
    );
    this.addSql(`create index sync_batch_results_left on sync_batch (finished_at)
      where not results_kept and results_left`);
    this.addSql(`create index sync_batch_bare on sync_batch (finished_at) where not results_left`);

    // Of the operator, who belongs to no workspace. A session is good while its row is there.
    this.addSql(`
      create table operator_session (
        token_hash bytea primary key,
        expires_at timestamptz not null
      )`);
    this.addSql(`create index operator_session_age on operator_session (expires_at)`);
    this.addSql(`grant select, insert, delete on operator_session to partbook_system`);
  }
}
