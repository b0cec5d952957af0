/** The statements on the operator's sessions, all in the scope of the instance. */

/**
 * $1 hash of the token, $2 seconds, $3 hash of the token of the person's session or null. Those that have ended go with it: nobody signs in
 * so often that they pile up.
 */
export const insertOperatorSession = `
  with ended as (delete from operator_session where expires_at < now())
  insert into operator_session (token_hash, expires_at, person_token_hash) values ($1, now() + make_interval(secs => $2), $3)`;

/** $1 hash of the token. A session of a person lasts no longer than the person's own, and than the person is an operator. */
export const selectOperatorSession = `
  select p.person_id, p.name from operator_session s
  left join lateral find_operator(s.person_token_hash, 0) p on s.person_token_hash is not null
  where s.token_hash = $1 and s.expires_at > now() and (s.person_token_hash is null or p.is_operator)`;

/** $1 hash of the token. */
export const deleteOperatorSession = 'delete from operator_session where token_hash = $1';

/** $1 hash of the token of a person's session, $2 seconds within which the person must have proved to be the one. */
export const findOperator = 'select person_id, name, is_operator, is_proved from find_operator($1, $2)';
/** $1 rows at most. */
export const listOperators =
  'select person_id, name, created_at, managed, workspaces, left_at from list_operators($1)';
/** $1 person. Says whether it was none before. */
export const addOperator = 'select add_operator($1) as added';
/** $1 person. No row where it is none. */
export const removeOperator = 'select name from remove_operator($1)';
