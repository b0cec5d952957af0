/** $1 workspace. No row where nothing was ever configured. A probe of one row, by the triggers of the migration. */
export const selectConfigurationVersion = `
  select version from configuration_version where workspace_id = $1`;

/**
 * $1 workspace. All configuration of a workspace and its version, of one snapshot: index ranges of a few dozen rows,
 * each as JSON text, to be parsed by itself. Records, so that no key of a user's becomes a member name.
 */
export const selectConfiguration = `
  select 'category' as kind, key, json_build_object(
    'key', key, 'name', name, 'numbering', numbering, 'lifecycle', lifecycle, 'role', role,
    'behaviour', behaviour, 'hiddenFromNew', hidden_from_new, 'tabs', tabs)::text as body
  from category where workspace_id = $1
  union all
  select 'lifecycle', key, json_build_object(
    'key', key, 'name', name, 'initialState', initial_state, 'states', states, 'transitions', transitions)::text
  from lifecycle where workspace_id = $1
  union all
  select 'property', key, json_build_object('key', key, 'name', name, 'type', type, 'used', used)::text
  from property_definition where workspace_id = $1
  union all
  select 'version', '', version::text from configuration_version where workspace_id = $1
  order by kind, key`;

/** What it all weighs, as text. $1 workspace. */
export const measureConfiguration = `
  select coalesce(sum(bytes), 0)::int as bytes from (
    select octet_length(key) + octet_length(name) + octet_length(numbering::text) + octet_length(lifecycle)
           + octet_length(tabs::text) + 100 as bytes
    from category where workspace_id = $1
    union all
    select octet_length(key) + octet_length(name) + octet_length(initial_state) + octet_length(states::text)
           + octet_length(transitions::text) + 100
    from lifecycle where workspace_id = $1
    union all
    select octet_length(key) + octet_length(name) + 100 from property_definition where workspace_id = $1) as weighed`;

/** In order of their keys, with all that a page is measured by. $1 workspace, $2 key to go on behind or null, $3 rows. */
export const selectKeys = (table: 'category' | 'lifecycle' | 'property_definition') => `
  select * from ${table} where workspace_id = $1 and ($2::text is null or key > $2) order by key limit $3`;
