/** What stock is worth: layers of cost, their use, and the value of a position after each entry. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

const position = 'workspace_id uuid not null, item_id uuid not null, location_id uuid not null,';
const amount =
  'quantity numeric(15, 6) not null check (quantity > 0), cost numeric(36, 6) check (cost >= 0),';

export class StockValue extends Migration {
  override name = '20261209_6000_stock_value';

  override up(): void {
    this.addSql(`
      alter table stock_settings
        add column cost_method text collate "C" check (cost_method in ('fifo', 'average')),
        add column cost_currency text collate "C" check (cost_currency ~ '^[A-Z]{3}$'),
        add check ((cost_method is null) = (cost_currency is null))`);
    this.addSql(`
      create table cost_layer (
        ${position}
        layer bigint not null check (layer > 0),
        entry_id uuid not null,
        origin_id uuid not null,
        kind text collate "C" not null
          check (kind in ('opening', 'priced', 'unpriced', 'moved', 'returned', 'built')),
        line_id uuid,
        ${amount}
        price numeric(15, 6) check (price >= 0),
        currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
        primary key (workspace_id, item_id, location_id, layer),
        check ((price is null) = (currency is null))
      )`);
    this.addSql(`comment on table cost_layer is
      'Quantities that arrived at a position, and what they cost in the currency of the workspace; without a cost: unknown.'`);
    this.addSql(`comment on column cost_layer.origin_id is
      'The entry by which the goods came into the workspace: layers are used in its order, also after a transfer.'`);
    this.addSql(`comment on column cost_layer.price is
      'With currency, the price of a base unit as it was stated.'`);
    this.addSql('create index cost_layer_entry on cost_layer (workspace_id, item_id, location_id, entry_id)');
    this.addSql(`
      create table cost_use (
        ${position}
        entry_id uuid not null,
        number integer not null check (number > 0),
        layer bigint not null check (layer >= 0),
        origin_id uuid not null,
        ${amount}
        primary key (workspace_id, item_id, location_id, entry_id, number)
      )`);
    this.addSql(`comment on table cost_use is 'Parts of layers that an entry of the ledger took.'`);
    this.addSql(`comment on column cost_use.layer is '0: the average of all layers whose cost is known.'`);
    this.addSql(`
      create table cost_step (
        ${position}
        id uuid not null,
        method text collate "C" not null check (method in ('fifo', 'average')),
        layers bigint not null,
        on_hand numeric(15, 6) not null check (on_hand >= 0),
        known numeric(15, 6) not null check (known between 0 and on_hand),
        value numeric(36, 6) not null check (value >= 0),
        primary key (workspace_id, item_id, location_id, id)
      )`);
    this.addSql(`comment on table cost_step is
      'What a position is worth after an entry of the ledger or a revaluation. Of the quantity beyond known the cost is unknown.'`);
    this.addSql(`
      create table cost_revaluation (
        ${position}
        id uuid not null,
        layer bigint not null check (layer >= 0),
        quantity numeric(15, 6) not null check (quantity > 0),
        cost_before numeric(36, 6) check (cost_before >= 0),
        cost_after numeric(36, 6) not null check (cost_after >= 0),
        note text check (octet_length(note) <= 8000),
        actor_id uuid not null,
        recorded_at timestamptz not null,
        primary key (workspace_id, item_id, location_id, id, layer)
      )`);
    this.addSql(`comment on table cost_revaluation is
      'Costs that what was left of a layer got later. What was used before keeps its cost.'`);
    for (const table of ['cost_layer', 'cost_use', 'cost_step', 'cost_revaluation']) {
      for (const sql of grantTenantTable(table)) this.addSql(sql);
      this.addSql(`revoke update, delete on ${table} from partbook_app, partbook_system`);
    }

    // What is left of each layer: kept, as the position is of the ledger.
    this.addSql(`
      create table cost_open (
        ${position}
        origin_id uuid not null,
        layer bigint not null check (layer >= 0),
        entry_id uuid not null,
        line_id uuid,
        ${amount}
        primary key (workspace_id, item_id, location_id, origin_id, layer)
      ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`);
    this.addSql(
      `comment on table cost_open is 'What is left of layers, in the order in which they are used.'`,
    );
    for (const sql of grantTenantTable('cost_open')) this.addSql(sql);
  }
}
