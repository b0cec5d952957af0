/** The actors under which automations act for callers. */

/** Says whether there was none. $1 workspace, $2 id, $3 name, $4 automation, $5 caller. Of a key that belongs to a member it is the member's too. */
export const insertActing = `
  insert into actor (workspace_id, id, type, name, automation_id, acts_for, member_id, member_from)
  select $1, $2, 'automation', $3, $4, $5, c.member_id, c.member_from
  from (select $5::uuid as id) as caller left join actor c on c.workspace_id = $1 and c.id = caller.id
  on conflict (workspace_id, id) do nothing returning id`;
