/**
 * What makes a table a workspace's own: row-level security by `workspace_id` as the second wall behind the
 * predicate that every query carries anyway, and plans that do not depend on which workspaces were there when
 * the table was last analysed.
 */

/**
 * What the role of the instance sees: rows of all workspaces but of those that are being taken elsewhere, or are there already
 * (`workspace.state`). Nearly always there is none, and the sub-select is made once a statement.
 */
export const restingHidden = `workspace_id <> all (array(select id from workspace where state <> ''active''))`;

/** The statements that put a table with a `workspace_id` column behind row-level security and give it its plans. */
export function grantTenantTable(table: string): string[] {
  return [
    `grant select, insert, update, delete on ${table} to partbook_app, partbook_system`,
    `alter table ${table} enable row level security`,
    // The sub-select makes the setting an InitPlan: read once a statement, not once a row.
    `create policy ${table}_of_workspace on ${table} to partbook_app
       using (workspace_id = (select nullif(current_setting('partbook.workspace_id', true), '')::uuid))
       with check (workspace_id = (select nullif(current_setting('partbook.workspace_id', true), '')::uuid))`,
    `create policy ${table}_of_instance on ${table} to partbook_system using (true) with check (true)`,
    // Migrations that made tables before workspaces had a state come before the one that hides all those that rest.
    `do $do$
     begin
       if exists (select from pg_attribute where attrelid = 'workspace'::regclass and attname = 'state') then
         execute 'alter policy ${table}_of_instance on ${table} using (${restingHidden}) with check (${restingHidden})';
       end if;
     end $do$`,
    // Statistics of this column would tell the planner that a workspace made since then has no rows: any index led
    // by workspace_id then looks as good as the right one. What it knows instead is told it (workspace-statistics.ts).
    `alter table ${table} alter column workspace_id set statistics 0`,
  ];
}
