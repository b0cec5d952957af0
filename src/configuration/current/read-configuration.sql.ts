/** $1 workspace. No row where nothing was ever configured. A probe of one row, by the triggers of the migration. */
export const selectConfigurationVersion = `
  select version from configuration_version where workspace_id = $1`;

/**
 * $1 workspace. All configuration of a workspace and its version, of one snapshot: index ranges of a few dozen rows,
 * each as JSON text, to be parsed by itself. Records, so that no key of a user's becomes a member name.
 */
export const selectConfiguration = `
  select 'category' as kind, key, json_build_object(
    'key', key, 'name', name, 'numbering', numbering, 'lifecycle', lifecycle, 'role', role,
    'behaviour', behaviour, 'hiddenFromNew', hidden_from_new, 'tabs', tabs, 'properties', properties, 'consume', consume,
    'unreleasedChildren', unreleased_children)::text as body
  from category where workspace_id = $1
  union all
  select 'lifecycle', key, json_build_object(
    'key', key, 'name', name, 'initialState', initial_state, 'states', states, 'transitions', transitions)::text
  from lifecycle where workspace_id = $1
  union all
  select 'property', key, json_build_object('key', key, 'name', name, 'type', type, 'used', used,
    'choices', details -> 'choices', 'unit', details -> 'unit', 'default', details -> 'default',
    'pattern', details -> 'pattern', 'requiredFrom', details -> 'requiredFrom')::text
  from property_definition where workspace_id = $1
  union all
  select 'stock', '', json_build_object('reserveReceived', reserve_received, 'overDeliveryPercent', over_delivery_percent,
    'adjustmentReasons', adjustment_reasons,
    'stockClosedUntil', closed_until,
    'costing', case when cost_method is not null then json_build_object('method', cost_method, 'currency', cost_currency) end,
    'workingDays', json_build_object('weekdays', weekdays, 'holidays', holidays))::text
  from stock_settings where workspace_id = $1
  union all
  select 'alias', a.guid::text, e.guid::text
  from entity_alias a cross join lateral (select guid from entity where workspace_id = $1 and id = a.entity_id offset 0) e
  where a.workspace_id = $1 and a.guid is not null and e.guid is not null
  union all
  select 'version', '', version::text from configuration_version where workspace_id = $1
  order by kind, key`;
