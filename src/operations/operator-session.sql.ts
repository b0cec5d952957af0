/** The statements on the operator's sessions, all in the scope of the instance. */

/** $1 hash of the token, $2 seconds. Those that have ended go with it: nobody signs in so often that they pile up. */
export const insertOperatorSession = `
  with ended as (delete from operator_session where expires_at < now())
  insert into operator_session (token_hash, expires_at) values ($1, now() + make_interval(secs => $2))`;

/** $1 hash of the token. */
export const selectOperatorSession = `
  select from operator_session where token_hash = $1 and expires_at > now()`;

/** $1 hash of the token. */
export const deleteOperatorSession = 'delete from operator_session where token_hash = $1';
