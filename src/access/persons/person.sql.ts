/** Statements on persons, in the scope of the instance. All go through functions: no role of the service may read the tables. */

export const addPerson = 'select add_person($1, $2)';
export const lockPerson = 'select lock_person($1)';
/** $1 hash of the token, $2 hours that the session lasts from now on. */
export const findPersonSession =
  'select person_id, name, session_id, expires_at from find_person_session($1, $2)';
/** $1 hash of the token, $2 id, $3 person, $4 browser, $5 hours, $6 days at most, $7 how many sessions stay. */
export const openPersonSession = 'select open_person_session($1, $2, $3, $4, $5, $6, $7) as expires_at';
/** $1 hash of the token. */
export const provePersonSession = 'select prove_person_session($1)';
/** $1 hash of the token, $2 seconds. */
export const isSessionProved = 'select is_session_proved($1, $2) as proved';
/** $1 hash of the token. */
export const endPersonSession = 'select end_person_session($1)';
/** $1 person, $2 id or null for all, $3 hash of the token that stays or null. */
export const endPersonSessions = 'select id from end_person_sessions($1, $2, $3)';
export const describePerson = 'select describe_person($1) as person';
/** $1 credential, $2 id, $3 person, $4 public key, $5 counter, $6 transports, $7 name. */
export const addPasskey = 'select add_passkey($1, $2, $3, $4, $5, $6, $7)';
export const findPasskey = 'select person_id, name, public_key, counter, transports from find_passkey($1)';
export const usePasskey = 'select use_passkey($1, $2)';
/** $1 person, $2 passkey, $3 name. */
export const renamePasskey = 'select id from rename_passkey($1, $2, $3)';
export const removePasskey = 'select id from remove_passkey($1, $2)';
/** $1 person, $2 user name, $3 hash. */
export const setPersonPassword = 'select set_person_password($1, $2, $3)';
export const findPersonPassword = 'select person_id, name, hash from find_person_password($1)';
/** Deletes the passkeys, the password and the sessions of a person. */
export const clearWaysIn = 'select clear_ways_in($1)';
/** $1 hash of the token. The identity of a provider by which the session was opened. */
export const findIdentityToken = 'select issuer, id_token from find_identity_token($1)';
/** $1 hash of the token, $2 purpose, $3 challenge, $4 seconds. */
export const beginSignInAttempt = 'select begin_sign_in_attempt($1, $2, $3, $4)';
export const takeSignInAttempt = 'select challenge from take_sign_in_attempt($1, $2)';
/** $1 rows at most. */
export const pruneSignIns = 'select 1 from generate_series(1, prune_sign_ins($1))';

/** $1 person, $2 rows at most. The workspaces that a person may work in, by name. */
export const selectWorkspacesOfPerson = `
  select w.slug, w.name, m.id as member_id, m.name as member_name, m.areas
  from membership p
  join member m on m.workspace_id = p.workspace_id and m.id = p.member_id and m.ended_at is null
  join workspace w on w.id = p.workspace_id
  where p.person_id = $1 order by w.name, w.slug limit $2`;
