/** What is asked of the results of a batch beside their kind is found without reading them all; a batch names the one that it sends again. */
import { Migration } from '@mikro-orm/migrations';

export class Resend extends Migration {
  override name = '20261122_1100_resend';

  override up(): void {
    this.addSql(`alter table sync_result add column facts text[]`);
    this.addSql(`comment on column sync_result.facts is
      'Codes of errors and warnings in the portion, and changed:fields, changed:structure. Null: not known, any of them.'`);
    this.addSql(`alter table sync_batch add column resend_of uuid`);
    this.addSql(`comment on column sync_batch.resend_of is
      'The batch whose elements this one sends again, at the places that they had there.'`);
  }
}
