/**
 * Reads of stock lines. Each look-up is LATERAL with OFFSET 0: a probe of a primary key for every line of the
 * page, whatever a plan was made for. What has been received, shipped, reserved and ordered is kept beside the ledger
 * (ADR 62): one row for a line, however many movements it has.
 */
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';
import { termsColumnsShown, termsOfLine } from './suppliers/purchase-terms.sql.ts';

/** Sums of line `n`. $1 workspace. */
export const lineSums = `
  cross join lateral (
    select coalesce(sum(received), 0) as received, coalesce(sum(shipped), 0) as shipped,
           coalesce(sum(reserved), 0) as reserved, coalesce(sum(on_order), 0) as on_order,
           coalesce(sum(returned), 0) as returned, coalesce(sum(ordered_for), 0) as ordered_for,
           coalesce(sum(received_for), 0) as received_for, coalesce(sum(returned_for), 0) as returned_for
    from stock_line_total where workspace_id = $1 and line_id = n.id) s`;

/** The quantity that is still to be received or shipped of line `n` with sums `s`: `openOf` in SQL. */
export const openOfLine = `case when n.type <> 'salesOrder' and s.on_order > 0
    then greatest(0, least(s.on_order, n.quantity - s.received + s.returned))
    else greatest(0, n.quantity - s.received - s.shipped) end`;

/** Lines as `LineRow`, in the order of their ids unless another is said. */
export const linesOf = (lines: string, order = 'n.id') => `
  select n.id, e.number, n.type, n.order_id, o.number as order_number, u.name as supplier, n.item_id, i.number as item_number,
         i.name as item_name, i.picture as item_picture,
         coalesce(n.item_revision, i.revision_number) as shown_revision, ${baseUnitOf('n.item_id')} as unit, n.location_id, p.number as location_number, p.name as location_name, n.requirement_id, e.state, n.quantity,
         n.over_delivery_percent, n.allow_backorder, n.required_by::text as required_by, n.promises, n.item_revision,
         ${termsColumnsShown}, n.entered_quantity, n.entered_unit, n.unit_numerator::text as unit_numerator, n.unit_denominator::text as unit_denominator, n.created_at, s.received, s.shipped,
         s.reserved, s.on_order, s.returned, s.ordered_for, s.received_for, s.returned_for
  from (${lines}) n
  cross join lateral (select number, state from entity where workspace_id = $1 and id = n.id offset 0) e
  left join lateral (select number from entity where workspace_id = $1 and id = n.order_id offset 0) o on true
  left join lateral (
    select name from order_supplier
    where n.type = 'purchaseOrder' and workspace_id = $1 and order_id = n.order_id offset 0) u on true
  ${termsOfLine}
  left join lateral (
    select number, name, encode(picture, 'hex') as picture, revision_number from entity
    where workspace_id = $1 and id = n.item_id offset 0) i on true
  left join lateral (select number, name from entity where workspace_id = $1 and id = n.location_id offset 0) p on true
  ${lineSums}
  order by ${order}`;

/** $1 workspace, $2 id[]. */
export const selectLines = linesOf(`
  select l.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select * from stock_line where workspace_id = $1 and id = wanted.id offset 0) l`);

/** $1 workspace, $2 order, $3 lines at most. */
export const selectLinesOfOrder = linesOf(
  'select * from stock_line where workspace_id = $1 and order_id = $2 order by id limit $3',
);

/** Whether the entity is a line, a requirement or an order. $1 workspace, $2 entity id. */
export const selectSubject = `
  select 'line' as kind from stock_line where workspace_id = $1 and id = $2
  union all
  select 'requirement' from material_requirement where workspace_id = $1 and id = $2
  union all
  select 'order' from entity e join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2 and c.behaviour in ('purchaseOrder', 'salesOrder', 'manufacturingOrder')`;

/** A line of the order of which something has come or gone out. $1 workspace, $2 order. */
export const selectDelivered = `
  select n.type from stock_line n
  where n.workspace_id = $1 and n.order_id = $2 and exists (
    select from stock_line_total
    where workspace_id = $1 and line_id = n.id and (received <> 0 or shipped <> 0) offset 0)
  limit 1`;

/**
 * $1 workspace, $2 id, $3 quantity, $4 required by, $5 over-delivery in percent, $6 quantity as it was entered, $7 its unit, $8 numerator and
 * $9 denominator of its factor, $10 promises as JSON or null.
 */
export const updateLine = `
  update stock_line set quantity = $3, required_by = $4, over_delivery_percent = $5, entered_quantity = $6, entered_unit = $7,
      unit_numerator = $8, unit_denominator = $9, promises = $10
  where workspace_id = $1 and id = $2`;

/** Entries of a line behind an entry, in order. $1 workspace, $2 line, $3 entry id or null. */
export const lineEntries = 'l.workspace_id = $1 and l.line_id = $2 and ($3::uuid is null or l.id > $3)';

/** $1 workspace, $2 line. */
export const selectLastEntry = `
  select id from stock_ledger where workspace_id = $1 and line_id = $2 order by id desc limit 1`;
