/**
 * Links of bills of materials between locations become parents in the tree of locations. A location that has several such links gets
 * the parent that was created first; its other links stay, and can be removed by hand. The audit trail of each location shows the link
 * that became its parent. Both ends are locations; a link between two entities that are items as well stays what it is.
 */
import { Migration } from '@mikro-orm/migrations';

export class LinksBecomeParents extends Migration {
  override name = '20261201_3002_links_become_parents';

  override up(): void {
    // One statement, so that links, parents and audit trail agree. The links have no cycle, and neither has a part of them.
    this.addSql(`
      with location as materialized (
        select e.workspace_id, e.id, c.role
        from category c join entity e on e.workspace_id = c.workspace_id and e.category = c.key
        where c.role in ('location', 'itemAndLocation')
      ), found as materialized (
        select distinct on (l.workspace_id, l.child_id) l.workspace_id, l.parent_id, l.child_id, l.quantity, l.line
        from location child
        join entity_link l on l.workspace_id = child.workspace_id and l.child_id = child.id
        join location parent on parent.workspace_id = l.workspace_id and parent.id = l.parent_id
        where child.role = 'location' or parent.role = 'location'
        order by l.workspace_id, l.child_id, l.parent_id
      ), moved as (
        update entity e
        set parent_location_id = f.parent_id, version = e.version + 1, updated_at = now(), sync_hash = null
        from found f where e.workspace_id = f.workspace_id and e.id = f.child_id
      ), parents as (
        update entity e set version = e.version + 1, updated_at = now(), sync_hash = null
        where (e.workspace_id, e.id) in (select workspace_id, parent_id from found)
          and (e.workspace_id, e.id) not in (select workspace_id, child_id from found)
      ), unlinked as (
        delete from entity_link l using found f
        where l.workspace_id = f.workspace_id and l.parent_id = f.parent_id and l.child_id = f.child_id
      ), service as (
        insert into actor (workspace_id, id, type, name)
        select distinct workspace_id, '00000000-0000-0000-0000-000000000001'::uuid, 'system', 'Partbook' from found
        on conflict do nothing
      )
      insert into audit_log (workspace_id, id, actor_id, action, subject_type, subject_key, before, after)
      select workspace_id, uuidv7(), '00000000-0000-0000-0000-000000000001', 'update', 'entity', child_id::text,
             jsonb_build_object('parentLocation', null, 'link', jsonb_build_object(
               'parentEntityId', parent_id, 'quantity', quantity, 'line', line)),
             jsonb_build_object('parentLocation', parent_id)
      from found`);
    // Batches under way look at the structure again.
    this.addSql(`
      insert into structure_edit as s (workspace_id, edits)
      select distinct workspace_id, 1 from entity where parent_location_id is not null
      on conflict (workspace_id) do update set edits = s.edits + 1`);
  }
}
