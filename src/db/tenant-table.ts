/** The SQL that migrations need for each table of a workspace, and for each function. */

/**
 * The condition under which partbook_app sees a row: it belongs to the workspace of the transaction. The sub-select makes the setting
 * an InitPlan, which PostgreSQL reads once a statement, not once a row.
 */
const ofWorkspace = `workspace_id = (select nullif(current_setting('partbook.workspace_id', true), '')::uuid)`;

/**
 * The condition under which partbook_system sees a row: its workspace is active here. Rows of a workspace that is being moved, or has
 * been, are hidden (`workspace.state`). There is nearly always none, and the sub-select runs once a statement.
 */
const restingHidden = `workspace_id <> all (array(select id from workspace where state <> 'active'))`;

/**
 * Puts a table with a `workspace_id` column behind row-level security, which backs up the predicate that every query carries
 * anyway. It also keeps the planner from learning which workspaces there were at the last ANALYZE.
 */
export function grantTenantTable(table: string): string[] {
  return [
    `grant select, insert, update, delete on ${table} to partbook_app, partbook_system`,
    `alter table ${table} enable row level security`,
    `create policy ${table}_of_workspace on ${table} to partbook_app using (${ofWorkspace}) with check (${ofWorkspace})`,
    `create policy ${table}_of_instance on ${table} to partbook_system using (${restingHidden}) with check (${restingHidden})`,
    // With statistics of this column, the planner believes that a workspace made since then has no rows, and any index led by
    // workspace_id looks as good as the right one. What it is told instead is in workspace-statistics.ts.
    `alter table ${table} alter column workspace_id set statistics 0`,
  ];
}

/** Lets only these roles call a function; without roles, only the owner and triggers. */
export function grantFunction(name: string, ...roles: ('partbook_app' | 'partbook_system')[]): string {
  const revoke = `revoke all on function ${name} from public`;
  return roles.length === 0 ? revoke : `${revoke}; grant execute on function ${name} to ${roles.join(', ')}`;
}
