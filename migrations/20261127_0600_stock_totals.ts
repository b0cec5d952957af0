/**
 * What the movements of a line, and those for a requirement, come to is kept beside the ledger and no longer summed up at every
 * call: a row for each line, and for each requirement, at each of its positions. A trigger of the ledger keeps them, so that no
 * writer can forget, and of the release before none does. Every movement is made under the lock of its position, and a total is of
 * one position: its row is never waited for.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

const sum = (column: string, ...types: string[]) =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})), 0)`;

/** By the column of the ledger that names the subject, what is kept of it. */
const totals = {
  line: {
    received: sum('quantity', 'POReceipt', 'MOReceipt'),
    shipped: sum('-quantity', 'SOShipment'),
    reserved: 'sum(reserved_delta)',
    on_order: 'sum(on_order_delta)',
  },
  requirement: {
    reserved: sum('quantity', 'MRReservation', 'MRRelease'),
    issued: sum('-quantity', 'MRIssue'),
    ordered: sum('quantity', 'OnOrderAdd', 'OnOrderRelease'),
    received: sum('quantity', 'POReceipt', 'MOReceipt'),
  },
} as const;

/** What there is of such a total already is added to, or put in its place. In the order of the key, as positions are locked. */
function write(of: keyof typeof totals, entries: string, isAdded: boolean): string {
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

const ofPosition = `(
          select * from stock_ledger
          where workspace_id = of_workspace and item_id = of_item and location_id = of_location) as entries`;

export class StockTotals extends Migration {
  override name = '20261127_0600_stock_totals';

  override up(): void {
    for (const [of, columns] of Object.entries(totals)) {
      // As stock_position: no index but the key, and room on the page, so that the updates stay there.
      this.addSql(`
        create table stock_${of}_total (
          workspace_id uuid not null,
          ${of}_id uuid not null,
          item_id uuid not null,
          location_id uuid not null,
          ${Object.keys(columns)
            .map((column) => `${column} numeric not null,`)
            .join(' ')}
          primary key (workspace_id, ${of}_id, item_id, location_id)
        ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
      for (const sql of grantTenantTable(`stock_${of}_total`)) this.addSql(sql);
      // The trigger's alone: it writes them as their owner.
      this.addSql(`revoke insert, update, delete on stock_${of}_total from partbook_app, partbook_system`);
    }
    this.addSql(`
      create function add_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      declare has_lines boolean; has_requirements boolean;
      begin
        -- Most entries of most workspaces are adjustments: one look, and neither statement is begun.
        select bool_or(line_id is not null), bool_or(requirement_id is not null) into has_lines, has_requirements from fresh;
        if has_lines then ${write('line', 'fresh', true)} end if;
        if has_requirements then ${write('requirement', 'fresh', true)} end if;
        return null;
      end $$`);
    // What a subscription applies fires no triggers of statements, and those of rows only where they are made for it.
    this.addSql(`
      create function add_applied_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      begin ${write('line', '(select new.*) as fresh', true)} ${write('requirement', '(select new.*) as fresh', true)}
        return null;
      end $$`);
    // For what was there before, and for an owner of the schema who has to make good what he changed past the trigger.
    this.addSql(`
      create function remake_stock_totals(of_workspace uuid, of_item uuid, of_location uuid) returns void
      language plpgsql set enable_seqscan = off as $$
      begin
        -- Under the lock every movement of the position has either been committed, or comes when this is.
        perform from stock_position
        where workspace_id = of_workspace and item_id = of_item and location_id = of_location for update;
        ${write('line', ofPosition, false)} ${write('requirement', ofPosition, false)}
      end $$`);
    for (const name of ['add_stock_totals', 'add_applied_stock_totals', 'remake_stock_totals'])
      this.addSql(`revoke all on function ${name} from public`);
    this.addSql(`
      create trigger stock_ledger_totals after insert on stock_ledger referencing new table as fresh
      for each statement execute function add_stock_totals()`);
    this.addSql(`
      create trigger stock_ledger_totals_applied after insert on stock_ledger
      for each row when ((new.line_id is not null or new.requirement_id is not null)
                         and current_setting('session_replication_role') = 'replica')
      execute function add_applied_stock_totals()`);
    // The condition as well: whoever enables all triggers of the table after work on it makes this one like any other.
    this.addSql('alter table stock_ledger enable replica trigger stock_ledger_totals_applied');
  }
}
