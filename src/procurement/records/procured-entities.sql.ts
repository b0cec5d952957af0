/**
 * The entities of orders, lines and requirements: their locks, and how many of them are made or moved in one statement.
 * Statements that read go out together: locks first, in the order of transition-effect.ts, and behind them what is only
 * true under the locks. All are prepared, so everything that is looked up is a probe of a key for each id (see
 * lines.sql.ts).
 */
import { baseUnitOf } from '../../entities/units/item-units.sql.ts';
import { lockPositionsOf } from '../../stock/movements/record-requests.sql.ts';

export interface LockedEntity {
  id: string;
  version_id: string;
  number: string | null;
  name: string;
  category: string;
  state: string;
  revision_number: number;
}

/**
 * `skip locked` passes over rows that somebody else holds: a group would keep all of its callers waiting for one row.
 * A single request waits.
 */
const locks = (isSingle: boolean) => (isSingle ? 'for update' : 'for update skip locked');
const lockedColumns = 'id, version_id, number, name, category, state, revision_number';

const entitiesOf = (wanted: string, isSingle: boolean, more = '') => `
  select e.* from ${wanted} as wanted (id)
  cross join lateral (
    select ${lockedColumns}${more} from entity
    where workspace_id = $1 and id = wanted.id ${locks(isSingle)}) e`;

/** $1 workspace, $2 id[], in order. */
const entities = (isSingle: boolean) => entitiesOf('unnest($2::uuid[])', isSingle);

export interface LockedOrder extends LockedEntity {
  supplier: string | null;
}

/** Orders, with what their lines show of them. $1 workspace, $2 id[], in order. */
const orders = (isSingle: boolean) =>
  entitiesOf(
    'unnest($2::uuid[])',
    isSingle,
    ', (select s.name from order_supplier s where s.workspace_id = $1 and s.order_id = wanted.id) as supplier',
  );

/** The orders of lines. $1 workspace, $2 line[]. */
const ordersOfLines = (isSingle: boolean) =>
  entitiesOf(
    `(
  select distinct l.order_id from unnest($2::uuid[]) as line (id)
  cross join lateral (select order_id from stock_line where workspace_id = $1 and id = line.id offset 0) l
  order by 1)`,
    isSingle,
  );

/** The requirements of lines. $1 workspace, $2 line[]. */
const requirementsOfLines = (isSingle: boolean) =>
  entitiesOf(
    `(
  select distinct l.requirement_id from unnest($2::uuid[]) as line (id)
  cross join lateral (
    select requirement_id from stock_line where workspace_id = $1 and id = line.id and requirement_id is not null offset 0) l
  order by 1)`,
    isSingle,
  );

/** Each in two forms: for a group, and for a single request. */
export const lockEntities = { group: entities(false), single: entities(true) };
export const lockOrders = { group: orders(false), single: orders(true) };
export const lockOrdersOfLines = { group: ordersOfLines(false), single: ordersOfLines(true) };
export const lockRequirementsOfLines = {
  group: requirementsOfLines(false),
  single: requirementsOfLines(true),
};

export const waiting = (isSingle: boolean) => (isSingle ? 'single' : 'group');

/**
 * Orders whose lines have all ended, one of them at least other than by being cancelled, as `LockedEntity`. Their rows
 * are locked. $1 workspace, $2 order[], $3 final states.
 */
export const selectEndedOrders = `
  select e.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select bool_and(e.state = any($3::text[])) as have_ended, bool_or(e.state <> 'Cancelled') as is_delivered
    from stock_line n
    cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
    where n.workspace_id = $1 and n.order_id = wanted.id) lines
  cross join lateral (
    select ${lockedColumns} from entity where workspace_id = $1 and id = wanted.id offset 0) e
  where lines.have_ended and lines.is_delivered
  order by e.id`;

/**
 * Positions as calls name them: by item and location, by a line, or by a requirement and a location. In order of the
 * key. $1 workspace, $2 item[] or null, $3 location[] or null, $4 line[] or null, $5 requirement[] or null.
 */
export const lockNamedPositions = lockPositionsOf(`(
  select distinct coalesce(named.item_id, l.item_id, r.item_id), coalesce(named.location_id, l.location_id)
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) as named (item_id, location_id, line_id, requirement_id)
  left join lateral (
    select item_id, location_id from stock_line where workspace_id = $1 and id = named.line_id offset 0) l on true
  left join lateral (
    select item_id from material_requirement where workspace_id = $1 and id = named.requirement_id offset 0) r on true
  order by 1, 2)`);

/**
 * Inserts entities as create-entity.ts does. $1 workspace, $2 id[], $3 number[], $4 name[], $5 category[], $6 state[], $7 actor[],
 * $8 how often each has changed, $9 when.
 */
export const insertEntities = `
  insert into entity (workspace_id, version_id, id, number, name, category, state, revised_by, version, created_at,
                      updated_at, revised_at)
  select $1, given.id, given.*, $9::timestamptz, $9::timestamptz, $9::timestamptz
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::int[])
    as given (id, number, name, category, state, revised_by, version)`;

/**
 * A manufacturing line that is ordered at once is for the present revision of its item. $1 workspace, $2 id[], $3 type[], $4 order[],
 * $5 item[], $6 location[], $7 requirement[], $8 quantity[], $9 required by[], $10 when, $11 whether it is ordered at once[], $12
 * over-delivery in percent[], $13 whether it may wait for stock[], $14 quantity as it was entered[], $15 its unit[], $16 numerator[] and $17
 * denominator[] of its factor.
 */
export const insertLines = `
  insert into stock_line (workspace_id, id, type, order_id, item_id, location_id, requirement_id, quantity, required_by,
                          created_at, over_delivery_percent, allow_backorder, entered_quantity, entered_unit, unit_numerator,
                          unit_denominator, item_revision)
  select $1, given.id, given.type, given.order_id, given.item_id, given.location_id, given.requirement_id, given.quantity,
         given.required_by, $10::timestamptz, given.over_delivery, given.allow_backorder, given.entered_quantity, given.entered_unit,
         given.unit_numerator, given.unit_denominator,
         case when given.is_ordered and given.type = 'manufacturingOrder'
              then (select revision_number from entity where workspace_id = $1 and id = given.item_id) end
  from unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::numeric[], $9::date[], $11::boolean[],
              $12::numeric[], $13::boolean[], $14::numeric[], $15::text[], $16::numeric[], $17::numeric[])
    as given (id, type, order_id, item_id, location_id, requirement_id, quantity, required_by, is_ordered, over_delivery,
              allow_backorder, entered_quantity, entered_unit, unit_numerator, unit_denominator)`;

/**
 * $1 workspace, $2 id[], $3 project[], $4 line[], $5 item[], $6 quantity[], $7 required by[], $8 when; of components $9 quantity for one
 * unit[], $10 for the whole line[], $11 substitutes[]; $12 whether it follows the structure of its project[].
 */
export const insertRequirements = `
  insert into material_requirement (workspace_id, id, project_id, line_id, item_id, quantity, required_by, per_unit, per_order,
                                    substitutes, follows_structure, created_at)
  select $1, given.*, $8::timestamptz
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::numeric[], $7::date[], $9::numeric[], $10::numeric[],
              $11::jsonb[], $12::boolean[]) as given`;

/** Moves entities as transition-entity.ts does. $1 workspace, $2 id[], $3 state[]. */
export const moveEntities = `
  update entity set state = given.state, sync_hash = null, version = version + 1, updated_at = now()
  from unnest($2::uuid[], $3::text[]) as given (id, state)
  where entity.workspace_id = $1 and entity.id = given.id`;

/**
 * $1 workspace, $2 entity[], $3 id[], $4 version[], $5 revision number[], $6 from[], $7 to[], $8 note[], $9 actor[].
 */
export const insertTransitions = `
  insert into entity_transition (workspace_id, entity_id, id, version_id, revision_number, from_state, to_state, note,
                                 actor_id)
  select $1, given.*
  from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::uuid[]) as given`;

export interface OwnerRow {
  id: string;
  number: string | null;
  name: string;
  role: string;
}

/** Entities with the role of their category. $1 workspace, $2 id[]. */
export const selectRoles = `
  select e.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select e.id, e.number, e.name, c.role from entity e join category c on c.workspace_id = $1 and c.key = e.category
    where e.workspace_id = $1 and e.id = wanted.id limit 1) e`;

/** The facts of an item or a project that a new requirement reads. */
export interface FactsRow {
  id: string;
  number: string | null;
  is_archived: boolean;
  revision: number;
  unit: string | null;
}

/** $1 workspace, $2 id[]. */
export const selectFacts = `
  select e.*, ${baseUnitOf('e.id')} as unit from unnest($2::uuid[]) as wanted (id)
  cross join lateral (
    select id, number, archived_at is not null as is_archived, revision_number as revision from entity
    where workspace_id = $1 and id = wanted.id limit 1) e`;
