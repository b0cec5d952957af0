/** The figures of items, lines and requirements after a transaction, for its events. Each look-up is a probe, as in lists of lines. */

/** $1 workspace, $2 item[]. */
export const selectItemTotals = `
  select e.id as "entityId", e.number as "entityNumber", e.category as "categoryKey", t.on_hand as "onHand", t.reserved, t.available,
         t.on_order as "onOrder"
  from unnest($2::uuid[]) as i (id)
  cross join lateral (select id, number, category from entity where workspace_id = $1 and id = i.id offset 0) e
  cross join lateral (
    select coalesce(sum(on_hand), 0)::float8 as on_hand, coalesce(sum(reserved), 0)::float8 as reserved,
           coalesce(sum(on_hand - reserved), 0)::float8 as available, coalesce(sum(on_order), 0)::float8 as on_order
    from stock_position where workspace_id = $1 and item_id = i.id) t
  order by e.id`;

/** Events of those that are lines or requirements, in the order of their ids. $1 workspace, $2 id[]. */
export const selectProcured = `
  select n.id, json_build_object(
    'kind', 'line', 'entityId', n.id, 'entityNumber', e.number, 'categoryKey', e.category, 'state', e.state, 'type', n.type,
    'orderId', n.order_id, 'projectId', null, 'itemEntityId', n.item_id, 'locationEntityId', n.location_id,
    'requirementId', n.requirement_id, 'lineId', null, 'requiredBy', n.required_by, 'quantity', n.quantity::float8,
    'reservedQty', s.reserved, 'orderedQty', s.on_order, 'receivedQty', s.received, 'issuedQty', s.shipped,
    'returnedQty', s.returned) as event
  from unnest($2::uuid[]) as i (id)
  cross join lateral (select * from stock_line where workspace_id = $1 and id = i.id offset 0) n
  cross join lateral (select number, category, state from entity where workspace_id = $1 and id = i.id offset 0) e
  cross join lateral (
    select coalesce(sum(received), 0)::float8 as received, coalesce(sum(shipped), 0)::float8 as shipped,
           coalesce(sum(reserved), 0)::float8 as reserved, coalesce(sum(on_order), 0)::float8 as on_order,
           coalesce(sum(returned), 0)::float8 as returned
    from stock_line_total where workspace_id = $1 and line_id = n.id) s
  union all
  select r.id, json_build_object(
    'kind', 'requirement', 'entityId', r.id, 'entityNumber', e.number, 'categoryKey', e.category, 'state', e.state, 'type', null,
    'orderId', null, 'projectId', r.project_id, 'itemEntityId', r.item_id, 'locationEntityId', null,
    'requirementId', null, 'lineId', r.line_id, 'requiredBy', r.required_by, 'quantity', r.quantity::float8,
    'reservedQty', s.reserved, 'orderedQty', s.ordered, 'receivedQty', s.received, 'issuedQty', s.issued,
    'returnedQty', s.returned) as event
  from unnest($2::uuid[]) as i (id)
  cross join lateral (select * from material_requirement where workspace_id = $1 and id = i.id offset 0) r
  cross join lateral (select number, category, state from entity where workspace_id = $1 and id = i.id offset 0) e
  cross join lateral (
    select coalesce(sum(reserved), 0)::float8 as reserved, coalesce(sum(issued), 0)::float8 as issued,
           coalesce(sum(ordered), 0)::float8 as ordered, coalesce(sum(received), 0)::float8 as received,
           coalesce(sum(returned), 0)::float8 as returned
    from stock_requirement_total where workspace_id = $1 and requirement_id = r.id) s
  order by 1`;

/**
 * Requests a look at each of the items that has planning. $1 workspace, $2 item[], $3 id[] of lines and requirements, $4 id of the look, $5
 * depth, $6 the run that caused it, $7 the row that its chain began with.
 */
export const insertLooks = `
  insert into reorder_look (workspace_id, item_id, id, depth, run_id, root_id)
  select $1, changed.item_id, $4, $5, $6, $7
  from (
    select unnest($2::uuid[]) as item_id
    union
    select own.item_id from unnest($3::uuid[]) as p (id)
    cross join lateral (
      select item_id from stock_line where workspace_id = $1 and id = p.id
      union all
      select item_id from material_requirement where workspace_id = $1 and id = p.id
      offset 0) own) changed
  where exists (select from item_planning where workspace_id = $1 and item_id = changed.item_id offset 0)
  on conflict do nothing`;
