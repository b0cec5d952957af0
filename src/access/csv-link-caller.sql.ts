/** Which link a secret is of, and whether it is good; $1 hash of the secret, $2 slug. Notes the use. */
export const authenticateCsvLinkStatement = `
  select link_id, expired, revoked, found_workspace_id, found_workspace_name, found_state, found_moved_to
  from authenticate_csv_link($1, $2)`;
