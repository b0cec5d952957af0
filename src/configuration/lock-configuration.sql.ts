/**
 * $1 workspace. An advisory lock per workspace, in a key space of its own (the first argument), held to the
 * end of the transaction: writers of entities share it, writers of configuration have it alone. It costs no
 * row write, where a row lock FOR SHARE would write every configuration row once per chunk. Two workspaces
 * whose hashes meet only wait for each other.
 */
const SPACE = 7_278_623;

export const holdConfigurationLock = `
  select pg_advisory_xact_lock_shared(${SPACE}, hashtext($1::text))`;

export const takeConfigurationLock = `
  select pg_advisory_xact_lock(${SPACE}, hashtext($1::text))`;
