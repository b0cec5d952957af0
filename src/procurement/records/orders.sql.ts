/** Reads of orders: entities of the order categories, with the sums of their lines. */
import { hasWords } from '../../entities/lists/search-patterns.ts';
import type { Direction } from '../../http/list.ts';
import type { LineType } from '../../stock/entries/line-rules.ts';
import type { Among } from './find-by-text.ts';
import { finalStates } from './line.ts';
import { lineSums, openOfLine } from './lines.sql.ts';
import { amountsOfOrder } from './suppliers/purchase-terms.sql.ts';

export interface OrderRow {
  id: string;
  type: LineType;
  number: string | null;
  name: string;
  state: string;
  created_at: string;
  supplier: string | null;
  lines: number;
  open_lines: number;
  quantity: string;
  received: string;
  shipped: string;
  reserved: string;
  open: string;
  returned: string;
  /** Lines that are not cancelled, and those of them that have a price. */
  live_lines: number;
  priced_lines: number;
  amounts: { currency: string; amount: string }[];
  customer: string | null;
  ours: string | null;
  theirs: string | null;
}

const finals = [...finalStates].map((state) => `'${state}'`).join(', ');

const shown = (orders: string, order: 'asc' | 'desc' = 'asc') => `
  select o.id, o.type, o.number, o.name, o.state, o.created_at, u.name as supplier, r.customer, r.ours, r.theirs, m.*, t.*
  from (${orders}) o
  left join lateral (select name from order_supplier where workspace_id = $1 and order_id = o.id offset 0) u on true
  left join lateral (select customer, ours, theirs from order_reference where workspace_id = $1 and order_id = o.id offset 0) r on true
  ${amountsOfOrder}
  cross join lateral (
    select count(*)::int as lines, (count(*) filter (where n.state <> 'Cancelled'))::int as live_lines, (count(*) filter (where n.open > 0))::int as open_lines,
           coalesce(sum(n.quantity) filter (where n.state <> 'Cancelled'), 0) as quantity,
           coalesce(sum(n.received), 0) as received, coalesce(sum(n.shipped), 0) as shipped,
           coalesce(sum(n.reserved), 0) as reserved, coalesce(sum(n.open), 0) as open,
           coalesce(sum(n.returned), 0) as returned
    from (
      select n.quantity, e.state, s.*,
             case when e.state in (${finals}) then 0
                  else ${openOfLine} end as open
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

/** The tables in which orders name their supplier or customer, and the keys of the names. */
const parties = {
  supplier: { table: 'order_supplier', key: 'key' },
  customer: { table: 'order_reference', key: 'customer_key' },
} as const;
export type Party = keyof typeof parties;

/** The key that spellings of a customer share, as `customer_key` has it. $1 name. */
export const selectCustomerKey = `select lower(normalize(regexp_replace(btrim($1::text), '\\s+', ' ', 'g'), NFC)) as key`;

/** Orders of one supplier or customer likewise, under each of its names. What is no order any more counts among those that are looked at. */
function walkParty(party: Party, { beyond, order }: Direction, rows: string, keys: string): string {
  const { table, key } = parties[party];
  return `
    select e.*, c.behaviour as type from (
      select s.order_id from unnest(${keys}) as k (key)
      cross join lateral (
        select order_id from ${table}
        where workspace_id = $1 and ${key} >= k.key and ${key} <= k.key and ($2::uuid is null or order_id ${beyond} $2)
        order by ${key} ${order}, order_id ${order} limit ${rows}) s
      order by s.order_id ${order} limit ${rows}) s
    cross join lateral (
      select id, number, name, state, created_at, category from entity
      where workspace_id = $1 and id = s.order_id offset 0) e
    left join lateral (select behaviour from category where workspace_id = $1 and key = e.category offset 0) c on true
    order by e.id ${order}`;
}

/**
 * Whether an order has a line that is open, and required on such a day where one is given. Each look is a probe, for as many orders as a
 * page looks at. Of whatever `id` is of.
 */
const isDue = `((not $11::boolean and $9::date is null and $10::date is null) or exists (
  select from stock_line n
  cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) l
  where n.workspace_id = $1 and n.order_id = o.id and ($9 is null or n.required_by >= $9)
    and ($10 is null or n.required_by < $10) and l.state not in (${finals})
  offset 0))`;

/**
 * Orders with a line that is required on such a day, of the first lines of those days: who gets fewer than were asked for has them all.
 * $1 workspace, $2 from that day on or null, $3 before that day or null, $4 lines.
 */
export const selectDueOrders = `
  select order_id as id from stock_line
  where workspace_id = $1 and required_by is not null
    and ($2::date is null or required_by >= $2) and ($3::date is null or required_by < $3)
  order by required_by, id limit $4`;

/**
 * Selects orders with an open line: a range of entity_state for each state of a line that is not final. Finished
 * lines are not read, however many there are. A row without an order counts too. $1 workspace, $2 behaviours of the
 * lines, $3 lines.
 */
export const selectOpenOrders = `
  select n.order_id as id from (
    select e.id from category c
    join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
    cross join lateral (select o.state ->> 'name' as name from jsonb_array_elements(l.states) o (state)
                        where o.state ->> 'name' not in (${finals})) s
    cross join lateral (
      select id from entity
      where workspace_id = $1 and category = c.key and state >= s.name and state <= s.name
      order by category, state, id limit $3) e
    where c.workspace_id = $1 and c.behaviour = any($2::text[])
    limit $3) found
  left join lateral (select order_id from stock_line where workspace_id = $1 and id = found.id offset 0) n on true`;

export interface OrderPath {
  state: boolean;
  /** The side by which orders are chosen; null: orders are not chosen by one. */
  party: Party | null;
  among: Among;
}

/**
 * $1 workspace, $2 id to go on behind or null, $3 rows, $4 types, $5 state or null. But for all as they come: $6 a text or null,
 * or the entities that are looked at; $7 how many orders are looked at, $8 the keys of a supplier or customer, or null, $9 and $10 the days that an open line
 * is required from and before, or null, $11 whether one must be open.
 */
export function selectOrderPage(by: OrderPath, direction: Direction): string {
  const { beyond, order } = direction;
  if (by.among === 'all') return shown(walkOrders(by.state, direction, '$3'), order);
  if (by.among === 'window') {
    const walked = by.party
      ? walkParty(by.party, direction, '$7', '$8::text[]')
      : walkOrders(by.state, direction, '$7');
    return shown(
      `select * from (${walked}) o
       where type = any($4::text[]) and ($5::text is null or state = $5) and $8::text[] is not distinct from $8
         and ($6::text is null or ${hasWords('$6')}) and ${isDue}
       order by id ${order} limit $3`,
      order,
    );
  }
  const { table, key } = parties[by.party ?? 'supplier'];
  return shown(
    `select o.*, c.behaviour as type from unnest($6::uuid[]) as found (id)
     cross join lateral (
       select id, number, name, state, created_at, category from entity
       where workspace_id = $1 and id = found.id offset 0) o
     join category c on c.workspace_id = $1 and c.key = o.category
     where c.behaviour = any($4::text[]) and ($5::text is null or o.state = $5)
       and ($2::uuid is null or o.id ${beyond} $2) and $7::int > 0
       and ($8::text[] is null or exists (
         select from ${table} where workspace_id = $1 and order_id = o.id and ${key} = any($8) offset 0))
       and ${isDue}
     order by o.id ${order} limit $3`,
    order,
  );
}

/** The order at which such a look ends; no row where there are no more. $1 to $5 as above, and $3 how many it passes. */
export function selectOrderWindowEnd(byState: boolean, direction: Direction): string {
  return `select id from (${walkOrders(byState, direction, '$3')}) w offset $3 - 1`;
}

/** Selects the window end for one supplier or customer. $1 workspace, $2 id or null, $3 rows to pass, $4 its keys. */
export function selectPartyWindowEnd(party: Party, direction: Direction): string {
  return `select id from (${walkParty(party, direction, '$3', '$4::text[]')}) w offset $3 - 1`;
}

/** $1 workspace, $2 line. */
export const selectOrderOfLine = `
  select e.id, e.number, e.state from stock_line n join entity e on e.workspace_id = $1 and e.id = n.order_id
  where n.workspace_id = $1 and n.id = $2`;
