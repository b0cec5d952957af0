/**
 * $1 workspace. All configuration of a workspace as one row of three JSON arrays: one round trip and three
 * index ranges of a few dozen rows. Arrays of records, so that no key of a user's becomes a member name.
 */
export const selectConfiguration = `
  select
    (select coalesce(json_agg(json_build_object(
        'key', key, 'name', name, 'numbering', numbering, 'lifecycle', lifecycle, 'role', role,
        'behaviour', behaviour, 'hiddenFromNew', hidden_from_new, 'tabs', tabs) order by key), '[]')
     from category where workspace_id = $1) as categories,
    (select coalesce(json_agg(json_build_object(
        'key', key, 'name', name, 'initialState', initial_state, 'states', states,
        'transitions', transitions) order by key), '[]')
     from lifecycle where workspace_id = $1) as lifecycles,
    (select coalesce(json_agg(json_build_object(
        'key', key, 'name', name, 'type', type, 'used', used) order by key), '[]')
     from property_definition where workspace_id = $1) as properties`;
