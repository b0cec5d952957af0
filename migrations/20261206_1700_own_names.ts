/** Persons rename themselves and their passkeys. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const definer = 'security definer set search_path = public, pg_temp';

export class OwnNames extends Migration {
  override name = '20261206_1700_own_names';

  override up(): void {
    this.addSql(`
      create function rename_passkey(person uuid, wanted uuid, name text) returns table (id uuid)
      language sql volatile ${definer} as $$
        update passkey k set name = $3 where k.person_id = $1 and k.id = $2 returning k.id
      $$`);
    this.addSql(grantFunction('rename_passkey', 'partbook_system'));
    // The person of a member of the transaction's workspace, where it still has the name that the member had.
    this.addSql(`
      create function rename_person_of_member(wanted uuid, former text, name text) returns void
      language sql volatile ${definer} as $$
        update person p set name = $3 from membership m
        where m.workspace_id = nullif(current_setting('partbook.workspace_id', true), '')::uuid and m.member_id = $1
          and p.id = m.person_id and p.name = $2
      $$`);
    this.addSql(grantFunction('rename_person_of_member', 'partbook_app'));
  }
}
