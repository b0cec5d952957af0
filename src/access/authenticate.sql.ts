/**
 * Authenticates keys and finds the requested workspaces; $1 hashes of the keys, $2 slugs. Columns are listed
 * because the statement is prepared: `*` would fail on every open connection when a newer release adds a column to
 * the function.
 */
export const authenticateApiKeys = `
  select place, key_id, key_workspace_id, key_name, permission, areas, expired, revoked, wanted_workspace_id,
         wanted_workspace_name, wanted_state, wanted_moved_to
  from authenticate_api_keys($1, $2)`;

/** Authenticates a session; $1 hash of its token, $2 slug, $3 hours that it lasts from now on. */
export const authenticateWebSession = `
  select key_id, key_workspace_id, key_name, permission, areas, expired, revoked, wanted_workspace_id, wanted_workspace_name,
         wanted_state, wanted_moved_to
  from authenticate_web_session($1, $2, $3)`;
