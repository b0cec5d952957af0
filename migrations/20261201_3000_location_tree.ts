/** A location may lie in another one: a bin in a shelf, a shelf in a warehouse. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class LocationTree extends Migration {
  override name = '20261201_3000_location_tree';

  override up(): void {
    this.addSql('alter table entity add column parent_location_id uuid');
    this.addSql(`comment on column entity.parent_location_id is
      'The location that this location lies in. It is no part of a revision. Writers hold the structure lock, so that no cycle can arise.'`);
    // The names of the locations around one, the outermost first. A function, because lists call it only for rows that have a parent.
    this.addSql(`
      create function location_path(of_workspace uuid, location uuid) returns text[]
      language sql stable parallel safe set search_path = public, pg_temp as $$
        with recursive around (name, parent, level) as (
          select p.name, p.parent_location_id, 1
          from entity e join entity p on p.workspace_id = of_workspace and p.id = e.parent_location_id
          where e.workspace_id = of_workspace and e.id = location
          union all
          select p.name, p.parent_location_id, a.level + 1
          from around a cross join lateral (
            select name, parent_location_id from entity where workspace_id = of_workspace and id = a.parent offset 0) p
        )
        select coalesce(array_agg(name order by level desc), '{}') from around
      $$`);
    this.addSql(grantFunction('location_path', 'partbook_app', 'partbook_system'));
  }
}
