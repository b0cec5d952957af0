/**
 * A reservation may hold a substitute of the component that its requirement is for. Its entries state how much of the component they cover,
 * and the sums of the requirement count that instead of the quantity. What is held of substitutes is kept beside the sums, because it is a
 * quantity of another item.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const sum = (column: string, types: readonly string[], also = '') =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})${also}), 0)`;
const ordered = ['OnOrderAdd', 'OnOrderRelease'];
const received = ['POReceipt', 'MOReceipt'];
const reserved = ['MRReservation', 'MRRelease'];
const isFor = ' and requirement_id is not null';
const isSubstitute = ' and covered_quantity is not null';
/** Reservations and releases state what they cover without a sign. */
const signedCover = 'coalesce(sign(quantity) * covered_quantity, quantity)';
/** An issue from a reservation uses up what the reservation covers. */
const coveredByIssue = `case when covered_quantity is null then reserved_delta - quantity
                               when reserved_delta = 0 then covered_quantity else 0 end`;

/** The totals of `20261205_2000_substituted_issues`, and what is held of substitutes: its quantity, and how much of the component that covers. */
const totals = {
  line: {
    received: sum('quantity', received),
    shipped: sum('-quantity', ['SOShipment']),
    // A reservation of arrived goods names their line, and is held by the requirement.
    reserved: `coalesce(sum(reserved_delta) filter (where movement_type not in ('MRReservation', 'MRRelease')), 0)`,
    on_order: 'sum(on_order_delta)',
    returned: `${sum('-quantity', ['POReturn'])} + ${sum('quantity', ['SOReturn'])}`,
    ordered_for: sum('quantity', ordered, isFor),
    received_for: sum('quantity', received, isFor),
    returned_for: sum('-quantity', ['POReturn'], isFor),
  },
  requirement: {
    reserved: `${sum(signedCover, reserved)} + ${sum(coveredByIssue, ['MRIssue'])}`,
    issued: sum('coalesce(covered_quantity, -quantity)', ['MRIssue']),
    ordered: sum('quantity', ordered),
    received: sum('quantity', received),
    returned: sum('-quantity', ['POReturn']),
    arrived: sum('quantity', reserved, ' and line_id is not null'),
    substitute_held: 'coalesce(sum(reserved_delta) filter (where covered_quantity is not null), 0)',
    substitute_covers: `${sum(signedCover, reserved, isSubstitute)} - ${sum('covered_quantity', ['MRIssue'], `${isSubstitute} and reserved_delta <> 0`)}`,
  },
} as const;

/** Adds the entries to the stored totals, or replaces these. In the order of the key, in which positions are locked too. */
function writeTotals(of: keyof typeof totals, entries: string, isAdded: boolean): string {
  const key = `workspace_id, ${of}_id, item_id, location_id`;
  const columns = Object.keys(totals[of]);
  const before = (column: string) => (isAdded ? `t.${column} + ` : '');
  return `
        insert into stock_${of}_total as t (${key}, ${columns.join(', ')})
        select ${key}, ${Object.values(totals[of]).join(', ')}
        from ${entries} where ${of}_id is not null group by ${key} order by ${key}
        on conflict (${key}) do update
        set ${columns.map((column) => `${column} = ${before(column)}excluded.${column}`).join(', ')};`;
}

/** Entries of one requirement that are read in order; a requirement with more is answered from the sums. */
const ENTRIES_MAX = 1000;

export class SubstitutedReservations extends Migration {
  override name = '20261209_4000_substituted_reservations';

  override up(): void {
    // Columns with a constant default need no rewrite. The check is validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_requirement_total
        add column substitute_held numeric not null default 0,
        add column substitute_covers numeric not null default 0`);
    this.addSql(`comment on column stock_requirement_total.substitute_held is
      'How much of the item of this row is held as a substitute of the required one.'`);
    this.addSql(`comment on column stock_requirement_total.substitute_covers is
      'How much of the required item that covers; reserved - issued includes it.'`);
    this.addSql(`
      alter table stock_ledger
        drop constraint stock_ledger_covered,
        add constraint stock_ledger_covered check (
          covered_quantity is null
          or movement_type = 'MRIssue' and reserved_delta in (0, quantity) and covered_quantity * quantity <= 0
          or movement_type in ('MRReservation', 'MRRelease') and covered_quantity >= 0) not valid`);
    this.addSql(`comment on column stock_ledger.covered_quantity is
      'Of a reservation, release or issue of a substitute: how much of the required component it covers.'`);
    this.addSql(`
      create or replace function add_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      declare has_lines boolean; has_requirements boolean;
      begin
        -- Most entries are adjustments, which concern neither.
        select bool_or(line_id is not null), bool_or(requirement_id is not null) into has_lines, has_requirements from fresh;
        if has_lines then ${writeTotals('line', 'fresh', true)} end if;
        if has_requirements then ${writeTotals('requirement', 'fresh', true)} end if;
        return null;
      end $$`);
    this.addSql(`
      create or replace function add_applied_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      begin
        ${writeTotals('line', '(select new.*) as fresh', true)}
        ${writeTotals('requirement', '(select new.*) as fresh', true)}
        return null;
      end $$`);
    const ofPosition = `(
          select * from stock_ledger
          where workspace_id = of_workspace and item_id = of_item and location_id = of_location) as entries`;
    this.addSql(`
      create or replace function remake_stock_totals(of_workspace uuid, of_item uuid, of_location uuid) returns void
      language plpgsql set enable_seqscan = off as $$
      begin
        perform from stock_position
        where workspace_id = of_workspace and item_id = of_item and location_id = of_location for update;
        ${writeTotals('line', ofPosition, false)}
        ${writeTotals('requirement', ofPosition, false)}
      end $$`);
    for (const name of ['add_stock_totals', 'add_applied_stock_totals', 'remake_stock_totals'])
      this.addSql(grantFunction(name));

    // As `20261205_2000_substituted_issues` made it, and for reservations of substitutes.
    this.addSql(`
      create or replace function converted_of_requirement(workspace uuid, requirement uuid, required numeric, from_sums numeric)
      returns numeric language plpgsql stable set search_path = public, pg_temp as $$
      declare
        entry record;
        entries int := 0;
        reserved numeric := 0;
        ordered numeric := 0;
        received numeric := 0;
        arrived numeric := 0;
        converted numeric := 0;
        used numeric;
      begin
        -- The range makes the planner take the index that has this order.
        for entry in
          select movement_type, quantity, reserved_delta, covered_quantity, line_id from stock_ledger
          where workspace_id = $1 and requirement_id >= $2 and requirement_id <= $2
          order by requirement_id, id limit ${ENTRIES_MAX + 1}
        loop
          entries := entries + 1;
          if entries > ${ENTRIES_MAX} then
            return from_sums;
          end if;
          case entry.movement_type
            when 'MRReservation' then
              used := coalesce(entry.covered_quantity, entry.quantity);
              if entry.line_id is not null then
                arrived := arrived + used;
                ordered := ordered - used;
              else
                -- What exceeds the open quantity is what came for it.
                converted := converted
                  + greatest(0, used - greatest(0, required - reserved - (ordered - converted)));
              end if;
              reserved := reserved + used;
            when 'MRRelease' then
              -- The last that was taken is given back first.
              used := coalesce(-entry.covered_quantity, entry.quantity);
              converted := greatest(0, converted + used);
              reserved := reserved + used;
            when 'MRIssue' then
              -- What it takes from free stock is reserved and issued at once.
              used := case when entry.covered_quantity is null then entry.reserved_delta - entry.quantity
                           when entry.reserved_delta = 0 then entry.covered_quantity else 0 end;
              if used > 0 then
                converted := converted
                  + greatest(0, used - greatest(0, required - reserved - (ordered - converted)));
              else
                converted := greatest(0, converted + used);
              end if;
              reserved := reserved + used;
            when 'OnOrderAdd', 'OnOrderRelease' then
              ordered := ordered + entry.quantity;
            when 'POReceipt', 'MOReceipt' then
              received := received + entry.quantity;
              if arrived > greatest(0, received) then
                ordered := ordered + arrived - greatest(0, received);
                arrived := greatest(0, received);
              end if;
            when 'POReturn' then
              -- Goods that went back cover nothing; those that come for them are ordered anew.
              ordered := ordered + entry.quantity;
              received := received + entry.quantity;
              if arrived > greatest(0, received) then
                ordered := ordered + arrived - greatest(0, received);
                arrived := greatest(0, received);
              end if;
              converted := greatest(0, least(converted, ordered));
            else
              null;
          end case;
        end loop;
        return converted;
      end $$`);
  }
}
