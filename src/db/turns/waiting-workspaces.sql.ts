/**
 * The query `waiting` of a statement "with recursive": workspaces that have rows of a table. They are found by skipping from one to the next in
 * an index that begins with the workspace, by one probe for each of them, however many rows it has. The last row is null.
 */
export const waitingWorkspaces = (table: string, condition = 'true') => `
  waiting as (
    (select workspace_id from ${table} where ${condition} order by workspace_id limit 1)
    union all
    select (select t.workspace_id from ${table} t
            where ${condition} and t.workspace_id > w.workspace_id order by t.workspace_id limit 1)
    from waiting w where w.workspace_id is not null
  )`;
