/** Import definitions as they are stored. All take the workspace as $1; changes hold the configuration lock. */

/** Selects by name. $2 name. */
export const selectDefinition = `
  select name, mapping, version, created_at, updated_at from import_definition where workspace_id = $1 and name = $2`;

/** Selects definitions in order of names. $2 name to go on behind or null, $3 rows. */
export const selectDefinitions = `
  select name, mapping, version, created_at, updated_at, mapping::text as weight
  from import_definition where workspace_id = $1 and ($2::text is null or name > $2) order by name limit $3`;

/** How many there are, and whether one has that name. $2 name. */
export const countDefinitions = `
  select count(*)::int as present, coalesce(bool_or(name = $2), false) as taken
  from import_definition where workspace_id = $1`;

/** $2 name, $3 mapping. */
export const insertDefinition = `
  insert into import_definition (workspace_id, name, mapping) values ($1, $2, $3)
  returning name, mapping, version, created_at, updated_at`;

/** $2 name, $3 mapping. */
export const updateDefinition = `
  update import_definition set mapping = $3, version = version + 1, updated_at = now()
  where workspace_id = $1 and name = $2
  returning name, mapping, version, created_at, updated_at`;

/** $2 name. */
export const deleteDefinition = `delete from import_definition where workspace_id = $1 and name = $2`;
