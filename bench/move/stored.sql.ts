/** What is stored of a workspace, held against what was acknowledged. By the owner of the schema. */

/** $1 workspace, $2 ids. */
export const selectEntries = `
  select count(*)::int as all, count(*) filter (where id = any($2::uuid[]))::int as found
  from stock_ledger where workspace_id = $1`;

/** $1 workspace, $2 items. */
export const selectPositions = `
  select item_id, on_hand::int as count from stock_position where workspace_id = $1 and item_id = any($2::uuid[])`;

/** $1 workspace, $2 ids. */
export const selectBatches = `
  select count(*) filter (where status = 'completed')::int as completed
  from sync_batch where workspace_id = $1 and id = any($2::uuid[])`;

/** $1 workspace, $2 GUIDs, $3 their names. */
export const selectNames = `
  select count(*)::int as same from unnest($2::text[], $3::text[]) as sent(guid, name)
  join entity e on e.workspace_id = $1 and e.guid::text = sent.guid and e.name = sent.name`;
