/** SQL that gives names to those on a circle. */

/**
 * Selects the names that people use for these entities: the GUID, or the id if there is none (see `linksAbove`). $1
 * workspace, $2 guid[].
 */
export const selectNames = `
  select g.guid, e.label
  from unnest($2::uuid[]) as g (guid)
  cross join lateral (
    select coalesce(number, name) as label from entity where workspace_id = $1 and guid = g.guid
    union all
    select coalesce(number, name) from entity where workspace_id = $1 and id = g.guid
    limit 1) as e`;
