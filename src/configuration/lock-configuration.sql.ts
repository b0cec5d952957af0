/**
 * $1 workspace. An advisory lock per workspace, in a key space of its own (the first argument), held to the
 * end of the transaction: writers of entities share it, writers of configuration have it alone. It costs no
 * row write, where a row lock FOR SHARE would write every configuration row once per chunk. Two workspaces
 * whose hashes meet only wait for each other.
 */
const SPACE = 7_278_623;

export const takeConfigurationLock = `
  select take_configuration_lock(${SPACE}, hashtext($1::text))`;

/**
 * The shared lock, telling whether the transaction has it already. The mark is a setting of the transaction: rolling back
 * to a savepoint before it takes mark and lock away together.
 */
export const shareConfigurationLock = `
  select current_setting('partbook.configuration_held', true) = 'yes' as held,
         pg_advisory_xact_lock_shared(${SPACE}, hashtext($1::text)),
         set_config('partbook.configuration_held', 'yes', true)`;
