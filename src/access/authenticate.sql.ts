/**
 * Who is behind a key, and which workspace is meant; $1 hash of the key, $2 slug. Column by column, because the
 * statement is prepared: `*` would fail on every connection that is open when the migration of a newer release
 * gives the function one more.
 */
export const authenticateApiKey = `
  select key_id, key_workspace_id, key_name, permission, expired, revoked, wanted_workspace_id, wanted_workspace_name
  from authenticate_api_key($1, $2)`;

/** The same of a session; $1 hash of its token, $2 slug, $3 hours it lasts from now on. */
export const authenticateWebSession = `
  select key_id, key_workspace_id, key_name, permission, expired, revoked, wanted_workspace_id, wanted_workspace_name
  from authenticate_web_session($1, $2, $3)`;
