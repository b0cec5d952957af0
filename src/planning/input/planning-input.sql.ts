/**
 * Statements that read the input of a planning run, in windows of a key: one statement for many rows, and never all of them in memory. Lines and requirements are
 * read in a second form too, of chosen items, with which a commit finds out whether anything has moved. All take the workspace as $1.
 */

import type { LinkLine, Substitute } from '../../entities/links/link-line.ts';
import { newestReleased } from '../../entities/structure/configured-uses.sql.ts';
import { linksInBaseUnits, revisionLinksInBaseUnits } from '../../entities/units/base-quantity.sql.ts';
import { lineSums, openOfLine } from '../../procurement/records/lines.sql.ts';
import { partsOfLine } from './parts-of-line.sql.ts';

/** Categories whose entities are items, in the order of their keys. */
export const selectItemCategories = `
  select key from category where workspace_id = $1 and role in ('item', 'itemAndLocation') order by key`;

/**
 * The revision of `e` whose structure is planned; null: the current one. $2 and $3 categories and states in which entities are released, null
 * unless released structures are planned; $4 and $5 items and their revisions in a what-if run, side by side.
 */
const plannedRevision = `
  coalesce(
    case when cardinality($4::uuid[]) > 0 then (
      select w.revision from unnest($4::uuid[], $5::int[]) as w (id, revision) where w.id = e.id limit 1) end,
    case when $2::text[] is not null then ${newestReleased('e', { categories: '$2', states: '$3' })} end)`;
const keptRevision = `nullif(${plannedRevision}, e.revision_number)`;

const revised = 'id, category, state, revision_number, archived_at';

/**
 * Entities of the categories $6, and projects that are planned as a whole: id, place of the category from 1 or 0, whether it is archived, the
 * revision whose structure is kept or null.
 */
const planEntities = (entities: string, more = '') => `
  select e.id, coalesce(array_position($6::text[], e.category), 0), e.archived_at is not null, nullif(e.planned, e.revision_number)${more}
  from (select e.*, ${plannedRevision} as planned from (${entities}) e offset 0) e
  order by e.id`;

/** $2 to $5 as above, $6 categories, $7 projects, $8 id behind which, $9 rows. */
export const selectEntities = planEntities(
  `select ${revised} from entity
   where workspace_id = $1 and id > $8 and (category = any($6::text[]) or id = any($7::uuid[])) order by id limit $9`,
);

/** $2 to $5 as above, $6 categories, $7 projects, $8 item[]. Their components are not read: the rows say whether there are any. */
export const selectEntitiesOfItems = planEntities(
  `select e.* from unnest($8::uuid[]) as i (id)
   cross join lateral (
     select ${revised} from entity
     where workspace_id = $1 and id = i.id and (category = any($6::text[]) or id = any($7::uuid[])) offset 0) e`,
  `,
         case when nullif(e.planned, e.revision_number) is null
              then exists (select from entity_link where workspace_id = $1 and parent_id = e.id offset 0)
              else exists (
                select from entity_revision_link
                where workspace_id = $1 and entity_id = e.id and revision_number = e.planned offset 0) end`,
);

const planningColumns = `item_id, version, policy = 'none', make_or_buy = 'make', case when policy <> 'demand' then reorder_point end,
         safety, maximum, minimum, multiple, lead_time_days, supplier_part_id, location_id`;

/** $2 item behind which, $3 rows. */
export const selectItemPlanning = `
  select ${planningColumns} from item_planning where workspace_id = $1 and item_id > $2 order by item_id limit $3`;

/** $2 item[]. */
export const selectItemPlanningOfItems = `
  select p.* from unnest($2::uuid[]) as i (id)
  cross join lateral (select ${planningColumns} from item_planning where workspace_id = $1 and item_id = i.id offset 0) p`;

export interface LinkRow {
  parent_id: string;
  child_id: string;
  quantity: string;
  line: LinkLine | null;
}

/** Fields that planning does not need are left out. */
const linkColumns = (parent = 'parent_id') => `${parent} as parent_id, child_id, quantity,
         case when line ?| array['lossPercent', 'lossFixed', 'phantom', 'substitutes', 'lines'] then line end as line`;

/** Links by parent as `PackedLinks`, in binary form. $2 parent and $3 child behind which, $4 links. */
export const selectLinks = `
  select parent_id, string_agg(uuid_send(child_id), '') as children, string_agg(numeric_send(quantity), '') as quantities,
         json_object_agg(child_id, line) filter (where line is not null) as lines
  from (
    select ${linkColumns()} from ${linksInBaseUnits} k
    where workspace_id = $1 and (parent_id, child_id) > ($2::uuid, $3::uuid) order by parent_id, child_id limit $4) l
  group by parent_id order by parent_id`;

/** Links of earlier revisions. $2 parent[] and $3 revision[], side by side. */
export const selectKeptLinks = `
  select k.* from unnest($2::uuid[], $3::int[]) as i (id, revision)
  cross join lateral (
    select ${linkColumns('entity_id')} from ${revisionLinksInBaseUnits} l
    where workspace_id = $1 and entity_id = i.id and revision_number = i.revision offset 0) k
  order by parent_id, child_id`;

/** Links up from children. $2 child[], $3 rows. */
export const selectLinksUp = `
  select k.* from unnest($2::uuid[]) as i (id)
  cross join lateral (
    select ${linkColumns()} from ${linksInBaseUnits} l where workspace_id = $1 and child_id = i.id offset 0) k
  limit $3`;

/** Reads the same of parents in the revisions that are planned. $2 to $5 as above, $6 child[], $7 rows. */
export const selectPlannedLinksUp = `
  select k.parent_id, k.child_id, k.quantity, k.line from unnest($6::uuid[]) as i (id)
  cross join lateral (
    select 0 as revision, ${linkColumns()} from ${linksInBaseUnits} l where workspace_id = $1 and child_id = i.id
    union all
    select revision_number, ${linkColumns('entity_id')} from ${revisionLinksInBaseUnits} l
    where workspace_id = $1 and child_id = i.id offset 0) k
  cross join lateral (select ${revised} from entity where workspace_id = $1 and id = k.parent_id offset 0) e
  where coalesce(${keptRevision}, 0) = k.revision
  limit $7`;

export interface StockRow {
  item_id: string;
  available: string;
}

/** Only these locations count; $2 is null where all do. */
const isHere = (location: string, locations = '$2') =>
  `(${locations}::uuid[] is null or ${location} = any(${locations}::uuid[]))`;

/** $2 locations or null, $3 item behind which, $4 rows. */
export const selectStock = `
  select item_id, sum(on_hand - reserved)::numeric(30, 6) as available from stock_position
  where workspace_id = $1 and item_id > $3 and ${isHere('location_id')} group by item_id order by item_id limit $4`;

/** Goods between two locations are there today. $2 to $4 as above. */
export const selectTransit = `
  select item_id, sum(in_transit)::numeric(30, 6) as available from stock_transit
  where workspace_id = $1 and item_id > $3 and closed_at is null and ${isHere('to_id')} group by item_id order by item_id limit $4`;

/** Both of items. $2 locations or null, $3 item[]. */
export const selectStockOfItems = `
  select i.id as item_id, (p.available + t.available)::numeric(30, 6) as available from unnest($3::uuid[]) as i (id)
  cross join lateral (
    select coalesce(sum(on_hand - reserved), 0) as available from stock_position
    where workspace_id = $1 and item_id = i.id and ${isHere('location_id')}) p
  cross join lateral (
    select coalesce(sum(in_transit), 0) as available from stock_transit
    where workspace_id = $1 and item_id = i.id and closed_at is null and ${isHere('to_id')}) t`;

export interface LineRow {
  id: string;
  item_id: string;
  is_supply: boolean;
  /** Days from the day of the run; null: it has no date. */
  day: number | null;
  /** Quantity to come or to go; null for a line that has ended or is elsewhere, and for a draft of a sales line. */
  quantity: string | null;
  explodes: boolean;
}

/**
 * Selects lines, in a row for each part that was promised and has not come. What a sales line has reserved is not available already. A manufacturing line
 * without requirements still needs its components.
 */
const planLines = (lines: string) => `
  select n.id, n.item_id, n.type <> 'salesOrder' as is_supply,
         case when n.promises is null then n.required_by - $3::date else p.day end as day,
         case when n.promises is null then w.open else p.quantity end as quantity,
         n.type = 'manufacturingOrder' and not exists (
           select from material_requirement where workspace_id = $1 and line_id = n.id offset 0) as explodes
  from (${lines}) n
  cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
  ${lineSums}
  cross join lateral (
    select case when ${isHere('n.location_id')}
                  and (e.state in ('Ordered', 'Reserved') or (e.state = 'Draft' and n.type <> 'salesOrder'))
                then (${openOfLine} - case when n.type = 'salesOrder' then s.reserved else 0 end)::numeric(30, 6) end as open) w
  left join lateral (${partsOfLine}) p on n.promises is not null and w.open is not null and (p.quantity > 0 or p.is_rest)
  order by n.id, day`;

/** $2 locations or null, $3 day of the run, $4 id behind which, $5 rows. */
export const selectPlanLines = planLines(
  'select * from stock_line where workspace_id = $1 and id > $4 order by id limit $5',
);

/** $2 locations or null, $3 day, $4 item[], $5 rows. */
export const selectPlanLinesOfItems = planLines(`
  select l.* from unnest($4::uuid[]) as i (id)
  cross join lateral (select * from stock_line where workspace_id = $1 and item_id = i.id offset 0) l
  limit $5::bigint`);

export interface RequirementRow {
  id: string;
  item_id: string;
  /** The manufacturing line that it is a component of. */
  line_id: string | null;
  project_id: string | null;
  day: number | null;
  /** Quantity that is neither reserved nor issued; null for one that is cancelled, or of a line that is elsewhere. */
  quantity: string | null;
  /** Items that may be used instead. */
  substitutes: Substitute[] | null;
  /** Quantity that is reserved or issued; null for one of no project, or that is cancelled. */
  held: string | null;
  /** The issued part of it. */
  issued: string | null;
  follows_structure: boolean;
}

const planRequirements = (requirements: string) => `
  select r.id, r.item_id, r.line_id, r.project_id, r.required_by - $3::date as day,
         case when e.state in ('Open', 'Covered')
                and ($2::uuid[] is null or r.line_id is null or exists (
                  select from stock_line where workspace_id = $1 and id = r.line_id and location_id = any($2::uuid[]) offset 0)) then greatest(0, r.quantity - s.reserved)::numeric(30, 6) end as quantity,
         r.substitutes::json as substitutes,
         case when r.project_id is not null and e.state <> 'Cancelled' then s.reserved::numeric(30, 6) end as held,
         case when r.project_id is not null and e.state <> 'Cancelled' then s.issued::numeric(30, 6) end as issued, r.follows_structure
  from (${requirements}) r
  cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
  cross join lateral (
    select coalesce(sum(reserved), 0) as reserved, coalesce(sum(issued), 0) as issued from stock_requirement_total where workspace_id = $1 and requirement_id = r.id) s
  order by r.id`;

/** $2 locations or null, $3 day of the run, $4 id behind which, $5 rows. */
export const selectPlanRequirements = planRequirements(
  'select * from material_requirement where workspace_id = $1 and id > $4 order by id limit $5',
);

/** $2 locations or null, $3 day, $4 item[], $5 rows. */
export const selectPlanRequirementsOfItems = planRequirements(`
  select m.* from unnest($4::uuid[]) as i (id)
  cross join lateral (select * from material_requirement where workspace_id = $1 and item_id = i.id offset 0) m
  limit $5::bigint`);

/**
 * Sums by item and day, so that what is held of items with very many lines is bounded by the days. $2 locations or null, $3 day, $4 item[].
 */
const sumsByDay = (rows: string, isSupply: string) => `
  select item_id, ${isSupply} as is_supply, day, sum(quantity)::numeric(30, 6) as quantity from (${rows}) r
  where quantity > 0 group by 1, 2, 3`;

export const sumPlanLinesOfItems = sumsByDay(
  planLines(`
    select l.* from unnest($4::uuid[]) as i (id)
    cross join lateral (select * from stock_line where workspace_id = $1 and item_id = i.id offset 0) l`),
  'is_supply',
);

export const sumPlanRequirementsOfItems = sumsByDay(
  planRequirements(`
    select m.* from unnest($4::uuid[]) as i (id)
    cross join lateral (select * from material_requirement where workspace_id = $1 and item_id = i.id offset 0) m`),
  'false',
);

/** Sums of these lines and of their requirements alone. $2 locations or null, $3 day, $4 line[]. */
export const sumPlanLinesOfLines = sumsByDay(
  planLines(`
    select l.* from unnest($4::uuid[]) as i (id)
    cross join lateral (select * from stock_line where workspace_id = $1 and id = i.id offset 0) l`),
  'is_supply',
);

export const sumPlanRequirementsOfLines = sumsByDay(
  planRequirements(`
    select m.* from unnest($4::uuid[]) as i (id)
    cross join lateral (select * from material_requirement where workspace_id = $1 and line_id = i.id offset 0) m`),
  'false',
);

/** $2 item[]. */
export const selectPlanningVersions =
  'select item_id, version from item_planning where workspace_id = $1 and item_id = any($2::uuid[])';

/** The last two columns are base units of one of its units; null: the item does not have the unit any more. */
const planOffers = (parts: string) => `
  select p.id, p.item_id, p.supplier_id, p.status = 'active' and s.state = 'active' as is_active, p.rank,
         coalesce(p.lead_time_days, s.lead_time_days) as lead_time_days, p.pack_quantity, p.minimum, p.multiple,
         case when p.unit is null or b.unit = p.unit then '1' else u.numerator::text end as numerator,
         case when p.unit is null or b.unit = p.unit then '1' else u.denominator::text end as denominator
  from (${parts}) p
  cross join lateral (select state, lead_time_days from supplier where workspace_id = $1 and id = p.supplier_id limit 1) s
  left join lateral (
    select unit from item_base_unit where workspace_id = $1 and item_id = p.item_id and p.unit is not null limit 1) b on true
  left join lateral (
    select numerator, denominator from item_unit
    where workspace_id = $1 and item_id = p.item_id and unit = p.unit limit 1) u on true
  order by p.item_id, p.id`;

/** $2 item and $3 supplier part behind which, $4 rows. */
export const selectOffers = planOffers(`
    select * from supplier_part where workspace_id = $1 and (item_id, id) > ($2::uuid, $3::uuid)
    order by item_id, id limit $4`);

/** $2 item[]. */
export const selectOffersOfItems = planOffers(`
    select s.* from unnest($2::uuid[]) as i (id)
    cross join lateral (select * from supplier_part where workspace_id = $1 and item_id = i.id offset 0) s`);
