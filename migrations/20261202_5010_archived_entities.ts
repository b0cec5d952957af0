/** Archived entities: lists, pickers and where-used leave them out unless they are asked for. */
import { Migration } from '@mikro-orm/migrations';

export class ArchivedEntities extends Migration {
  override name = '20261202_5010_archived_entities';

  override up(): void {
    // A null column needs no rewrite.
    this.addSql('alter table entity add column archived_at timestamptz');
    this.addSql(`comment on column entity.archived_at is
      'When it was archived; null if it is in use. Changes only under the exclusive configuration lock, which whoever gives it stock, lines, requirements or parents shares.'`);
  }
}
