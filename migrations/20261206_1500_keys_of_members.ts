/** Actors of keys that belong to a member name it, so that filters by a person find what its keys did. */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

export class KeysOfMembers extends Migration {
  override name = '20261206_1500_keys_of_members';

  override up(): void {
    // `member_from`: the first id of what counts as the member's; null for a key that was always its own. A key that was given to the member
    // may have been used by others before.
    this.addSql(`alter table actor add column member_id uuid, add column member_from uuid`);
    // Revoked keys are deleted after a time; the audit trail still says whose they were, and since when.
    this.addSql(`
      with owned as (
        select workspace_id, subject_key::uuid as key_id, after->>'memberId' as member_id, id, action,
               before->>'memberId' is null as is_given
        from audit_log where subject_type = 'apiKey' and action in ('update', 'revoke') and after->>'memberId' is not null
      ), owners as (
        select workspace_id, key_id, min(member_id)::uuid as member_id,
               (min(id::text) filter (where action = 'update' and is_given))::uuid as member_from
        from owned group by workspace_id, key_id
        union
        select k.workspace_id, k.id, k.member_id, null from api_key k
        where k.member_id is not null
          and not exists (select from owned o where o.workspace_id = k.workspace_id and o.key_id = k.id)
      )
      update actor a set member_id = o.member_id, member_from = o.member_from
      from owners o where a.workspace_id = o.workspace_id and (a.id = o.key_id or a.acts_for = o.key_id)`);
    this.addSql(`
      create function name_owner_of_key() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        update actor a set member_id = new.member_id,
          member_from = case when new.created_at < now() then uuidv7() end
        where a.workspace_id = new.workspace_id and (a.id = new.id or a.acts_for = new.id);
        return null;
      end $$`);
    this.addSql(grantFunction('name_owner_of_key'));
    this.addSql(`
      create trigger api_key_given after update of member_id on api_key for each row
      when (old.member_id is distinct from new.member_id) execute function name_owner_of_key()`);
  }
}
