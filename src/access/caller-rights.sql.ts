/** Statements that read what members and keys may do at present. */

/** Says whether the key or the member with that id may still call. */
export const isActiveCaller = (id: string) => `
  (exists (select from member m where m.workspace_id = $1 and m.id = ${id} and m.ended_at is null)
  or exists (
    select from api_key k where k.workspace_id = $1 and k.id = ${id} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())))`;

/** Keys that were revoked long ago are deleted; their actors stay. $1 workspace, $2 id[]. */
export const selectCallers = `
  select i.id, coalesce(a.name, '') as name, coalesce(m.areas, k.areas) as areas, k.permission,
         case when ${isActiveCaller('i.id')} then null
           when a.type = 'member' then 'member_ended' else 'api_key_revoked' end as ended
  from unnest($2::uuid[]) as i (id)
  left join actor a on a.workspace_id = $1 and a.id = i.id
  left join member m on m.workspace_id = $1 and m.id = i.id
  left join api_key k on k.workspace_id = $1 and k.id = i.id`;
