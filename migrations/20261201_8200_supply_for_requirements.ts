/**
 * Settings of stock; which part of a line is for its requirement; what is reserved as it arrives; requirements that follow a structure;
 * sales lines that may wait for stock.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const sum = (column: string, types: readonly string[], also = '') =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})${also}), 0)`;
const ordered = ['OnOrderAdd', 'OnOrderRelease'];
const received = ['POReceipt', 'MOReceipt'];
const reserved = ['MRReservation', 'MRRelease'];
const isFor = ' and requirement_id is not null';

/** The totals of `20261201_2010_stated_facts`, with the part of a line that is for its requirement, and what was reserved as it arrived. */
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
    reserved: sum('quantity', reserved),
    issued: sum('-quantity', ['MRIssue']),
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

export class SupplyForRequirements extends Migration {
  override name = '20261201_8200_supply_for_requirements';

  override up(): void {
    // A workspace without a row works as workspaces of earlier versions do.
    this.addSql(`
      create table stock_settings (
        workspace_id uuid not null,
        reserve_received boolean not null default false,
        over_delivery_percent numeric(7, 3) not null default 0 check (over_delivery_percent between 0 and 1000),
        adjustment_reasons jsonb not null default '[]' check (jsonb_typeof(adjustment_reasons) = 'array'),
        version integer not null default 1,
        primary key (workspace_id)
      )`);
    for (const sql of grantTenantTable('stock_settings')) this.addSql(sql);
    this.addSql(`
      create trigger stock_settings_changes_version after insert or delete or update on stock_settings
      for each row execute function change_configuration_version()`);

    // Null columns, and columns with a constant default, need no rewrite.
    this.addSql(`
      alter table stock_line
        add column over_delivery_percent numeric(7, 3) check (over_delivery_percent between 0 and 1000),
        add column allow_backorder boolean not null default false`);
    this.addSql(`comment on column stock_line.over_delivery_percent is
      'How much more than was ordered may be received; null: as much as the workspace says.'`);
    this.addSql(`comment on column stock_line.allow_backorder is
      'Of a sales line: it reserves what is available, and waits for the rest.'`);
    this.addSql(`grant update (over_delivery_percent) on stock_line to partbook_app`);
    this.addSql(
      `alter table material_requirement add column follows_structure boolean not null default false`,
    );
    this.addSql(`comment on column material_requirement.follows_structure is
      'It was raised for what the structure of its project needs, and becomes less when that does.'`);
    this.addSql(`grant update (required_by) on material_requirement to partbook_app`);

    this.addSql(`
      alter table stock_line_total
        add column ordered_for numeric not null default 0,
        add column received_for numeric not null default 0,
        add column returned_for numeric not null default 0`);
    this.addSql(`alter table stock_requirement_total add column arrived numeric not null default 0`);
    // Until now, a line with a requirement was for it with all of its quantity.
    this.addSql(`
      update stock_line_total t
      set ordered_for = t.on_order + t.received, received_for = t.received, returned_for = t.returned
      from stock_line n
      where n.workspace_id = t.workspace_id and n.id = t.line_id and n.requirement_id is not null and n.type <> 'salesOrder'`);
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

    // As `20261201_7000_returned_supply` made it, for what was received and reserved by hand. What was reserved as it arrived is no
    // longer ordered; a correction of the receipt puts it on order again.
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
      begin
        -- The range makes the planner take the index that has this order.
        for entry in
          select movement_type, quantity, line_id from stock_ledger
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
