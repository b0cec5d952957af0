/** The rows of `value_index`: which properties have an index of their values. Under the configuration lock, which writers of entities share. */

/** $1 workspace, $2 keys. */
export const selectIndexStates = `
  select key, is_filled and not exists (select from value_pending where workspace_id = $1) as is_filled from value_index
  where workspace_id = $1 and key = any($2::text[]) and not is_dropped`;

/** $1 workspace, $2 key, $3 kind. */
export const insertValueIndex = `
  insert into value_index (workspace_id, number, key, kind)
  select $1, coalesce(max(number), 0) + 1, $2, $3 from value_index where workspace_id = $1
  on conflict do nothing`;

/** $1 workspace, $2 key. */
export const dropValueIndex = `
  update value_index set is_dropped = true where workspace_id = $1 and key = $2 and not is_dropped`;
