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

/** Until when what callers leave alone was written. */
export const selectNow = `select now()::text as now`;

/**
 * Rows of the tables that callers leave alone, and a sum over all of their columns that is the same in whatever order they lie. $1
 * workspace, $2 until when: parts that callers make come later.
 */
export const selectBook = `
  select 'entity' as table_name, count(*)::int as rows, sum(hashtextextended(e::text, 0))::text as sum
  from entity e where workspace_id = $1 and created_at <= $2::timestamptz
  union all
  select 'entity_link', count(*)::int, sum(hashtextextended(l::text, 0))::text
  from entity_link l where workspace_id = $1
  union all
  select 'property_definition', count(*)::int, sum(hashtextextended(p::text, 0))::text
  from property_definition p where workspace_id = $1
  union all
  select 'category', count(*)::int, sum(hashtextextended(c::text, 0))::text
  from category c where workspace_id = $1`;

/** Entities there are, and those of them that a search by text would find. $1 workspace. */
export const selectSearched = `
  select (select count(*)::int from entity where workspace_id = $1) as entities,
         (select count(distinct e.id)::int
          from entity_text t cross join unnest(t.ids) as of_block(id)
          join entity e on e.workspace_id = $1 and e.id = of_block.id
          where t.workspace_id = $1 and strpos(t.lines, E'\\n' || entity_line(e.number, e.name) || E'\\n') > 0) as found`;
