/** Reads of configuration as it is stored: what it weighs, and its lists. */

/** Measures all configuration as text. $1 workspace. */
export const measureConfiguration = `
  select coalesce(sum(bytes), 0)::int as bytes from (
    select octet_length(key) + octet_length(name) + octet_length(numbering::text) + octet_length(lifecycle)
           + octet_length(tabs::text) + octet_length(properties::text) + 100 as bytes
    from category where workspace_id = $1
    union all
    select octet_length(key) + octet_length(name) + octet_length(initial_state) + octet_length(states::text)
           + octet_length(transitions::text) + 100
    from lifecycle where workspace_id = $1
    union all
    select octet_length(key) + octet_length(name) + octet_length(details::text) + 100
    from property_definition where workspace_id = $1) as weighed`;

/** Selects records in order of their keys, with all columns by which a page is measured. $1 workspace, $2 key to go on behind or null, $3 rows. */
export const selectKeys = (table: 'category' | 'lifecycle' | 'property_definition') => `
  select * from ${table} where workspace_id = $1 and ($2::text is null or key > $2) order by key limit $3`;

/** Selects the keys that have a property definition. $1 workspace, $2 keys. */
export const selectDefinedKeys = `
  select key from property_definition where workspace_id = $1 and key = any ($2::text[])`;
