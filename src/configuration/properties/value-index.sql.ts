/** The rows of `value_index`: which properties have an index of their values, and which ones searches look at. Under the configuration lock, which writers of entities share. */

/** The key '' is that of the searchable properties. $1 workspace, $2 keys. */
export const selectIndexStates = `
  select key, is_filled and not exists (select from value_pending where workspace_id = $1) as is_filled from value_index
  where workspace_id = $1 and key = any(array_append($2::text[], '')) and not is_dropped`;

/** $1 workspace, $2 key, $3 kind. */
export const insertValueIndex = `
  insert into value_index (workspace_id, number, key, kind)
  select $1, coalesce(max(number), 0) + 1, $2, $3 from value_index where workspace_id = $1
  on conflict do nothing`;

/** $1 workspace, $2 key. */
export const dropValueIndex = `
  update value_index set is_dropped = true where workspace_id = $1 and key = $2 and not is_dropped`;

/**
 * Has the lines of all entities written anew for the properties that are searchable now; nothing happens where these have not changed.
 * $1 workspace.
 */
export const arrangeWords = `
  with wanted as (
    select array(select key from property_definition where workspace_id = $1 and searchable order by key) as keys
  )
  insert into value_index (workspace_id, number, key, kind, keys)
  select $1, (select coalesce(max(number), 0) + 1 from value_index where workspace_id = $1), '', 'words', keys from wanted
  where keys <> '{}' or exists (select from value_index where workspace_id = $1 and kind = 'words')
  on conflict (workspace_id, key) where not is_dropped do update set keys = excluded.keys, filled_to = null, is_filled = false
  where value_index.keys <> excluded.keys`;
