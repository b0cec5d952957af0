/** The actors under which automations act for callers. */

/** $1 workspace, $2 id, $3 name, $4 automation, $5 caller. */
export const insertActing = `
  insert into actor (workspace_id, id, type, name, automation_id, acts_for) values ($1, $2, 'automation', $3, $4, $5)
  on conflict (workspace_id, id) do nothing`;
