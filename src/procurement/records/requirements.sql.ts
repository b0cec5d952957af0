/** Reads of material requirements; their sums are kept, a row for each position that something was moved at. As in lines.sql.ts. */
import { hasWords } from '../../entities/lists/search-patterns.ts';
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';
import type { Direction } from '../../http/list.ts';
import { heldParts } from '../../stock/entries/held.sql.ts';
import type { Among } from './find-by-text.ts';

export interface RequirementRow {
  id: string;
  number: string | null;
  project_id: string | null;
  project_number: string | null;
  project_name: string | null;
  line_id: string | null;
  order_id: string | null;
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  item_archived: boolean;
  item_picture: string | null;
  item_revision: number | null;
  unit: string | null;
  state: string;
  quantity: string;
  required_by: string | null;
  created_at: string;
  /** It was raised for what the structure of its project needs. */
  follows_structure: boolean;
  reserved: string;
  issued: string;
  ordered: string;
  received: string;
  /** The part of `ordered` that was received and reserved for the requirement. */
  converted: string;
}

/** Lower bound of what was received and then reserved by hand, from the sums alone: a quantity cannot be covered twice. */
const converted = 'greatest(0, t.reserved + t.ordered - t.arrived - r.quantity)';

/**
 * Sums of requirement `r`. $1 workspace. Goods that went back to the supplier count as neither ordered nor received. An issue uses up a reservation and still counts as reserved.
 * Goods that were reserved as they arrived are no longer ordered, whatever becomes of them. Of what was received without that, more may
 * have been reserved than the sums say; then the entries are read.
 */
export const requirementSums = `
  cross join lateral (
    select t.*, t.arrived + case when least(t.reserved, t.received - t.arrived) <= ${converted} then ${converted}
                                 else converted_of_requirement($1, r.id, r.quantity, ${converted}) end as converted
    from (
      select reserved, issued, ordered, received, greatest(0, least(arrived, received)) as arrived
      from (
        select coalesce(sum(reserved), 0) as reserved, coalesce(sum(issued), 0) as issued,
               coalesce(sum(ordered - returned), 0) as ordered, coalesce(sum(received - returned), 0) as received,
               coalesce(sum(arrived), 0) as arrived
        from stock_requirement_total where workspace_id = $1 and requirement_id = r.id) kept) t) s`;

/** Requirements as `RequirementRow`, in the order of their ids. */
export const requirementsOf = (requirements: string, order: 'asc' | 'desc' = 'asc') => `
  select r.id, e.number, r.project_id, j.number as project_number, j.name as project_name, r.line_id, n.order_id,
         r.item_id, i.number as item_number, i.name as item_name, i.picture as item_picture, i.revision_number as item_revision, ${baseUnitOf('r.item_id')} as unit,
         coalesce(i.is_archived, false) as item_archived, e.state, r.quantity,
         r.required_by::text as required_by, r.created_at, r.follows_structure, s.reserved, s.issued, s.ordered, s.received, s.converted
  from (${requirements}) r
  cross join lateral (select number, state from entity where workspace_id = $1 and id = r.id offset 0) e
  left join lateral (
    select number, name, encode(picture, 'hex') as picture, revision_number, archived_at is not null as is_archived from entity
    where workspace_id = $1 and id = r.item_id offset 0) i on true
  left join lateral (select number, name from entity where workspace_id = $1 and id = r.project_id offset 0) j on true
  left join lateral (select order_id from stock_line where workspace_id = $1 and id = r.line_id offset 0) n on true
  ${requirementSums}
  order by r.id ${order}`;

/** $1 workspace, $2 id[]. */
export const selectRequirements = requirementsOf(`
  select m.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select * from material_requirement where workspace_id = $1 and id = wanted.id offset 0) m`);

/** $1 workspace, $2 project[], $3 item[]. */
export const selectRequirementsOfProjects = requirementsOf(`
  select * from material_requirement
  where workspace_id = $1 and project_id = any($2::uuid[]) and item_id = any($3::uuid[])`);

/** Fields of a requirement that `requirementOfRow` needs for its quantities. */
export type RequirementQuantities = Pick<
  RequirementRow,
  | 'id'
  | 'item_id'
  | 'state'
  | 'quantity'
  | 'follows_structure'
  | 'reserved'
  | 'issued'
  | 'ordered'
  | 'received'
  | 'converted'
>;

/** The quantities of a project's requirements, in the order of their ids. $1 workspace, $2 project, $3 id to go on behind, $4 rows. */
export const selectQuantitiesOfProject = `
  select r.id, r.item_id, e.state, r.quantity, r.follows_structure, s.reserved, s.issued, s.ordered, s.received, s.converted
  from (
    select * from material_requirement
    where workspace_id = $1 and project_id >= $2 and project_id <= $2 and id > $3
    order by project_id, id limit $4) r
  cross join lateral (select state from entity where workspace_id = $1 and id = r.id offset 0) e
  ${requirementSums}
  order by r.id`;

/** A date property of projects, where it is one. $1 workspace, $2 id[], $3 property key. */
export const selectProjectDates = `
  select id, properties ->> $3 as date from entity
  where workspace_id = $1 and id = any($2::uuid[]) and properties ->> $3 ~ '^\\d{4}-\\d{2}-\\d{2}$'`;

/** Components of a manufacturing line. $1 workspace, $2 line. */
export const selectRequirementsOfLine = requirementsOf(
  'select * from material_requirement where workspace_id = $1 and line_id = $2',
);

interface RequirementPath {
  /** Whose requirements they are; an index has those of each in the order of their ids. */
  owner: 'project' | 'item' | 'line' | null;
  state: boolean;
  /** How those are found that have a text, or what no index has: a day, two owners, an owner's with a state. */
  among: Among;
  text: boolean;
  overdue?: boolean;
}

const owners = {
  project: ['project_id', '$4::uuid'],
  item: ['item_id', '$5::uuid'],
  line: ['line_id', '$6::uuid'],
} as const;
const ofOwner = `($4::uuid is null or r.project_id = $4) and ($5::uuid is null or r.item_id = $5)
      and ($6::uuid is null or r.line_id = $6)`;
/** An open order line comes too late for requirement `r`. $1 workspace. */
const isOrderedLate = `exists (
        select from stock_line n
        cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) l
        where n.workspace_id = $1 and n.requirement_id = r.id and n.required_by > r.required_by
          and l.state = 'Ordered' offset 0)`;
/** Overdue as the overview counts them (overview.sql.ts). */
const isOverdue = `exists (
        select from entity where workspace_id = $1 and id = r.id and (
          (state = 'Open' and r.required_by < (now() at time zone 'UTC')::date)
          or (state in ('Open', 'Covered') and ${isOrderedLate})) offset 0)`;
const fitting = ({ overdue }: RequirementPath) => `${ofOwner}
      and ($7::text is null or exists (
        select from entity where workspace_id = $1 and id = r.id and state = $7 offset 0))
      and ($8::date is null or r.required_by < $8) ${overdue ? `and ${isOverdue}` : ''}`;

/** Requirements in the order of their ids, all of which are the owner's, or have the state. */
function walkRequirements(by: RequirementPath, { beyond, order }: Direction, rows: string): string {
  const further = `($2::uuid is null or id ${beyond} $2)`;
  // All that a look of a bounded length passes counts for it, whether it fits or not.
  const wanted = by.among === 'all' ? `and ${fitting(by)}` : '';
  if (by.owner !== null) {
    // As a range: no other index has this order, whatever the statistics say of the owner.
    const [column, owner] = owners[by.owner];
    return `select r.* from material_requirement r
      where r.workspace_id = $1 and ${further} and r.${column} >= ${owner} and r.${column} <= ${owner} ${wanted}
      order by r.${column} ${order}, r.id ${order} limit ${rows}`;
  }
  if (!by.state) {
    return `select r.* from material_requirement r where r.workspace_id = $1 and ${further} ${wanted}
      order by r.id ${order} limit ${rows}`;
  }
  return `
    select r.* from (
      select e.id from category c
      cross join lateral (
        select id from entity
        where workspace_id = $1 and category = c.key and state >= $7 and state <= $7 and ${further}
        order by category ${order}, state ${order}, id ${order} limit ${rows}) e
      where c.workspace_id = $1 and c.behaviour = 'materialRequirement'
      order by e.id ${order} limit ${rows}) found
    join material_requirement r on r.workspace_id = $1 and r.id = found.id`;
}

/**
 * $1 workspace, $2 id to go on behind or null, $3 rows, $4 project or null, $5 item or null, $6 line or null,
 * $7 state or null, $8 a date that it is needed before or null; but for all of them $9 the entities that have the text, or the
 * text or null, and $10 how many requirements are looked at. Open, Covered and Cancelled follow the quantities
 * (refresh-requirement.ts), so that a status is found in entity_state.
 */
export function selectRequirementPage(by: RequirementPath, direction: Direction): string {
  const { beyond, order } = direction;
  if (by.among === 'all') {
    return requirementsOf(
      `select r.* from (${walkRequirements(by, direction, '$3')}) r where ${fitting(by)}`,
      order,
    );
  }
  if (by.among === 'window') {
    const label = (id: string) =>
      `left join lateral (
         select number, name from entity where workspace_id = $1 and id = ${id} offset 0)`;
    const labels = `
       ${label('r.id')} own on true ${label('r.item_id')} item on true ${label('r.project_id')} project on true`;
    return requirementsOf(
      `select r.* from (${walkRequirements(by, direction, '$10')}) r ${by.text ? labels : ''}
       where ${fitting(by)} and ${
         by.text
           ? `(${['own', 'item', 'project'].map((entity) => hasWords('$9', entity)).join(' or ')})`
           : '$9::text is null'
       }
       order by r.id ${order} limit $3`,
      order,
    );
  }
  const of = (column: string) => `
    select own.id from unnest($9::uuid[]) as found (id)
    cross join lateral (
      select r.id from material_requirement r
      where r.workspace_id = $1 and r.${column} = found.id and ($2::uuid is null or r.id ${beyond} $2) and ${fitting(by)}
      order by r.id ${order} limit $3) own`;
  return requirementsOf(
    `select r.* from (${of('id')} union ${of('item_id')} union ${of('project_id')} order by id ${order} limit $3) found
     cross join lateral (select * from material_requirement where workspace_id = $1 and id = found.id offset 0) r
     where $10::int > 0`,
    order,
  );
}

/** The requirement at which such a look ends; no row where there are no more. $1 to $8 as above, $3 how many it passes. */
export function selectRequirementWindowEnd(by: RequirementPath, direction: Direction): string {
  return `select id from (${walkRequirements(by, direction, '$3')}) w
    where $4::uuid is not distinct from $4 and $5::uuid is not distinct from $5 and $6::uuid is not distinct from $6
      and $7::text is not distinct from $7 and $8::date is not distinct from $8
    order by id ${direction.order} offset $3 - 1`;
}

export interface HeldRow {
  item_id: string;
  location_id: string;
  held: string;
  /** How much of the required item a substitute covers; null for the required item itself. */
  covers: string | null;
}

/** Selects what a requirement still holds, by location; apart what it holds of substitutes. $1 workspace, $2 requirement. */
export const selectHeld = `
  select t.item_id, t.location_id, h.held, h.covers from stock_requirement_total t
  ${heldParts('t')}
  where t.workspace_id = $1 and t.requirement_id = $2
  order by t.item_id, t.location_id, h.covers nulls first`;

/** Selects the same with the numbers and names of locations and substitutes, at most $3 rows. */
export const selectHeldByLocation = `
  select h.location_id, e.number as location_number, e.name as location_name, h.held, h.covers, h.item_id,
         i.number as item_number, i.name as item_name
  from (
    select t.item_id, t.location_id, h.held, h.covers from stock_requirement_total t
    ${heldParts('t')}
    where t.workspace_id = $1 and t.requirement_id = $2
    order by t.item_id, t.location_id limit $3) h
  cross join lateral (select number, name from entity where workspace_id = $1 and id = h.location_id offset 0) e
  left join lateral (select number, name from entity where workspace_id = $1 and id = h.item_id and h.covers is not null offset 0) i on true
  order by h.covers is not null, h.location_id, h.item_id`;

/** Changes the required quantity and date. $1 workspace, $2 id, $3 quantity, $4 required by. */
export const updateRequirement = `
  update material_requirement set quantity = $3, required_by = $4 where workspace_id = $1 and id = $2`;

/** $1 workspace, $2 id. */
export const selectRole = `
  select e.id, e.number, e.name, c.role from entity e
  join category c on c.workspace_id = $1 and c.key = e.category
  where e.workspace_id = $1 and e.id = $2`;
