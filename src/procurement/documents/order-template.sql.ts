/** The one template of printed orders that a workspace has, or none. */

/** $1 workspace. */
export const selectTemplate = 'select template, version from order_template where workspace_id = $1';

/** $1 workspace, $2 template as JSON. */
export const saveTemplate = `
  insert into order_template as t (workspace_id, template) values ($1, $2)
  on conflict (workspace_id) do update set template = excluded.template, version = t.version + 1`;
