/**
 * Reads of stock lines. Each look-up is LATERAL with OFFSET 0: a probe of a primary key for every line of the
 * page, whatever a plan was made for. What has been received, shipped, reserved and ordered is kept beside the ledger
 * (ADR 62): one row for a line, however many movements it has.
 */

/** Of line `n`. $1 workspace. */
export const lineSums = `
  cross join lateral (
    select coalesce(sum(received), 0) as received, coalesce(sum(shipped), 0) as shipped,
           coalesce(sum(reserved), 0) as reserved, coalesce(sum(on_order), 0) as on_order
    from stock_line_total where workspace_id = $1 and line_id = n.id) s`;

/** Lines as `LineRow`, in the order of their ids. */
export const linesOf = (lines: string) => `
  select n.id, e.number, n.type, n.order_id, o.number as order_number, n.item_id, i.number as item_number,
         i.name as item_name, n.location_id, p.number as location_number, p.name as location_name, n.requirement_id, e.state, n.quantity,
         n.required_by::text as required_by, n.created_at, s.received, s.shipped, s.reserved, s.on_order
  from (${lines}) n
  cross join lateral (select number, state from entity where workspace_id = $1 and id = n.id offset 0) e
  left join lateral (select number from entity where workspace_id = $1 and id = n.order_id offset 0) o on true
  left join lateral (select number, name from entity where workspace_id = $1 and id = n.item_id offset 0) i on true
  left join lateral (select number, name from entity where workspace_id = $1 and id = n.location_id offset 0) p on true
  ${lineSums}
  order by n.id`;

/** $1 workspace, $2 id[]. */
export const selectLines = linesOf(`
  select l.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select * from stock_line where workspace_id = $1 and id = wanted.id offset 0) l`);

/** $1 workspace, $2 order, $3 lines at most. */
export const selectLinesOfOrder = linesOf(
  'select * from stock_line where workspace_id = $1 and order_id = $2 order by id limit $3',
);

/** What of these is a line or a requirement. $1 workspace, $2 entity id. */
export const selectSubject = `
  select 'line' as kind from stock_line where workspace_id = $1 and id = $2
  union all
  select 'requirement' from material_requirement where workspace_id = $1 and id = $2`;

/** $1 workspace, $2 id, $3 type, $4 order, $5 item, $6 location, $7 requirement, $8 quantity, $9 required by. */
export const insertLine = `
  insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, requirement_id, quantity, required_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** $1 workspace, $2 id, $3 quantity, $4 required by. */
export const updateLine = `
  update stock_line set quantity = $3, required_by = $4 where workspace_id = $1 and id = $2`;

const ofOwner = `n.type = any($4::text[]) and ($5::uuid is null or n.item_id = $5)
      and ($6::uuid is null or n.order_id = $6) and ($9::uuid is null or n.requirement_id = $9)`;
const fitting = `${ofOwner}
      and ($7::text is null or exists (
        select from entity where workspace_id = $1 and id = n.id and state = $7 offset 0))
      and cardinality($8::text[]) > 0 and ($10::date is null or n.required_by < $10)
      and ($11::date is null or n.required_by >= $11)
      and ($12::text is null or exists (
        select from order_supplier where workspace_id = $1 and order_id = n.order_id and key = $12 offset 0))`;

interface LinePath {
  /** Whose lines they are, or of which single type; an index has those of each in the order of their ids. */
  owner: 'item' | 'order' | 'requirement' | 'type' | null;
  state: boolean;
  /** With what no index has in this order: days that they are needed between, a supplier, two owners, an owner's of a type or with a state. */
  window: boolean;
}

const owners = {
  item: ['item_id', '$5::uuid'],
  order: ['order_id', '$6::uuid'],
  requirement: ['requirement_id', '$9::uuid'],
  type: ['type', '($4::text[])[1]'],
} as const;

function walkLines(by: LinePath, rows: string): string {
  const further = '($2::uuid is null or n.id > $2)';
  // All that a look of a bounded length passes counts for it, whether it fits or not.
  const wanted = by.window ? '' : `and ${fitting}`;
  if (by.owner !== null) {
    // As a range: no other index has this order, whatever the statistics say of the owner.
    const [column, owner] = owners[by.owner];
    return `
      select n.* from stock_line n
      where n.workspace_id = $1 and ${further} and n.${column} >= ${owner} and n.${column} <= ${owner} ${wanted}
      order by n.${column}, n.id limit ${rows}`;
  }
  if (!by.state) {
    return `
      select n.* from stock_line n where n.workspace_id = $1 and ${further} and n.type = any($4::text[]) ${wanted}
      order by n.id limit ${rows}`;
  }
  return `
    select n.* from (
      select e.id from category c
      cross join lateral (
        select id from entity
        where workspace_id = $1 and category = c.key and state >= $7 and state <= $7 and ($2::uuid is null or id > $2)
        order by category, state, id limit ${rows}) e
      where c.workspace_id = $1 and c.behaviour = any($8::text[])
      order by e.id limit ${rows}) found
    join stock_line n on n.workspace_id = $1 and n.id = found.id`;
}

/**
 * In order of their ids. $1 workspace, $2 id to go on behind or null, $3 rows, $4 types, $5 item or null,
 * $6 order or null, $7 state or null, $8 behaviours of the types, $9 requirement or null, $10 a date that it is needed
 * before or null, $11 one that it is needed from or null, $12 the key of its order's supplier or null; in a window $13 says how many lines are looked at. Each filter has its index; a state alone is found in
 * entity_state.
 */
export function selectLinePage(by: LinePath): string {
  return linesOf(
    by.window
      ? `select n.* from (${walkLines(by, '$13')}) n where ${fitting} order by n.id limit $3`
      : `select n.* from (${walkLines(by, '$3')}) n where ${fitting}`,
  );
}

/** The line at which such a look ends; no row where there are no more. $1 to $12 as above, $3 how many it passes. */
export function selectLineWindowEnd(by: LinePath): string {
  return `select n.id from (${walkLines(by, '$3')}) n
    where $4::text[] is not null and $5::uuid is not distinct from $5 and $6::uuid is not distinct from $6
      and $7::text is not distinct from $7 and $8::text[] is not null and $9::uuid is not distinct from $9
      and $10::date is not distinct from $10 and $11::date is not distinct from $11
      and $12::text is not distinct from $12
    order by n.id offset $3 - 1`;
}

/** Entries of a line behind an entry, in order. $1 workspace, $2 line, $3 entry id or null. */
export const lineEntries = 'l.workspace_id = $1 and l.line_id = $2 and ($3::uuid is null or l.id > $3)';

/** $1 workspace, $2 line. */
export const selectLastEntry = `
  select id from stock_ledger where workspace_id = $1 and line_id = $2 order by id desc limit 1`;
