/** Statements on identities of the provider, in the scope of the instance. All go through functions. */

/** $1 issuer, $2 subject, $3 id of a new person, $4 name. */
export const knowIdentity = 'select know_identity($1, $2, $3, $4) as id';
/** $1 issuer, $2 subject, $3 person. */
export const connectIdentity = 'select connect_identity($1, $2, $3) as id';
/** $1 hash of the session's token, $2 issuer, $3 subject, $4 sid or null, $5 ID token, $6 hours at most or null. */
export const bindPersonSession = 'select bind_person_session($1, $2, $3, $4, $5, $6)';
/** $1 issuer, $2 subject, $3 refresh token or null, $4 seconds to the first check. */
export const keepRefreshToken = 'select keep_refresh_token($1, $2, $3, $4)';
/** $1 issuer, $2 subject, $3 groups. */
export const keepGroups = 'select keep_groups($1, $2, $3)';
/** $1 issuer, $2 seconds for which nobody else checks. */
export const claimIdentityCheck =
  'select subject, person_id, refresh_token, silent_seconds, is_open from claim_identity_check($1, $2)';
/** $1 issuer, $2 subject, $3 token that was used, $4 token from now on or null, $5 seconds to the next check. */
export const answerIdentityCheck = 'select answer_identity_check($1, $2, $3, $4, $5) as written';
/** $1 issuer, $2 subject or null, $3 sid or null. */
export const endSessionsOfIdentity = 'select person_id from end_sessions_of_identity($1, $2, $3)';
/** $1 person, $2 whether its groups make it an operator, $3 id of the action. No row where nothing changed. */
export const operateByGroups = 'select action from operate_by_groups($1, $2, $3)';
/** $1 rows at most. */
export const pruneStrangers = 'select 1 from generate_series(1, prune_strangers($1))';
