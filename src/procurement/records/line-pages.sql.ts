/** Pages of lines: as they were made, or by the day on which they are required. */
import type { Direction } from '../../http/list.ts';
import { finalStates } from './line.ts';
import { linesOf } from './lines.sql.ts';

const ofOwner = `n.type = any($4::text[]) and ($5::uuid is null or n.item_id = $5)
      and ($6::uuid is null or n.order_id = $6) and ($9::uuid is null or n.requirement_id = $9)`;
const isAtEnd = (state: string) => `${state} in (${[...finalStates].map((one) => `'${one}'`).join(', ')})`;
const isOpen = `exists (
        select from entity where workspace_id = $1 and id = n.id and not ${isAtEnd('state')} offset 0)`;
const fitting = ({ open = false }: Pick<LinePath, 'open'>) => `${ofOwner}
      and ($7::text is null or exists (
        select from entity where workspace_id = $1 and id = n.id and state = $7 offset 0))
      and cardinality($8::text[]) > 0 and ($10::date is null or n.required_by < $10)
      and ($11::date is null or n.required_by >= $11)
      and ($12::text[] is null or exists (
        select from order_supplier where workspace_id = $1 and order_id = n.order_id and key = any($12) offset 0))
      ${open ? `and ${isOpen}` : ''}`;

export interface LinePath {
  /** Whose lines they are, or of which single type; an index has those of each in the order of their ids. */
  owner: 'item' | 'order' | 'requirement' | 'type' | null;
  state: boolean;
  /** Only lines that have not come to their end: of each state that is none, entity_state has them in the order of their ids. */
  open?: boolean;
  /**
   * With what no index has in this order: days that they are needed between, a supplier, two owners, an owner's of a type, with a state or
   * open, a state of open ones.
   */
  window: boolean;
}

const owners = {
  item: ['item_id', '$5::uuid'],
  order: ['order_id', '$6::uuid'],
  requirement: ['requirement_id', '$9::uuid'],
  type: ['type', '($4::text[])[1]'],
} as const;

/** Condition for rows after an id; without an id, all rows. */
const beyondId = (id: string, { beyond }: Direction) => `($2::uuid is null or ${id} ${beyond} $2)`;
const fromFirst = () => 'true';

function walkLines(by: LinePath, direction: Direction, rows: string, reach = beyondId): string {
  const { order } = direction;
  const further = reach('n.id', direction);
  // All that a look of a bounded length passes counts for it, whether it fits or not.
  const wanted = by.window ? '' : `and ${fitting(by)}`;
  if (by.owner !== null) {
    // As a range: no other index has this order, whatever the statistics say of the owner.
    const [column, owner] = owners[by.owner];
    return `
      select n.* from stock_line n
      where n.workspace_id = $1 and ${further} and n.${column} >= ${owner} and n.${column} <= ${owner} ${wanted}
      order by n.${column} ${order}, n.id ${order} limit ${rows}`;
  }
  if (!by.state && by.open !== true) {
    return `
      select n.* from stock_line n where n.workspace_id = $1 and ${further} and n.type = any($4::text[]) ${wanted}
      order by n.id ${order} limit ${rows}`;
  }
  const states = by.state
    ? 'cross join lateral (select $7::text as name) s'
    : `join lifecycle l on l.workspace_id = $1 and l.key = c.lifecycle
      cross join lateral (select o.state ->> 'name' as name from jsonb_array_elements(l.states) o (state)
                          where not ${isAtEnd("o.state ->> 'name'")}) s`;
  return `
    select n.* from (
      select e.id from category c
      ${states}
      cross join lateral (
        select id from entity
        where workspace_id = $1 and category = c.key and state >= s.name and state <= s.name and ${reach('id', direction)}
        order by category ${order}, state ${order}, id ${order} limit ${rows}) e
      where c.workspace_id = $1 and c.behaviour = any($8::text[])
      order by e.id ${order} limit ${rows}) found
    cross join lateral (select * from stock_line where workspace_id = $1 and id = found.id offset 0) n`;
}

/**
 * Selects lines in order of their ids. $1 workspace, $2 id to go on behind or null, $3 rows, $4 types, $5 item or null,
 * $6 order or null, $7 state or null, $8 behaviours of the types, $9 requirement or null, $10 a date that it is needed
 * before or null, $11 one that it is needed from or null, $12 the keys of its order's supplier or null; in a window $13 says how many lines are looked at. Each filter has its index; a state alone is found in
 * entity_state.
 */
export function selectLinePage(by: LinePath, direction: Direction): string {
  const order = `n.id ${direction.order}`;
  return linesOf(
    by.window
      ? `select n.* from (${walkLines(by, direction, '$13')}) n where ${fitting(by)} order by ${order} limit $3`
      : `select n.* from (${walkLines(by, direction, '$3')}) n where ${fitting(by)}`,
    order,
  );
}

/** Names all filters, so that a statement that uses none of them takes the same parameters. */
const filtersGiven = `$4::text[] is not null and $5::uuid is not distinct from $5 and $6::uuid is not distinct from $6
      and $7::text is not distinct from $7 and $8::text[] is not null and $9::uuid is not distinct from $9
      and $10::date is not distinct from $10 and $11::date is not distinct from $11
      and $12::text[] is not distinct from $12`;

/** The line at which such a look ends; no row where there are no more. $1 to $12 as above, $3 how many it passes. */
export function selectLineWindowEnd(by: LinePath, direction: Direction): string {
  return `select n.id from (${walkLines(by, direction, '$3')}) n where ${filtersGiven}
    order by n.id ${direction.order} offset $3 - 1`;
}

/**
 * Pages by required date; lines without a date come last. $1 to $12 as above, $2 and $13 the id and date to
 * continue after, $14 the bound on lines.
 */
const days = {
  asc: (day: string) => `coalesce(${day}, 'infinity'::date)`,
  desc: (day: string) => `coalesce(${day}, '-infinity'::date)`,
};
const ordered = ({ order }: Direction) => `${days[order]('n.required_by')} ${order}, n.id ${order}`;
const beyondDay = ({ beyond, order }: Direction) =>
  `($2::uuid is null or (${days[order]('n.required_by')}, n.id) ${beyond} (${days[order]('$13::date')}, $2))`;

/** How many lines there are of an owner or with a state, up to $14. */
export function countFewLines(by: LinePath, direction: Direction): string {
  return `select count(*)::int as lines from (${walkLines({ ...by, window: true }, direction, '$14', fromFirst)}) n
    where ${filtersGiven} and $2::uuid is not distinct from $2 and $3::int > 0 and $13::date is not distinct from $13`;
}

/** Sorts the few lines found. */
export function sortFewLines(by: LinePath, direction: Direction): string {
  const few = walkLines({ ...by, window: true }, direction, '$14', fromFirst);
  const order = ordered(direction);
  return linesOf(
    `select n.* from (${few}) n where ${fitting(by)} and ${beyondDay(direction)} order by ${order} limit $3`,
    order,
  );
}

/** All as stock_line_required has them, and behind these all without a day as they were made. */
const walks = {
  dated: ({ beyond, order }: Direction) => `
    select n.* from stock_line n
    where n.workspace_id = $1 and n.required_by is not null
      and ($2::uuid is null or (n.required_by, n.id) ${beyond} ($13::date, $2))
      and ($10::date is null or n.required_by < $10) and ($11::date is null or n.required_by >= $11)
    order by n.required_by ${order}, n.id ${order} limit $14`,
  undated: (direction: Direction) => `
    select n.* from stock_line n where n.workspace_id = $1 and ${beyondId('n.id', direction)}
    order by n.id ${direction.order} limit $14`,
} as const;
export type DayWalk = keyof typeof walks;

export function selectLinesByDay(walk: DayWalk, direction: Direction, open = false): string {
  const order = ordered(direction);
  const wanted = walk === 'dated' ? 'true' : 'n.required_by is null and $13::date is not distinct from $13';
  return linesOf(
    `select n.* from (${walks[walk](direction)}) n where ${fitting({ open })} and ${wanted} order by ${order} limit $3`,
    order,
  );
}

/** Selects where such a window ends; no row if there are no more lines. */
export function selectDayWindowEnd(walk: DayWalk, direction: Direction): string {
  return `select n.id, n.required_by::text as day from (${walks[walk](direction)}) n
    where ${filtersGiven} and $3::int > 0 and $13::date is not distinct from $13
    order by ${walk === 'dated' ? ordered(direction) : `n.id ${direction.order}`} offset $14 - 1`;
}
