/**
 * Who is behind keys, and which workspaces are meant; $1 hashes of the keys, $2 slugs. Column by column, because the
 * statement is prepared: `*` would fail on every connection that is open when the migration of a newer release
 * gives the function one more.
 */
export const authenticateApiKeys = `
  select place, key_id, key_workspace_id, key_name, permission, expired, revoked, wanted_workspace_id,
         wanted_workspace_name, wanted_state, wanted_moved_to
  from authenticate_api_keys($1, $2)`;

/** Who is behind a session; $1 hash of its token, $2 slug, $3 hours it lasts from now on. */
export const authenticateWebSession = `
  select key_id, key_workspace_id, key_name, permission, expired, revoked, wanted_workspace_id, wanted_workspace_name,
         wanted_state, wanted_moved_to
  from authenticate_web_session($1, $2, $3)`;
