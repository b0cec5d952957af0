/**
 * An issue may hand over a substitute of the component that its requirement is for. Such an entry states how much of the component it
 * covers, with the opposite sign of its quantity, and the sums of the requirement count that instead of the quantity.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const sum = (column: string, types: readonly string[], also = '') =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})${also}), 0)`;
const ordered = ['OnOrderAdd', 'OnOrderRelease'];
const received = ['POReceipt', 'MOReceipt'];
const reserved = ['MRReservation', 'MRRelease'];
const isFor = ' and requirement_id is not null';

/** The totals of `20261204_2000_direct_issues`; an issue of a substitute counts by what it covers. */
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
    reserved: `${sum('quantity', reserved)} + ${sum('coalesce(covered_quantity, reserved_delta - quantity)', ['MRIssue'])}`,
    issued: sum('coalesce(covered_quantity, -quantity)', ['MRIssue']),
    ordered: sum('quantity', ordered),
    received: sum('quantity', received),
    returned: sum('-quantity', ['POReturn']),
    arrived: sum('quantity', reserved, ' and line_id is not null'),
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

export class SubstitutedIssues extends Migration {
  override name = '20261205_2000_substituted_issues';

  override up(): void {
    // A null column needs no rewrite. The check is validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_ledger
        add column covered_quantity numeric(15, 6),
        add constraint stock_ledger_covered check (
          covered_quantity is null
          or (movement_type = 'MRIssue' and reserved_delta = 0 and covered_quantity * quantity <= 0)) not valid`);
    this.addSql(`comment on column stock_ledger.covered_quantity is
      'Of an issue of a substitute: how much of the required component it covers.'`);
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

    // As `20261204_2000_direct_issues` made it, and for issues of substitutes.
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
              if entry.line_id is not null then
                arrived := arrived + entry.quantity;
                ordered := ordered - entry.quantity;
              else
                -- What exceeds the open quantity is what came for it.
                converted := converted
                  + greatest(0, entry.quantity - greatest(0, required - reserved - (ordered - converted)));
              end if;
              reserved := reserved + entry.quantity;
            when 'MRRelease' then
              -- The last that was taken is given back first.
              converted := greatest(0, converted + entry.quantity);
              reserved := reserved + entry.quantity;
            when 'MRIssue' then
              -- What it takes from free stock is reserved and issued at once.
              used := coalesce(entry.covered_quantity, entry.reserved_delta - entry.quantity);
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
