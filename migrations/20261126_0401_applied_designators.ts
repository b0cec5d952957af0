/**
 * Where designators stand is kept by triggers of the links. What a subscription applies while a workspace moves fires only triggers
 * that are told to fire always: links that were made or changed after the copy had no designators where they arrived.
 */
import { Migration } from '@mikro-orm/migrations';

export class AppliedDesignators extends Migration {
  override name = '20261126_0401_applied_designators';

  override up(): void {
    // What is applied has no search path either.
    this.addSql(`alter function index_link_designators set search_path = public, pg_temp`);
    for (const event of ['insert', 'delete', 'update'])
      this.addSql(`alter table entity_link enable always trigger entity_link_designators_${event}`);
  }
}
