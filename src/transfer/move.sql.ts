/** Taking a workspace to another installation, by the owners of both schemas. */

/** Held when the last transaction that was let into the workspace has ended (`enter_workspace`). $1 workspace. */
export const lockExclusively = 'select pg_advisory_xact_lock(uuid_hash_extended($1::uuid, 7278623004))';

/** Which changes there are a trigger knows. $1 slug, $2 state, $3 address or null. */
export const setState = 'update workspace set state = $2, moved_to = $3 where slug = $1 returning id';
