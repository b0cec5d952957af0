/**
 * How a connection plans whose statements are all prepared: a plan that is kept while tables grow must leave no choice that an empty
 * one would make wrong. It is kept: PostgreSQL would plan anew for every call, since of an array with one member it expects less work
 * than of any.
 */
export const onlyProbes = {
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};
