/**
 * What reading and editing entities needs beyond the floor: the history of transitions, a search that may use
 * the trigram index in spite of row security, pages of equal numbers, the mark that tells a batch of structure
 * edits made meanwhile.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

export class Entities extends Migration {
  override name = '20261120_0004_entities';

  override up(): void {
    this.addSql(`
      create table entity_transition (
        workspace_id uuid not null,
        entity_id uuid not null,
        id uuid not null,
        version_id uuid not null,
        revision_number integer not null,
        from_state text not null,
        to_state text not null,
        note text,
        actor_id uuid not null,
        recorded_at timestamptz not null default now(),
        primary key (workspace_id, entity_id, id)
      )`);
    this.addSql(
      `comment on column entity_transition.version_id is 'The revision that the entity had after it.'`,
    );

    this.addSql(`
      create table structure_edit (
        workspace_id uuid primary key,
        edits bigint not null
      )`);
    this.addSql(`comment on table structure_edit is
      'Counts links that were made other than by sync, under the structure lock. A batch that finds another count
       than when it planned its links looks for cycles again before it writes them.'`);
    for (const table of ['entity_transition', 'structure_edit']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    }
    this.addSql(`revoke update, delete on entity_transition from partbook_app, partbook_system`);

    // Numbers need not be unique; with the id behind, a page of equal ones is an index range as well.
    this.addSql(`drop index entity_number`);
    this.addSql(`create index entity_number on entity (workspace_id, number, id)`);

    // Row security keeps operators that are not leakproof, LIKE among them, from being index conditions, so
    // that under it the trigram index would never be used. This function sees past it and keeps the wall
    // itself: it answers for the transaction's own workspace alone. Without the plain scans, what is left to
    // the planner are bitmaps: of the trigram index, or of the workspace's rows where a pattern has no trigram.
    this.addSql(`
      create function search_entities(patterns text[], entities_max integer)
      returns table (id uuid)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
      set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        select e.id from entity e
        where e.workspace_id = nullif(current_setting('partbook.workspace_id', true), '')::uuid
          and (coalesce(e.number, '') || ' ' || e.name ilike patterns[1]
            or coalesce(e.number, '') || ' ' || e.name ilike coalesce(patterns[2], patterns[1]))
        limit entities_max
      $$`);
    this.addSql(`revoke all on function search_entities from public`);
    this.addSql(`grant execute on function search_entities to partbook_app`);
  }
}
