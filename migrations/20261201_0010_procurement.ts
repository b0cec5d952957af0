/**
 * Order lines, material requirements and suppliers. A line and a requirement are entities, whose row has number and state. What was
 * received, shipped or issued is a sum over the ledger and is stored nowhere else.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

/** Entries of one requirement that are read in order; a requirement with more is answered from the sums. */
const ENTRIES_MAX = 1000;

export class Procurement extends Migration {
  override name = '20261201_0010_procurement';

  override up(): void {
    this.addSql(`
      create table stock_line (
        workspace_id uuid not null,
        id uuid not null,
        type text not null check (type in ('purchaseOrder', 'salesOrder', 'manufacturingOrder')),
        order_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        requirement_id uuid,
        quantity numeric(15, 6) not null check (quantity > 0),
        required_by date,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id)
      )`);
    this.addSql(`create index stock_line_order on stock_line (workspace_id, order_id, id)`);
    this.addSql(`create index stock_line_item on stock_line (workspace_id, item_id, id)`);
    this.addSql(`create index stock_line_type on stock_line (workspace_id, type, id)`);
    this.addSql(`create index stock_line_requirement on stock_line (workspace_id, requirement_id, id)
      where requirement_id is not null`);
    this.addSql(`create index stock_line_required on stock_line (workspace_id, required_by, id)
      where required_by is not null`);

    // Needed for a project, or as a component of what a manufacturing line makes.
    this.addSql(`
      create table material_requirement (
        workspace_id uuid not null,
        id uuid not null,
        project_id uuid,
        line_id uuid,
        item_id uuid not null,
        quantity numeric(15, 6) not null check (quantity > 0),
        required_by date,
        created_at timestamptz not null default now(),
        primary key (workspace_id, id),
        check ((project_id is null) <> (line_id is null))
      )`);
    this.addSql(
      `create index material_requirement_project on material_requirement (workspace_id, project_id, item_id, id)
       where project_id is not null`,
    );
    this.addSql(
      `create index material_requirement_project_id on material_requirement (workspace_id, project_id, id)
       where project_id is not null`,
    );
    this.addSql(`create index material_requirement_item on material_requirement (workspace_id, item_id, id)`);
    this.addSql(`create index material_requirement_line on material_requirement (workspace_id, line_id, id)
      where line_id is not null`);

    for (const table of ['stock_line', 'material_requirement'])
      for (const sql of grantTenantTable(table)) this.addSql(sql);
    // Lines and requirements are facts: a wrong one is cancelled and another is made. Quantity and day of an open line may change.
    this.addSql(
      `revoke update, delete on stock_line, material_requirement from partbook_app, partbook_system`,
    );
    this.addSql(`grant update (quantity, required_by) on stock_line to partbook_app`);

    // The spellings of a supplier's name share one key.
    this.addSql(`
      create table order_supplier (
        workspace_id uuid not null,
        order_id uuid not null,
        name text not null check (name <> ''),
        key text collate "C" not null check (key <> ''),
        primary key (workspace_id, order_id)
      )`);
    this.addSql(`create index order_supplier_key on order_supplier (workspace_id, key, order_id)`);
    for (const sql of grantTenantTable('order_supplier')) this.addSql(sql);

    // How much was ordered for a requirement, has come and is reserved for it. It follows from the sums unless something on order was
    // given back; then the order of the entries decides.
    this.addSql(`
      create function converted_of_requirement(workspace uuid, requirement uuid, required numeric, from_sums numeric)
      returns numeric language plpgsql stable set search_path = public, pg_temp as $$
      declare
        entry record;
        entries int := 0;
        reserved numeric := 0;
        ordered numeric := 0;
        converted numeric := 0;
      begin
        -- The range makes the planner take the index that has this order.
        for entry in
          select movement_type, quantity from stock_ledger
          where workspace_id = $1 and requirement_id >= $2 and requirement_id <= $2
          order by requirement_id, id limit ${ENTRIES_MAX + 1}
        loop
          entries := entries + 1;
          if entries > ${ENTRIES_MAX} then
            return from_sums;
          end if;
          case entry.movement_type
            when 'MRReservation' then
              -- What exceeds the open quantity is what came for it.
              converted := converted
                + greatest(0, entry.quantity - greatest(0, required - reserved - (ordered - converted)));
              reserved := reserved + entry.quantity;
            when 'MRRelease' then
              -- The last that was taken is given back first.
              converted := greatest(0, converted + entry.quantity);
              reserved := reserved + entry.quantity;
            when 'OnOrderAdd', 'OnOrderRelease' then
              ordered := ordered + entry.quantity;
            else
              null;
          end case;
        end loop;
        return converted;
      end $$`);
  }
}
