/**
 * Facts that few entries of the ledger state: reversals, bookings, effective dates, reasons, builds. Also the types of transfers and
 * returns, and how much of a line or requirement was returned.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction } from '../src/db/tenant-table.ts';

const sum = (column: string, ...types: string[]) =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})), 0)`;

/** The totals of `20261201_0009_stock`, and what was returned. */
const totals = {
  line: {
    received: sum('quantity', 'POReceipt', 'MOReceipt'),
    shipped: sum('-quantity', 'SOShipment'),
    reserved: 'sum(reserved_delta)',
    on_order: 'sum(on_order_delta)',
    returned: `${sum('-quantity', 'POReturn')} + ${sum('quantity', 'SOReturn')}`,
  },
  requirement: {
    reserved: sum('quantity', 'MRReservation', 'MRRelease'),
    issued: sum('-quantity', 'MRIssue'),
    ordered: sum('quantity', 'OnOrderAdd', 'OnOrderRelease'),
    received: sum('quantity', 'POReceipt', 'MOReceipt'),
    returned: sum('-quantity', 'POReturn'),
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

export class StatedFacts extends Migration {
  override name = '20261201_2010_stated_facts';

  override up(): void {
    // Null columns need no rewrite. The checks are validated in the next migration, beside writers.
    this.addSql(`
      alter table stock_ledger
        add column booking_id uuid,
        add column reverses_id uuid,
        add column effective_on date,
        add column reason text collate "C",
        add column consume text collate "C",
        add column item_revision integer,
        add constraint stock_ledger_stated check (
          (reason is null or octet_length(reason) between 1 and 200)
          and (consume is null or consume in ('proportional', 'asListed', 'none'))
          and (item_revision is null or item_revision > 0)) not valid`);
    this.addSql(`
      create or replace function stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric,
                                                    on_order numeric)
      returns boolean language plpgsql immutable as $$
      begin
        return case movement_type
          when 'Adjustment' then on_hand = quantity and reserved = 0 and on_order = 0
          when 'POReceipt' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = -quantity
          when 'MOReceipt' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = -quantity
          when 'SOReservation' then quantity > 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'MRReservation' then quantity > 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'SORelease' then quantity < 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'MRRelease' then quantity < 0 and on_hand = 0 and reserved = quantity and on_order = 0
          when 'OnOrderAdd' then quantity > 0 and on_hand = 0 and reserved = 0 and on_order = quantity
          when 'OnOrderRelease' then quantity < 0 and on_hand = 0 and reserved = 0 and on_order = quantity
          when 'SOShipment' then quantity < 0 and on_hand = quantity and reserved between quantity and 0
                             and on_order = 0
          when 'MRIssue' then quantity < 0 and on_hand = quantity and reserved = quantity and on_order = 0
          when 'TransferOut' then quantity < 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'TransferIn' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'POReturn' then quantity < 0 and on_hand = quantity and reserved = 0 and on_order = 0
          when 'SOReturn' then quantity > 0 and on_hand = quantity and reserved = 0 and on_order = 0
          else false end;
      end $$`);
    // A reversal has the type of its original and the opposite sign, so that sums by type come right.
    this.addSql(`
      alter table stock_ledger
        drop constraint stock_ledger_effect,
        add constraint stock_ledger_effect check (
          case when reverses_id is null
            then stock_effect_holds(movement_type, quantity, on_hand_delta, reserved_delta, on_order_delta)
            else stock_effect_holds(movement_type, -quantity, -on_hand_delta, -reserved_delta, -on_order_delta)
          end) not valid`);

    for (const of of Object.keys(totals))
      this.addSql(`alter table stock_${of}_total add column returned numeric not null default 0`);
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
  }
}
