/**
 * Authenticates keys and finds the requested workspaces; $1 hashes of the keys, $2 slugs. Columns are listed
 * because the statement is prepared: `*` would fail on every open connection when a newer release adds a column to
 * the function.
 */
const authenticateApiKeys = `
  select place, key_id, key_workspace_id, key_name, permission, areas, expired, revoked, wanted_workspace_id,
         wanted_workspace_name, wanted_state, wanted_moved_to
  from authenticate_api_keys($1, $2)`;

/** Authenticates a session; $1 hash of its token, $2 slug, $3 hours that it lasts from now on. */
export const authenticateWebSession = `
  select key_id, key_workspace_id, key_name, permission, areas, expired, revoked, wanted_workspace_id, wanted_workspace_name,
         wanted_state, wanted_moved_to
  from authenticate_web_session($1, $2, $3)`;

/**
 * Authenticates sessions of persons as members; $1 hashes of their tokens, $2 slugs. The member stands in place of the key; without one the
 * person has no business in the workspace, or there is no such workspace. It only reads: `is_stale` asks for `usePersonSession`.
 */
const authenticatePersonSessions = `
  select place, member_id as key_id, member_workspace_id as key_workspace_id, member_name as key_name, null as permission, areas,
         expired, false as revoked, wanted_workspace_id, wanted_workspace_name, wanted_state, wanted_moved_to, is_stale
  from authenticate_person_sessions($1, $2)`;

/** Prolongs a session and marks the membership as seen. $1 hash of the token, $2 slug, $3 hours that the session lasts from now on. */
export const usePersonSession = 'select use_person_session($1, $2, $3)';

/** The statement that looks up what a caller shows, several at once. */
export const authenticationOf = { apiKey: authenticateApiKeys, member: authenticatePersonSessions } as const;
export type Shown = keyof typeof authenticationOf;
