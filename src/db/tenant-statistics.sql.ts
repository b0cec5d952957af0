/**
 * Tells the planner that a workspace may be all of the table (docs/adr/0045-a-workspace-may-be-all-of-its-table.md): what ANALYZE
 * gathers of the column tells it that a workspace made since then has no rows, and then any index led by `workspace_id`
 * looks as good as the right one.
 */
export const tellOfWorkspaces = (table: string) => `
  select pg_restore_attribute_stats('schemaname', 'public', 'relname', '${table}', 'attname', 'workspace_id',
    'inherited', (select relkind = 'p' from pg_class where oid = '${table}'::regclass),
    'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)`;
