/**
 * Stock: one position for each item and location, and the ledger that explains it. The ledger is append-only by privilege and by
 * trigger. Constraints check once more what the writer has checked.
 */
import { Migration } from '@mikro-orm/migrations';
import { grantFunction, grantTenantTable } from '../src/db/tenant-table.ts';

const sum = (column: string, ...types: string[]) =>
  `coalesce(sum(${column}) filter (where movement_type in (${types.map((type) => `'${type}'`).join(', ')})), 0)`;

/** The totals that are kept for each line and for each requirement, and the ledger entries that they are sums of. */
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

/** Adds the entries to the totals that there are, or replaces these. In the order of the key, in which positions are locked too. */
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

export class Stock extends Migration {
  override name = '20261201_0009_stock';

  override up(): void {
    // sequence and hash are those of the last entry of the position. No index has a column that changes, and pages have room:
    // updates stay on their page (HOT), so that a busy position does not bloat its indexes.
    this.addSql(`
      create table stock_position (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        on_hand numeric(15, 6) not null check (on_hand >= 0),
        reserved numeric(15, 6) not null check (reserved >= 0),
        on_order numeric(15, 6) not null check (on_order >= 0),
        sequence bigint not null check (sequence > 0),
        hash bytea not null check (octet_length(hash) = 32),
        updated_at timestamptz not null,
        primary key (workspace_id, item_id, location_id)
      ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
    this.addSql(
      `create index stock_position_location on stock_position (workspace_id, location_id, item_id)`,
    );
    for (const sql of grantTenantTable('stock_position')) this.addSql(sql);
    this.addSql(`revoke delete on stock_position from partbook_app, partbook_system`);

    this.addLedger();
    this.addTotals();

    // A digest covers the whole ledger with one hash. The head of a position is kept where it differs from the head that the digest
    // before covers, so that these tables grow with the ledger and not with the number of digests.
    this.addSql(`
      create table ledger_digest (
        workspace_id uuid not null,
        ordinal integer not null check (ordinal > 0),
        at timestamptz not null,
        entries bigint not null,
        positions integer not null,
        digest bytea not null check (octet_length(digest) = 32),
        primary key (workspace_id, ordinal),
        unique (workspace_id, digest)
      )`);
    this.addSql(`
      create table ledger_digest_head (
        workspace_id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        ordinal integer not null,
        sequence bigint not null check (sequence > 0),
        hash bytea not null check (octet_length(hash) = 32),
        primary key (workspace_id, item_id, location_id, ordinal)
      )`);
    for (const table of ['ledger_digest', 'ledger_digest_head']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
      this.addSql(`revoke update, delete on ${table} from partbook_app, partbook_system`);
    }
  }

  private addLedger(): void {
    // What each movement type does to a position. A function is prepared once for each connection, while PostgreSQL would read
    // the same cases anew for each statement if they stood in the constraint.
    this.addSql(`
      create function stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric,
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
          else false end;
      end $$`);
    // The writer of stock calls it in its statement when another writer was faster: the statement can then be sent with the commit.
    this.addSql(`
      create function raise_stock_race() returns boolean language plpgsql volatile as $$
      begin
        raise exception 'a stock position appeared or moved meanwhile' using errcode = 'serialization_failure';
      end $$`);
    for (const name of ['raise_stock_race', 'stock_effect_holds'])
      this.addSql(grantFunction(name, 'partbook_app', 'partbook_system'));

    // The movement type is text and no enum: under row-level security only leakproof comparisons use an index, and those of enums
    // are not. There is no foreign key to the position, which would double the cost of an entry; the one writer holds the lock
    // of the position. There are no partitions: nothing is ever dropped, and they would cost 4 to 11 % of each write.
    this.addSql(`
      create table stock_ledger (
        workspace_id uuid not null,
        id uuid not null,
        item_id uuid not null,
        location_id uuid not null,
        sequence bigint not null check (sequence > 0),
        recorded_at timestamptz not null,
        movement_type text collate "C" not null,
        quantity numeric(15, 6) not null check (quantity <> 0),
        on_hand_delta numeric(15, 6) not null,
        reserved_delta numeric(15, 6) not null,
        on_order_delta numeric(15, 6) not null,
        on_hand_after numeric(15, 6) not null check (on_hand_after >= 0),
        reserved_after numeric(15, 6) not null check (reserved_after >= 0),
        on_order_after numeric(15, 6) not null check (on_order_after >= 0),
        note text check (octet_length(note) <= 8000),
        line_id uuid,
        order_id uuid,
        requirement_id uuid,
        actor_id uuid not null,
        hash bytea not null check (octet_length(hash) = 32),
        primary key (workspace_id, item_id, location_id, sequence),
        constraint stock_ledger_opening check (
          sequence > 1 or (on_hand_after, reserved_after, on_order_after)
                        = (on_hand_delta, reserved_delta, on_order_delta)),
        constraint stock_ledger_effect
          check (stock_effect_holds(movement_type, quantity, on_hand_delta, reserved_delta, on_order_delta))
      )`);
    this.addSql(`comment on column stock_ledger.id is
      'UUIDv7 of recorded_at and the order within the transaction: within a position it rises with sequence.'`);
    // The stock at a time is one probe of this index.
    this.addSql(`create index stock_ledger_time on stock_ledger (workspace_id, item_id, location_id, id)`);
    // With the movement type before the id, a page of one type is one range and a page of all types merges eleven: both cost the
    // same however long the history is and however rare the type.
    for (const [name, column] of [
      ['item', 'item_id, '],
      ['location', 'location_id, '],
      ['actor', 'actor_id, '],
      ['all', ''],
    ])
      this.addSql(
        `create index stock_ledger_${name} on stock_ledger (workspace_id, ${column}movement_type, id)`,
      );
    this.addSql(
      `create index stock_ledger_line on stock_ledger (workspace_id, line_id, id) where line_id is not null`,
    );
    this.addSql(`create index stock_ledger_requirement on stock_ledger (workspace_id, requirement_id, id)
      where requirement_id is not null`);
    // Finds entries that are dated ahead of the clock. The ledger grows nearly in the order of time: ranges of some megabytes are
    // enough, and an entry costs no page of an index.
    this.addSql(`
      create index stock_ledger_recorded on stock_ledger using brin (recorded_at)
      with (pages_per_range = 256, autosummarize = on)`);
    for (const sql of grantTenantTable('stock_ledger')) this.addSql(sql);
    this.addSql(`revoke update, delete on stock_ledger from partbook_app, partbook_system`);

    // The triggers hold for the owner of the table too. The rows of a workspace that another installation has may be deleted;
    // a trigger for each row knows which workspace a row belongs to.
    this.addSql(`
      create function refuse_ledger_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the stock ledger is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger stock_ledger_append_only before update or truncate on stock_ledger
      for each statement execute function refuse_ledger_change()`);
    this.addSql(`
      create function refuse_ledger_deletion() returns trigger language plpgsql as $$
      begin
        if exists (select from workspace where id = old.workspace_id and state = 'gone') then return old; end if;
        raise exception 'the stock ledger is append-only: DELETE refused' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger stock_ledger_stays before delete on stock_ledger
      for each row execute function refuse_ledger_deletion()`);
  }

  /**
   * The sums of the ledger for each line and each requirement, by position. A trigger of the ledger keeps them. A movement holds the
   * lock of its position, and a total belongs to one position: nobody waits for the row of a total.
   */
  private addTotals(): void {
    for (const [of, columns] of Object.entries(totals)) {
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
      // Only the triggers write here, with the rights of their owner.
      this.addSql(`revoke insert, update, delete on stock_${of}_total from partbook_app, partbook_system`);
    }
    this.addSql(`
      create function add_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      declare has_lines boolean; has_requirements boolean;
      begin
        -- Most entries are adjustments, which concern neither.
        select bool_or(line_id is not null), bool_or(requirement_id is not null) into has_lines, has_requirements from fresh;
        if has_lines then ${writeTotals('line', 'fresh', true)} end if;
        if has_requirements then ${writeTotals('requirement', 'fresh', true)} end if;
        return null;
      end $$`);
    // For rows that a subscription applies while a workspace moves: it fires no triggers of statements.
    this.addSql(`
      create function add_applied_stock_totals() returns trigger language plpgsql
      security definer set search_path = public, pg_temp as $$
      begin
        ${writeTotals('line', '(select new.*) as fresh', true)}
        ${writeTotals('requirement', '(select new.*) as fresh', true)}
        return null;
      end $$`);
    // For an owner of the schema who changed something past the trigger. Under the lock of the position, every movement of it has
    // been committed or comes after this.
    const ofPosition = `(
          select * from stock_ledger
          where workspace_id = of_workspace and item_id = of_item and location_id = of_location) as entries`;
    this.addSql(`
      create function remake_stock_totals(of_workspace uuid, of_item uuid, of_location uuid) returns void
      language plpgsql set enable_seqscan = off as $$
      begin
        perform from stock_position
        where workspace_id = of_workspace and item_id = of_item and location_id = of_location for update;
        ${writeTotals('line', ofPosition, false)}
        ${writeTotals('requirement', ofPosition, false)}
      end $$`);
    for (const name of ['add_stock_totals', 'add_applied_stock_totals', 'remake_stock_totals'])
      this.addSql(grantFunction(name));
    this.addSql(`
      create trigger stock_ledger_totals after insert on stock_ledger referencing new table as fresh
      for each statement execute function add_stock_totals()`);
    // The condition names the role too: "enable trigger all" after maintenance makes this a trigger like any other.
    this.addSql(`
      create trigger stock_ledger_totals_applied after insert on stock_ledger
      for each row when ((new.line_id is not null or new.requirement_id is not null)
                         and current_setting('session_replication_role') = 'replica')
      execute function add_applied_stock_totals()`);
    this.addSql(`alter table stock_ledger enable replica trigger stock_ledger_totals_applied`);
  }
}
