/**
 * Compares the totals of each line and requirement at each position, which a trigger of the ledger keeps (ADR 62),
 * with the entries.
 */
import { movementsOf } from '../entries/line-rules.ts';
import type { MovementType } from '../entries/movement.ts';

/** Columns of the ledger that have totals. */
export const totalled = ['line', 'requirement'] as const;
export type Totalled = (typeof totalled)[number];

const sumOf = (column: string, types: readonly MovementType[], also = '') =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})${also}), 0)`;
const isFor = ' and requirement_id is not null';
const isSubstitute = ' and covered_quantity is not null';
const reserving = ['MRReservation', 'MRRelease'] as const;
const signedCover = 'coalesce(sign(quantity) * covered_quantity, quantity)';
const coveredByIssue = `case when covered_quantity is null then reserved_delta - quantity
                             when reserved_delta = 0 then covered_quantity else 0 end`;

const sums: Record<Totalled, Record<string, string>> = {
  line: {
    received: sumOf('quantity', movementsOf('onOrder', 'fulfil')),
    shipped: sumOf('-quantity', movementsOf('reserved', 'fulfil')),
    // A reservation of arrived goods names their line, and is held by the requirement.
    reserved: `coalesce(sum(reserved_delta) filter (where movement_type not in ('MRReservation', 'MRRelease')), 0)`,
    on_order: 'sum(on_order_delta)',
    returned: `${sumOf('-quantity', ['POReturn'])} + ${sumOf('quantity', ['SOReturn'])}`,
    ordered_for: sumOf('quantity', movementsOf('onOrder', 'begin', 'release'), isFor),
    received_for: sumOf('quantity', movementsOf('onOrder', 'fulfil'), isFor),
    returned_for: sumOf('-quantity', ['POReturn'], isFor),
  },
  requirement: {
    // An issue uses up what was reserved, which still counts as reserved; what it takes from free stock counts from then on. A
    // substitute counts by what it covers.
    reserved: `${sumOf(signedCover, reserving)} + ${sumOf(coveredByIssue, ['MRIssue'])}`,
    issued: sumOf('coalesce(covered_quantity, -quantity)', ['MRIssue']),
    ordered: sumOf('quantity', movementsOf('onOrder', 'begin', 'release')),
    received: sumOf('quantity', movementsOf('onOrder', 'fulfil')),
    returned: sumOf('-quantity', ['POReturn']),
    arrived: sumOf('quantity', reserving, ' and line_id is not null'),
    substitute_held: `coalesce(sum(reserved_delta) filter (where covered_quantity is not null), 0)`,
    substitute_covers: `${sumOf(signedCover, reserving, isSubstitute)} - ${sumOf('covered_quantity', ['MRIssue'], `${isSubstitute} and reserved_delta <> 0`)}`,
  },
};

/** The subject at which a look ends; no row where there are no more entries. $1 workspace, $2 subject to go on behind, $3 how many entries it passes. */
export const selectTotalsEnd = (of: Totalled) => `
  select ${of}_id as id from stock_ledger where workspace_id = $1 and ${of}_id > $2
  order by ${of}_id, id offset $3 - 1 limit 1`;

/**
 * Totals that are not what their entries come to, that have none, or that lack: in one statement, so that what is written meanwhile
 * is in both or in neither. $1 workspace, $2 subject behind which, $3 subject up to which, $4 shown at most.
 */
export function selectWrongTotals(of: Totalled): string {
  const key = `${of}_id, item_id, location_id`;
  const range = `workspace_id = $1 and ${of}_id > $2 and ${of}_id <= $3`;
  const columns = Object.keys(sums[of]);
  const made = Object.entries(sums[of]).map(([column, sum]) => `${sum} as ${column}`);
  const values = (table: string) => `(${columns.map((column) => `${table}.${column}`).join(', ')})`;
  return `
    select ${of}_id as id, item_id, location_id, (count(*) over ())::int as count
    from (select ${key}, ${made.join(', ')} from stock_ledger where ${range} group by ${key}) as summed
    full join (select ${key}, ${columns.join(', ')} from stock_${of}_total where ${range}) as kept using (${key})
    where ${values('summed')} is distinct from ${values('kept')}
    order by ${key} limit $4`;
}
