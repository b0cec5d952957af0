/** Supplier parts: from whom an item can be bought, under which number, in which packs and at which prices. Searches find their numbers. */
import { Migration } from '@mikro-orm/migrations';
import { grantTenantTable } from '../src/db/tenant-table.ts';

const workspace = `nullif(current_setting('partbook.workspace_id', true), '')::uuid`;

export class SupplierParts extends Migration {
  override name = '20261203_8100_supplier_parts';

  override up(): void {
    this.addSql(`
      create table supplier_part (
        workspace_id uuid not null,
        id uuid not null,
        item_id uuid not null,
        supplier_id uuid not null,
        sku text collate "C" not null check (sku <> ''),
        manufacturer text,
        mpn text,
        unit text collate "C",
        pack_quantity numeric(15, 6) not null check (pack_quantity > 0),
        minimum numeric(15, 6) check (minimum > 0),
        multiple numeric(15, 6) check (multiple > 0),
        lead_time_days integer check (lead_time_days between 0 and 3650),
        rank integer not null check (rank between 1 and 1000),
        status text not null check (status in ('active', 'inactive')),
        prices jsonb not null check (jsonb_array_length(prices) <= 100),
        version integer not null default 1,
        created_at timestamptz not null default now(),
        line text generated always as (fold_text(' ' || sku || ' ' || coalesce(mpn, ''))) stored,
        primary key (workspace_id, id)
      )`);
    this.addSql(`comment on column supplier_part.unit is
      'The unit of pack_quantity, minimum, multiple and prices: a unit of the item; null: its base unit.'`);
    this.addSql(`comment on column supplier_part.prices is
      'Price breaks { from, price, currency, validFrom, source }, quantities and prices as decimals in text.'`);
    this.addSql(`comment on column supplier_part.line is 'What searches compare, as lines of entity_text.'`);
    this.addSql(`create index supplier_part_item on supplier_part (workspace_id, item_id, id)`);
    this.addSql(`create index supplier_part_supplier on supplier_part (workspace_id, supplier_id, id)`);
    this.addSql(
      `create unique index supplier_part_sku on supplier_part (workspace_id, supplier_id, item_id, sku)`,
    );
    this.addSql(
      `create index supplier_part_lines on supplier_part using gin (uuid_send(workspace_id), line gin_trgm_ops)`,
    );
    this.addSql(`alter index supplier_part_lines alter column 1 set statistics 0`);
    for (const sql of grantTenantTable('supplier_part')) this.addSql(sql);

    // As before, and behind the entities those whose supplier parts have the text. A workspace without any pays one probe.
    this.addSql(`
      create or replace function search_lines(q text, hits_max integer)
      returns table (id uuid, line text)
      language sql stable security definer set search_path = public, pg_temp
      set enable_seqscan = off set enable_bitmapscan = on set plan_cache_mode = force_custom_plan as $$
        with wanted as materialized (select search_patterns(q) as patterns),
        named as (
          select found.id, found.line
          from entity_text t
          cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\\n'), E'\\n')) as found (id, line)
          left join lateral (
            select true as is_own from entity_text own
            where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
          where uuid_send(t.workspace_id) = uuid_send(${workspace})
            and t.lines like (select patterns[1] from wanted)
            and t.lines like (select coalesce(patterns[2], patterns[1]) from wanted)
            and t.lines like (select coalesce(patterns[3], patterns[1]) from wanted)
            and found.line like all ((select patterns from wanted)::text[])
            and newer.is_own is null
          limit hits_max),
        sold as (
          select distinct on (p.item_id) p.item_id as id, p.line
          from (
            select item_id, line from supplier_part p
            where exists (select from supplier_part where workspace_id = ${workspace})
              and q not like 'number:%'
              and uuid_send(p.workspace_id) = uuid_send(${workspace})
              and p.line like (select patterns[1] from wanted)
              and p.line like all ((select patterns from wanted)::text[])
            limit hits_max) p
          where not exists (
            select from entity e
            where e.workspace_id = ${workspace} and e.id = p.item_id
              and entity_line(e.number, e.name) like all ((select patterns from wanted)::text[])
            offset 0))
        select * from (select * from named union all select * from sold) as found limit hits_max
      $$`);
  }
}
