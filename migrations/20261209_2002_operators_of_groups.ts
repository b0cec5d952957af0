/** Operators by a group of the identity provider, beside those who were made by hand; and where the operators are members. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';

export class OperatorsOfGroups extends Migration {
  override name = '20261209_2002_operators_of_groups';

  override up(): void {
    this.addSql(`
      alter table person_operator add column managed text not null default 'hand' check (managed in ('hand', 'groups'))`);
    // left_at: when the person ceased to be a member of its last workspace.
    this.addSql('drop function list_operators(integer)');
    this.addSql(`
      create function list_operators(rows integer)
      returns table (person_id uuid, name text, created_at timestamptz, managed text, workspaces integer, left_at timestamptz)
      language sql stable ${definer} as $$
        select p.id, p.name, o.created_at, o.managed, m.workspaces, m.left_at
        from person_operator o join person p on p.id = o.person_id
        cross join lateral (
          select (count(*) filter (where e.ended_at is null))::int as workspaces, max(e.ended_at) as left_at
          from membership s join member e on e.workspace_id = s.workspace_id and e.id = s.member_id
          where s.person_id = p.id) m
        order by o.created_at, p.id limit $1
      $$`);
    this.addSql(grantFunction('list_operators', 'partbook_system'));
    // Writes what it did among the actions of operators. Operators made by hand stay as they are.
    this.addSql(`
      create function operate_by_groups(person uuid, wanted boolean, action_id uuid) returns table (action text)
      language sql volatile ${definer} as $$
        with added as (
          insert into person_operator (person_id, managed) select $1, 'groups' where $2
          on conflict do nothing returning 'appoint' as action
        ), removed as (
          delete from person_operator o where o.person_id = $1 and o.managed = 'groups' and not $2 returning 'dismiss' as action
        ), changed as (
          select a.action from added a union all select r.action from removed r
        )
        insert into operator_action (id, action, subject, person_name)
        select $3, c.action, p.name, 'Identity provider' from changed c join person p on p.id = $1
        returning operator_action.action
      $$`);
    this.addSql(grantFunction('operate_by_groups', 'partbook_system'));
  }
}
