/**
 * What makes a table a workspace's own: row-level security by `workspace_id` as the second wall behind the
 * predicate that every query carries anyway.
 */

/** The statements that put a table with a `workspace_id` column behind row-level security. */
export function grantTenantTable(table: string): string[] {
  return [
    `grant select, insert, update, delete on ${table} to partbook_app, partbook_system`,
    `alter table ${table} enable row level security`,
    // The sub-select makes the setting an InitPlan: read once a statement, not once a row.
    `create policy ${table}_of_workspace on ${table} to partbook_app
       using (workspace_id = (select nullif(current_setting('partbook.workspace_id', true), '')::uuid))
       with check (workspace_id = (select nullif(current_setting('partbook.workspace_id', true), '')::uuid))`,
    `create policy ${table}_of_instance on ${table} to partbook_system using (true) with check (true)`,
  ];
}
