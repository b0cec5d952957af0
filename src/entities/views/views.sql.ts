/** Saved views as they are stored. All statements take the workspace as $1. */

const shown = 'id, name, list, shared, settings, owner_id, owner_name, version, created_at, updated_at';

/**
 * The newest first: those of the owner and the shared ones, or all. $2 owner, $3 whether all, $4 list or null, $5 id to go on below
 * or null, $6 rows.
 */
export const selectViews = `
  select ${shown}, settings::text as weight from saved_view
  where workspace_id = $1 and ($3::boolean or shared or owner_id = $2) and ($4::text is null or list = $4)
    and ($5::uuid is null or id < $5)
  order by id desc limit $6`;

/** $2 id. */
export const selectView = `select ${shown} from saved_view where workspace_id = $1 and id = $2`;

/** $2 id. */
export const lockView = `${selectView} for update`;

export const countViews = 'select count(*)::int as present from saved_view where workspace_id = $1';

/** $2 id, $3 name, $4 list, $5 shared, $6 settings, $7 owner, $8 name of the owner. */
export const insertView = `
  insert into saved_view (workspace_id, id, name, list, shared, settings, owner_id, owner_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${shown}`;

/** $2 id, $3 name, $4 shared, $5 settings. */
export const updateView = `
  update saved_view set name = $3, shared = $4, settings = $5, version = version + 1, updated_at = now()
  where workspace_id = $1 and id = $2 returning ${shown}`;

/** $2 id. */
export const deleteView = 'delete from saved_view where workspace_id = $1 and id = $2';
