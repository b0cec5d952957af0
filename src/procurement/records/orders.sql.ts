/** Reads of orders: entities of the order categories, with the sums of their lines. */
import type { Direction } from '../../http/list.ts';
import type { Among } from './find-by-text.ts';
import type { LineType } from './line.ts';
import { lineSums } from './lines.sql.ts';

export interface OrderRow {
  id: string;
  type: LineType;
  number: string | null;
  name: string;
  state: string;
  created_at: string;
  lines: number;
  open_lines: number;
  quantity: string;
  received: string;
  shipped: string;
  reserved: string;
  open: string;
}

const shown = (orders: string, order: 'asc' | 'desc' = 'asc') => `
  select o.id, o.type, o.number, o.name, o.state, o.created_at, t.*
  from (${orders}) o
  cross join lateral (
    select count(*)::int as lines, (count(*) filter (where n.open > 0))::int as open_lines,
           coalesce(sum(n.quantity) filter (where n.state <> 'Cancelled'), 0) as quantity,
           coalesce(sum(n.received), 0) as received, coalesce(sum(n.shipped), 0) as shipped,
           coalesce(sum(n.reserved), 0) as reserved, coalesce(sum(n.open), 0) as open
    from (
      select n.quantity, e.state, s.*,
             case when e.state in ('Received', 'Shipped', 'Closed', 'Cancelled') then 0
                  else n.quantity - s.received - s.shipped end as open
      from stock_line n
      cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
      ${lineSums}
      where n.workspace_id = $1 and n.order_id = o.id) n) t
  order by o.id ${order}`;

/** Without its lines. $1 workspace, $2 id. */
export const selectOrderType = `
  select c.behaviour as type from entity e join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2 and c.behaviour in ('purchaseOrder', 'salesOrder', 'manufacturingOrder')`;

/** $1 workspace, $2 id. */
export const selectOrder = shown(`
  select e.*, c.behaviour as type from entity e join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2 and c.behaviour in ('purchaseOrder', 'salesOrder', 'manufacturingOrder')`);

/** Orders in the order of their ids: a merge of one index range for each category and state that an order can have. */
function walkOrders(byState: boolean, { beyond, order }: Direction, rows: string): string {
  const states = byState
    ? 'cross join lateral (select $5::text as name) s'
    : `join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
       cross join lateral (select o.state ->> 'name' as name from jsonb_array_elements(l.states) o (state)
                           where $5::text is null) s`;
  return `
    select e.*, c.behaviour as type from category c
    ${states}
    cross join lateral (
      select id, number, name, state, created_at from entity
      where workspace_id = $1 and category = c.key and state >= s.name and state <= s.name
        and ($2::uuid is null or id ${beyond} $2)
      order by category ${order}, state ${order}, id ${order} limit ${rows}) e
    where c.workspace_id = $1 and c.behaviour = any($4::text[])
    order by e.id ${order} limit ${rows}`;
}

/**
 * $1 workspace, $2 id to go on behind or null, $3 rows, $4 types, $5 state or null; with a text $6 its patterns, or the
 * entities that have it, and $7 how many orders are looked at.
 */
export function selectOrderPage(by: { state: boolean; among: Among }, direction: Direction): string {
  const { beyond, order } = direction;
  if (by.among === 'all') return shown(walkOrders(by.state, direction, '$3'), order);
  if (by.among === 'window') {
    return shown(
      `select * from (${walkOrders(by.state, direction, '$7')}) w
       where coalesce(number, '') || ' ' || name ilike any($6::text[]) order by id ${order} limit $3`,
      order,
    );
  }
  return shown(
    `select e.*, c.behaviour as type from unnest($6::uuid[]) as found (id)
     cross join lateral (
       select id, number, name, state, created_at, category from entity
       where workspace_id = $1 and id = found.id offset 0) e
     join category c on c.workspace_id = $1 and c.key = e.category
     where c.behaviour = any($4::text[]) and ($5::text is null or e.state = $5)
       and ($2::uuid is null or e.id ${beyond} $2) and $7::int > 0
     order by e.id ${order} limit $3`,
    order,
  );
}

/** The order at which such a look ends; no row where there are no more. As above, and $3 how many it passes. */
export function selectOrderWindowEnd(byState: boolean, direction: Direction): string {
  return `select id from (${walkOrders(byState, direction, '$3')}) w offset $3 - 1`;
}

/** $1 workspace, $2 line. */
export const selectOrderOfLine = `
  select e.id, e.number, e.state from stock_line n join entity e on e.workspace_id = $1 and e.id = n.order_id
  where n.workspace_id = $1 and n.id = $2`;
