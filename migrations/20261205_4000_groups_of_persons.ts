/** Keeps the groups that the provider named last for a person: an administrator may write rules for groups of its own. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';
const ofTransaction = `nullif(current_setting('partbook.workspace_id', true), '')::uuid`;

export class GroupsOfPersons extends Migration {
  override name = '20261205_4000_groups_of_persons';

  override up(): void {
    this.addSql(`alter table person_identity add column groups text[] not null default '{}'`);
    this.addSql(`
      create function keep_groups(issuer text, subject text, groups text[]) returns void language sql volatile ${definer} as $$
        update person_identity i set groups = $3 where i.issuer = $1 and i.subject = $2 and i.groups <> $3
      $$`);
    this.addSql(grantFunction('keep_groups', 'partbook_system'));
    // About a member of the transaction's workspace alone.
    this.addSql(`
      create function groups_of_member(wanted uuid) returns text[] language sql stable ${definer} as $$
        select coalesce(array_agg(distinct g.name), '{}')
        from membership p
        join person_identity i on i.person_id = p.person_id
        cross join unnest(i.groups) as g (name)
        where p.workspace_id = ${ofTransaction} and p.member_id = wanted
      $$`);
    this.addSql(grantFunction('groups_of_member', 'partbook_app'));
  }
}
