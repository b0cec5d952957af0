-- The schema that the 58 migrations of release 0.1.0 built: pg_dump --schema-only, without owners and without the partitions of kept
-- answers that carry a date, and the names of the migrations. test/db/upgrade.test.ts builds it and brings it to this release.
SET check_function_bodies = false;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.add_applied_stock_totals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin 
        insert into stock_line_total as t (workspace_id, line_id, item_id, location_id, received, shipped, reserved, on_order)
        select workspace_id, line_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0), coalesce(sum(-quantity) filter (where movement_type in ('SOShipment')), 0), sum(reserved_delta), sum(on_order_delta)
        from (select new.*) as fresh where line_id is not null group by workspace_id, line_id, item_id, location_id order by workspace_id, line_id, item_id, location_id
        on conflict (workspace_id, line_id, item_id, location_id) do update
        set received = t.received + excluded.received, shipped = t.shipped + excluded.shipped, reserved = t.reserved + excluded.reserved, on_order = t.on_order + excluded.on_order; 
        insert into stock_requirement_total as t (workspace_id, requirement_id, item_id, location_id, reserved, issued, ordered, received)
        select workspace_id, requirement_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('MRReservation', 'MRRelease')), 0), coalesce(sum(-quantity) filter (where movement_type in ('MRIssue')), 0), coalesce(sum(quantity) filter (where movement_type in ('OnOrderAdd', 'OnOrderRelease')), 0), coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0)
        from (select new.*) as fresh where requirement_id is not null group by workspace_id, requirement_id, item_id, location_id order by workspace_id, requirement_id, item_id, location_id
        on conflict (workspace_id, requirement_id, item_id, location_id) do update
        set reserved = t.reserved + excluded.reserved, issued = t.issued + excluded.issued, ordered = t.ordered + excluded.ordered, received = t.received + excluded.received;
        return null;
      end $$;
CREATE FUNCTION public.add_stock_totals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      declare has_lines boolean; has_requirements boolean;
      begin
        -- Most entries of most workspaces are adjustments: one look, and neither statement is begun.
        select bool_or(line_id is not null), bool_or(requirement_id is not null) into has_lines, has_requirements from fresh;
        if has_lines then 
        insert into stock_line_total as t (workspace_id, line_id, item_id, location_id, received, shipped, reserved, on_order)
        select workspace_id, line_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0), coalesce(sum(-quantity) filter (where movement_type in ('SOShipment')), 0), sum(reserved_delta), sum(on_order_delta)
        from fresh where line_id is not null group by workspace_id, line_id, item_id, location_id order by workspace_id, line_id, item_id, location_id
        on conflict (workspace_id, line_id, item_id, location_id) do update
        set received = t.received + excluded.received, shipped = t.shipped + excluded.shipped, reserved = t.reserved + excluded.reserved, on_order = t.on_order + excluded.on_order; end if;
        if has_requirements then 
        insert into stock_requirement_total as t (workspace_id, requirement_id, item_id, location_id, reserved, issued, ordered, received)
        select workspace_id, requirement_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('MRReservation', 'MRRelease')), 0), coalesce(sum(-quantity) filter (where movement_type in ('MRIssue')), 0), coalesce(sum(quantity) filter (where movement_type in ('OnOrderAdd', 'OnOrderRelease')), 0), coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0)
        from fresh where requirement_id is not null group by workspace_id, requirement_id, item_id, location_id order by workspace_id, requirement_id, item_id, location_id
        on conflict (workspace_id, requirement_id, item_id, location_id) do update
        set reserved = t.reserved + excluded.reserved, issued = t.issued + excluded.issued, ordered = t.ordered + excluded.ordered, received = t.received + excluded.received; end if;
        return null;
      end $$;
CREATE FUNCTION public.authenticate_api_key(key_hash bytea, wanted_slug text) RETURNS TABLE(key_id uuid, key_workspace_id uuid, key_name text, permission text, expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to
        from api_key k left join workspace w on w.slug = wanted_slug
        where k.hash = key_hash
      $$;
CREATE FUNCTION public.authenticate_api_keys(key_hashes bytea[], wanted_slugs text[]) RETURNS TABLE(place bigint, key_id uuid, key_workspace_id uuid, key_name text, permission text, expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
      begin
        return query
        select asked.place, k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false), k.revoked_at is not null, w.id, w.name, w.state, w.moved_to
        from unnest(key_hashes, wanted_slugs) with ordinality as asked (hash, slug, place)
        cross join lateral (select * from api_key where api_key.hash = asked.hash limit 1) as k
        left join lateral (select * from workspace where workspace.slug = asked.slug limit 1) as w on true;
      end $$;
CREATE FUNCTION public.authenticate_csv_link(wanted_hash bytea, wanted_slug text) RETURNS TABLE(link_id uuid, expired boolean, revoked boolean, found_workspace_id uuid, found_workspace_name text, found_state text, found_moved_to text)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
        with used as (
          update csv_link l set last_used_at = now()
          from workspace w
          where w.slug = wanted_slug and w.state = 'active' and l.workspace_id = w.id and l.token_hash = wanted_hash
            and l.revoked_at is null and (l.expires_at is null or l.expires_at > now())
            and (l.last_used_at is null or l.last_used_at < now() - interval '1 minute')
        )
        select l.id, coalesce(l.expires_at <= now(), false), l.revoked_at is not null, w.id, w.name, w.state,
               w.moved_to
        from workspace w
        join csv_link l on l.workspace_id = w.id and l.token_hash = wanted_hash
        where w.slug = wanted_slug
      $$;
CREATE FUNCTION public.authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer) RETURNS TABLE(key_id uuid, key_workspace_id uuid, key_name text, permission text, expired boolean, revoked boolean, wanted_workspace_id uuid, wanted_workspace_name text, wanted_state text, wanted_moved_to text)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
        with slid as (
          update web_session s set expires_at = now() + make_interval(hours => hours)
          from workspace w
          where w.slug = wanted_slug and w.state = 'active' and s.workspace_id = w.id and s.token_hash = wanted_hash
            and s.expires_at > now()
            and s.expires_at < now() + make_interval(hours => hours) * 15 / 16
        )
        select k.id, k.workspace_id, k.name, k.permission,
               coalesce(k.expires_at <= now(), false) or s.expires_at <= now(), k.revoked_at is not null,
               w.id, w.name, w.state, w.moved_to
        from workspace w
        join web_session s on s.workspace_id = w.id and s.token_hash = wanted_hash
        join api_key k on k.workspace_id = s.workspace_id and k.id = s.key_id
        where w.slug = wanted_slug
      $$;
CREATE FUNCTION public.block_entity_texts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
   begin 
  insert into entity_text (workspace_id, id, ids, lines)
  select workspace_id, case when count(*) = 1 then (array_agg(id))[1] else uuidv7() end, array_agg(id),
         E'\n' || string_agg(line, E'\n') || E'\n'
  from (
    select workspace_id, id, line,
           (row_number() over (partition by workspace_id order by line collate "C") - 1) / 16 as block
    from (select workspace_id, id, entity_line(number, name) as line from fresh) as lined) as numbered
  group by workspace_id, block; return null; end $$;
CREATE FUNCTION public.change_configuration_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      declare changed uuid := case tg_op when 'DELETE' then old.workspace_id else new.workspace_id end;
      begin
        insert into configuration_version (workspace_id, version) values (changed, gen_random_uuid())
        on conflict (workspace_id) do update set version = excluded.version;
        return null;
      end $$;
CREATE FUNCTION public.converted_of_requirement(workspace uuid, requirement uuid, required numeric, from_sums numeric) RETURNS numeric
    LANGUAGE plpgsql STABLE
    SET search_path TO 'public', 'pg_temp'
    AS $_$
      declare
        entry record;
        entries int := 0;
        reserved numeric := 0;
        ordered numeric := 0;
        converted numeric := 0;
      begin
        -- As a range: no other index has this order.
        for entry in
          select movement_type, quantity from stock_ledger
          where workspace_id = $1 and requirement_id >= $2 and requirement_id <= $2
          order by requirement_id, id limit 1001
        loop
          entries := entries + 1;
          if entries > 1000 then
            return from_sums;
          end if;
          case entry.movement_type
            when 'MRReservation' then
              -- Beyond what is open is what came for it.
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
      end $_$;
CREATE FUNCTION public.designators_of(line jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT DISTINCT upper((d.designator COLLATE "C")) AS upper FROM jsonb_array_elements_text(COALESCE((designators_of.line -> 'referenceDesignators'::text), '[]'::jsonb)) d(designator));
CREATE FUNCTION public.enter_workspace(wanted uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
      declare found_state text := 'moving';
      begin
        if pg_try_advisory_xact_lock_shared(uuid_hash_extended(wanted, 7278623004)) then
          select state into found_state from workspace where id = wanted;
        end if;
        found_state := coalesce(found_state, 'gone');
        if found_state <> 'active' then
          raise exception 'the workspace is %', found_state
            using errcode = case found_state when 'gone' then 'PB410' else 'PB503' end;
        end if;
      end $$;
CREATE FUNCTION public.entity_line(number text, name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(lower(((COALESCE(number, ''::text) || ' '::text) || name)), '
'::text, ''::text);
CREATE FUNCTION public.index_link_designators() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
      declare
        gone text[] := case when tg_op = 'INSERT' then '{}' else designators_of(old.line) end;
        here text[] := case when tg_op = 'DELETE' then '{}' else designators_of(new.line) end;
      begin
        if tg_op <> 'INSERT' then
          delete from link_designator
          where workspace_id = old.workspace_id and designator = any (gone) and parent_id = old.parent_id
            and child_id = old.child_id and designator <> all (here);
        end if;
        if tg_op <> 'DELETE' then
          insert into link_designator (workspace_id, designator, parent_id, child_id)
          select new.workspace_id, d.designator, new.parent_id, new.child_id
          from unnest(here) as d (designator) where d.designator <> all (gone);
        end if;
        return null;
      end $$;
CREATE FUNCTION public.keep_answer_partitions(retention_days integer, rows_max integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    SET lock_timeout TO '500ms'
    AS $$
      declare
        width constant interval := make_interval(days => greatest(1, ceil(retention_days / 4.0)::integer));
        kept_from constant timestamptz := now() - make_interval(days => retention_days);
        starts timestamptz;
        made text;
        old regclass;
        holds boolean;
        removed integer;
      begin
        for old in
          select name from kept_answer_partition where begins > now() and ends - begins > width order by begins desc
        loop
          execute format('lock table %s in access exclusive mode', old);
          execute format('select exists (select from %s)', old) into holds;
          exit when holds;
          execute format('drop table %s', old);
        end loop;
        select greatest(max(ends), date_trunc('day', now())) into starts from kept_answer_partition;
        while starts <= now() + width loop
          made := 'kept_answer_' || to_char(starts, 'YYYYMMDD');
          execute format('create table %I (like kept_answer including defaults)', made);
          execute format('alter table %I alter column workspace_id set statistics 0', made);
          execute format('alter table %I enable row level security', made);
          execute format('with moved as (delete from kept_answer_other where created_at >= %L and created_at < %L returning *)
            insert into %I select * from moved', starts, starts + width, made);
          execute format('alter table kept_answer attach partition %I for values from (%L) to (%L)',
            made, starts, starts + width);
          starts := starts + width;
        end loop;
        delete from kept_answer_other where ctid = any (array(
          select ctid from kept_answer_other where created_at < kept_from limit rows_max));
        get diagnostics removed = row_count;
        for old in select name from kept_answer_partition where ends <= kept_from loop
          execute format('drop table %s', old);
        end loop;
        return removed;
      end $$;
CREATE FUNCTION public.open_small_batch(wanted uuid, is_linked boolean, OUT configuration text, OUT listened smallint[], OUT links_wait boolean, OUT holds_structure boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('accept:' || wanted, 0));
        if exists (
          select from sync_batch where workspace_id = wanted and status in ('queued', 'processing')) then
          raise exception 'there are batches before it' using errcode = 'PB409';
        end if;
        perform pg_advisory_xact_lock_shared(7278623, hashtext(wanted::text));
        perform set_config('partbook.configuration_held', 'yes', true);
        select version into configuration from configuration_version where workspace_id = wanted;
        listened := array(select distinct context_type from event_listener where workspace_id = wanted);
        links_wait := exists (select from pending_link where workspace_id = wanted);
        holds_structure := is_linked or links_wait;
        if holds_structure then
          perform pg_advisory_xact_lock(hashtextextended('structure:' || wanted, 0));
          links_wait := exists (select from pending_link where workspace_id = wanted);
        end if;
      end $$;
CREATE FUNCTION public.raise_stock_race() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
      begin
        raise exception 'a stock position appeared or moved meanwhile' using errcode = 'serialization_failure';
      end $$;
CREATE FUNCTION public.refuse_ledger_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        raise exception 'the stock ledger is append-only: % refused', tg_op using errcode = 'insufficient_privilege';
      end $$;
CREATE FUNCTION public.refuse_ledger_deletion() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        if exists (select from workspace where id = old.workspace_id and state = 'gone') then return old; end if;
        raise exception 'the stock ledger is append-only: DELETE refused' using errcode = 'insufficient_privilege';
      end $$;
CREATE FUNCTION public.refuse_workspace_state() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        if (old.state, new.state) in (('active', 'gone'), ('gone', 'active'), ('gone', 'moving')) then
          raise exception 'a workspace that is % does not become %', old.state, new.state
            using errcode = 'object_not_in_prerequisite_state';
        end if;
        if old.state <> 'active' and new.state = 'active' then new.active_since := now(); end if;
        return new;
      end $$;
CREATE FUNCTION public.remake_stock_totals(of_workspace uuid, of_item uuid, of_location uuid) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
      begin
        -- Under the lock every movement of the position has either been committed, or comes when this is.
        perform from stock_position
        where workspace_id = of_workspace and item_id = of_item and location_id = of_location for update;
        
        insert into stock_line_total as t (workspace_id, line_id, item_id, location_id, received, shipped, reserved, on_order)
        select workspace_id, line_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0), coalesce(sum(-quantity) filter (where movement_type in ('SOShipment')), 0), sum(reserved_delta), sum(on_order_delta)
        from (
          select * from stock_ledger
          where workspace_id = of_workspace and item_id = of_item and location_id = of_location) as entries where line_id is not null group by workspace_id, line_id, item_id, location_id order by workspace_id, line_id, item_id, location_id
        on conflict (workspace_id, line_id, item_id, location_id) do update
        set received = excluded.received, shipped = excluded.shipped, reserved = excluded.reserved, on_order = excluded.on_order; 
        insert into stock_requirement_total as t (workspace_id, requirement_id, item_id, location_id, reserved, issued, ordered, received)
        select workspace_id, requirement_id, item_id, location_id, coalesce(sum(quantity) filter (where movement_type in ('MRReservation', 'MRRelease')), 0), coalesce(sum(-quantity) filter (where movement_type in ('MRIssue')), 0), coalesce(sum(quantity) filter (where movement_type in ('OnOrderAdd', 'OnOrderRelease')), 0), coalesce(sum(quantity) filter (where movement_type in ('POReceipt', 'MOReceipt')), 0)
        from (
          select * from stock_ledger
          where workspace_id = of_workspace and item_id = of_item and location_id = of_location) as entries where requirement_id is not null group by workspace_id, requirement_id, item_id, location_id order by workspace_id, requirement_id, item_id, location_id
        on conflict (workspace_id, requirement_id, item_id, location_id) do update
        set reserved = excluded.reserved, issued = excluded.issued, ordered = excluded.ordered, received = excluded.received;
      end $$;
CREATE FUNCTION public.search_entities(patterns text[], entities_max integer) RETURNS TABLE(id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'on'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
    select found.id
    from entity_text t
    cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\n'), E'\n')) as found (id, line)
    left join lateral (
      select true as is_own from entity_text own
      where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
    where ((uuid_send(t.workspace_id) = uuid_send(nullif(current_setting('partbook.workspace_id', true), '')::uuid)
            and t.lines like E'%\n' || translate(lower(patterns[1]), E'\n', E'\v') || E'\n%')
        or (uuid_send(t.workspace_id) = decode(replace(current_setting('partbook.workspace_id', true), '-', ''), 'hex')
            and t.lines like E'%\n' || translate(lower(patterns[2]), E'\n', E'\v') || E'\n%'))
      and (found.line like translate(lower(patterns[1]), E'\n', E'\v')
        or found.line like translate(lower(patterns[2]), E'\n', E'\v'))
      and newer.is_own is null
    limit entities_max
  $$;
CREATE FUNCTION public.search_lines(patterns text[], hits_max integer) RETURNS TABLE(id uuid, line text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'on'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
        select found.id, found.line
        from entity_text t
        cross join lateral unnest(t.ids, string_to_array(btrim(t.lines, E'\n'), E'\n')) as found (id, line)
        left join lateral (
          select true as is_own from entity_text own
          where own.workspace_id = t.workspace_id and own.id = found.id limit 1) as newer on t.id <> found.id
        where ((uuid_send(t.workspace_id) = uuid_send(nullif(current_setting('partbook.workspace_id', true), '')::uuid)
                and t.lines like E'%\n' || translate(lower(patterns[1]), E'\n', E'\v') || E'\n%')
            or (uuid_send(t.workspace_id) = decode(replace(current_setting('partbook.workspace_id', true), '-', ''), 'hex')
                and t.lines like E'%\n' || translate(lower(patterns[2]), E'\n', E'\v') || E'\n%'))
          and (found.line like translate(lower(patterns[1]), E'\n', E'\v')
            or found.line like translate(lower(patterns[2]), E'\n', E'\v'))
          and newer.is_own is null
        limit hits_max
      $$;
CREATE FUNCTION public.settle_statistics() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '50ms'
    AS $$
      declare
        doubtful record;
        settled integer := 0;
      begin
        for doubtful in
          select s.name, s.pages, s.relpages as counted from (
            select c.relname::text as name, c.relpages, c.reltuples,
                   (pg_relation_size(c.oid) / current_setting('block_size')::integer)::integer as pages
            from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
            where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')) as s
          where s.pages > 2 * s.relpages + 10 or (s.reltuples >= 0 and s.reltuples < s.relpages)
          order by s.name
        loop
          begin
            perform pg_restore_relation_stats(
              'schemaname', 'public', 'relname', doubtful.name, 'relpages', doubtful.pages, 'reltuples', '-1'::real);
            if doubtful.counted <= 10 then
              perform pg_clear_attribute_stats('public', doubtful.name, s.attname::text, false) from pg_stats s
              where s.schemaname = 'public' and s.tablename = doubtful.name and s.attname <> 'workspace_id' and not s.inherited;
            end if;
            settled := settled + 1;
          exception when lock_not_available then
            null;
          end;
        end loop;
        return settled;
      exception when lock_not_available then
        return settled;
      end $$;
CREATE FUNCTION public.stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric, on_order numeric) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
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
      end $$;
CREATE FUNCTION public.write_entity_text() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    SET plan_cache_mode TO 'auto'
    AS $$
   begin
     insert into entity_text (workspace_id, id, ids, lines, is_newer)
     values (new.workspace_id, new.id, array[new.id], E'\n' || entity_line(new.number, new.name) || E'\n',
             tg_op = 'UPDATE')
     on conflict (workspace_id, id) do update set lines = excluded.lines;
     return null;
   end $$;
CREATE TABLE public.actor (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    CONSTRAINT actor_type_check CHECK ((type = ANY (ARRAY['apiKey'::text, 'operator'::text, 'automation'::text, 'system'::text])))
);
ALTER TABLE ONLY public.actor ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.api_key (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    permission text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_key_permission_check CHECK ((permission = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text])))
);
ALTER TABLE ONLY public.api_key ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.audit_log (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    actor_id uuid NOT NULL,
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_key text NOT NULL,
    before jsonb,
    after jsonb
);
ALTER TABLE ONLY public.audit_log ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.automation (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    context_type smallint NOT NULL,
    script text NOT NULL,
    script_version integer DEFAULT 1 NOT NULL,
    enabled boolean NOT NULL,
    enabled_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT automation_context_type_check CHECK (((context_type >= 1) AND (context_type <= 5)))
);
ALTER TABLE ONLY public.automation ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.automation_run (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    automation_id uuid NOT NULL,
    script_version integer NOT NULL,
    event_id uuid NOT NULL,
    event_index integer NOT NULL,
    attempt smallint DEFAULT 1 NOT NULL,
    context_type smallint NOT NULL,
    context jsonb NOT NULL,
    event_at timestamp with time zone NOT NULL,
    status text NOT NULL,
    depth smallint NOT NULL,
    cause_run_id uuid,
    retry_of uuid,
    result jsonb,
    error jsonb,
    logs jsonb,
    api_calls jsonb,
    changes jsonb,
    duration_ms real,
    cpu_ms real,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT automation_run_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'succeeded'::text, 'failed'::text, 'suppressed'::text])))
);
ALTER TABLE ONLY public.automation_run ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.automation_script (
    workspace_id uuid NOT NULL,
    automation_id uuid NOT NULL,
    version integer CONSTRAINT automation_script_version_not_null1 NOT NULL,
    script text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by uuid NOT NULL
);
ALTER TABLE ONLY public.automation_script ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.category (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    numbering jsonb NOT NULL,
    lifecycle text NOT NULL,
    role text NOT NULL,
    behaviour text NOT NULL,
    hidden_from_new boolean NOT NULL,
    tabs jsonb DEFAULT '[]'::jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.category ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.configuration_version (
    workspace_id uuid NOT NULL,
    version uuid NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY public.configuration_version ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.configuration_version.version IS 'Random and never the same again: a count would come back after a rollback, with another configuration.';
CREATE TABLE public.csv_link (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    list jsonb NOT NULL,
    prefix text NOT NULL,
    token_hash bytea NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);
ALTER TABLE ONLY public.csv_link ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.entity (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    version_id uuid NOT NULL,
    guid uuid,
    number text,
    name text NOT NULL,
    category text NOT NULL,
    state text NOT NULL,
    revision_number integer DEFAULT 1 NOT NULL,
    properties jsonb DEFAULT '{}'::jsonb NOT NULL,
    sync_hash bytea,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    revised_at timestamp with time zone DEFAULT now() NOT NULL,
    revised_by uuid NOT NULL
)
WITH (fillfactor='90');
ALTER TABLE ONLY public.entity ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.entity.sync_hash IS 'Hash of what a sync would write; behind it that of the element as it was sent, and its quantity where it is not 1. Every writer other than sync sets it to null.';
CREATE TABLE public.entity_link (
    workspace_id uuid NOT NULL,
    parent_id uuid NOT NULL,
    child_id uuid NOT NULL,
    quantity numeric(15,6) NOT NULL,
    line jsonb,
    CONSTRAINT entity_link_check CHECK ((parent_id <> child_id)),
    CONSTRAINT entity_link_quantity_check CHECK ((quantity > (0)::numeric))
)
WITH (fillfactor='90');
ALTER TABLE ONLY public.entity_link ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.entity_link.line IS 'findNumber, referenceDesignators (sorted, each once), unit and note, as far as they are said; null for none of them.';
CREATE TABLE public.entity_revision (
    workspace_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    revision_number integer NOT NULL,
    version_id uuid NOT NULL,
    number text,
    name text NOT NULL,
    category text NOT NULL,
    state text NOT NULL,
    properties jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by uuid NOT NULL,
    superseded_at timestamp with time zone DEFAULT now() NOT NULL,
    guid uuid
);
ALTER TABLE ONLY public.entity_revision ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.entity_revision_link (
    workspace_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    revision_number integer NOT NULL,
    child_id uuid NOT NULL,
    quantity numeric(15,6) NOT NULL,
    line jsonb
);
ALTER TABLE ONLY public.entity_revision_link ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.entity_revision_link.line IS 'findNumber, referenceDesignators (sorted, each once), unit and note, as far as they are said; null for none of them.';
CREATE TABLE public.entity_text (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    ids uuid[] NOT NULL,
    lines text NOT NULL,
    is_newer boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.entity_text ALTER COLUMN workspace_id SET STATISTICS 0;
ALTER TABLE ONLY public.entity_text ALTER COLUMN ids SET STATISTICS 0;
ALTER TABLE ONLY public.entity_text ALTER COLUMN lines SET STATISTICS 0;
ALTER TABLE ONLY public.entity_text ALTER COLUMN is_newer SET STATISTICS 0;
COMMENT ON TABLE public.entity_text IS 'What entities are found by. A row is a block of entities that were made together, or, with the id of the entity, one that
      was made alone or has another text since: then its line in a block is out of date.';
COMMENT ON COLUMN public.entity_text.lines IS 'Number and name of each in small letters, in the order of ids, each between two ends of lines.';
COMMENT ON COLUMN public.entity_text.is_newer IS 'Of the row of one entity: a block may still have a line of it, which is out of date.';
CREATE TABLE public.entity_transition (
    workspace_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    id uuid NOT NULL,
    version_id uuid NOT NULL,
    revision_number integer NOT NULL,
    from_state text NOT NULL,
    to_state text NOT NULL,
    note text,
    actor_id uuid NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.entity_transition ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.entity_transition.version_id IS 'The revision that the entity had after it.';
CREATE TABLE public.event_chain (
    workspace_id uuid NOT NULL,
    root_id uuid NOT NULL,
    runs integer NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.event_chain ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.event_lane (
    workspace_id uuid NOT NULL,
    reader text NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    announced_at timestamp with time zone,
    slow boolean,
    failures smallint DEFAULT 0 NOT NULL,
    careful smallint DEFAULT 0 NOT NULL,
    CONSTRAINT event_lane_reader_check CHECK ((reader = ANY (ARRAY['automation'::text, 'webhook'::text])))
)
WITH (fillfactor='50');
ALTER TABLE ONLY public.event_lane ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.event_lane.slow IS 'Whether its runs take long; null before its first turn.';
CREATE TABLE public.event_listener (
    workspace_id uuid NOT NULL,
    context_type smallint NOT NULL,
    listener_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL
);
ALTER TABLE ONLY public.event_listener ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.import_definition (
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    mapping jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.import_definition ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.kept_answer (
    workspace_id uuid NOT NULL,
    actor_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    status smallint NOT NULL,
    headers jsonb NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (created_at);
ALTER TABLE ONLY public.kept_answer ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.kept_answer_other (
    workspace_id uuid CONSTRAINT kept_answer_workspace_id_not_null NOT NULL,
    actor_id uuid CONSTRAINT kept_answer_actor_id_not_null NOT NULL,
    key text CONSTRAINT kept_answer_key_not_null NOT NULL,
    request_hash bytea CONSTRAINT kept_answer_request_hash_not_null NOT NULL,
    status smallint CONSTRAINT kept_answer_status_not_null NOT NULL,
    headers jsonb CONSTRAINT kept_answer_headers_not_null NOT NULL,
    body bytea CONSTRAINT kept_answer_body_not_null NOT NULL,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT kept_answer_created_at_not_null NOT NULL
);
ALTER TABLE ONLY public.kept_answer_other ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE VIEW public.kept_answer_partition AS
 SELECT (c.oid)::regclass AS name,
    ("substring"(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''([^'']+)''\)'::text))::timestamp with time zone AS begins,
    ("substring"(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)'::text))::timestamp with time zone AS ends
   FROM (pg_inherits i
     JOIN pg_class c ON ((c.oid = i.inhrelid)))
  WHERE ((i.inhparent = ('public.kept_answer'::regclass)::oid) AND (pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'::text));
CREATE TABLE public.ledger_digest (
    workspace_id uuid NOT NULL,
    ordinal integer NOT NULL,
    at timestamp with time zone NOT NULL,
    entries bigint NOT NULL,
    positions integer NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT ledger_digest_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT ledger_digest_ordinal_check CHECK ((ordinal > 0))
);
ALTER TABLE ONLY public.ledger_digest ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.ledger_digest_head (
    workspace_id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    ordinal integer NOT NULL,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT ledger_digest_head_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT ledger_digest_head_sequence_check CHECK ((sequence > 0))
);
ALTER TABLE ONLY public.ledger_digest_head ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.lifecycle (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    initial_state text NOT NULL,
    states jsonb NOT NULL,
    transitions jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY public.lifecycle ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.link_designator (
    workspace_id uuid NOT NULL,
    designator text NOT NULL,
    parent_id uuid NOT NULL,
    child_id uuid NOT NULL
);
ALTER TABLE ONLY public.link_designator ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON TABLE public.link_designator IS 'The designators of the links that are, in capitals. Triggers of entity_link keep it, so that no writer can forget.';
CREATE TABLE public.material_requirement (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    project_id uuid,
    line_id uuid,
    item_id uuid NOT NULL,
    quantity numeric(15,6) NOT NULL,
    required_by date,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT material_requirement_check CHECK (((project_id IS NULL) <> (line_id IS NULL))),
    CONSTRAINT material_requirement_quantity_check CHECK ((quantity > (0)::numeric))
);
ALTER TABLE ONLY public.material_requirement ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.number_counter (
    workspace_id uuid NOT NULL,
    category text NOT NULL,
    next_value bigint NOT NULL,
    CONSTRAINT number_counter_next_value_check CHECK ((next_value > 0))
);
ALTER TABLE ONLY public.number_counter ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.operator_action (
    id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    action text NOT NULL,
    work text NOT NULL,
    workspace text,
    subject text NOT NULL,
    reason text,
    items integer DEFAULT 0 NOT NULL,
    CONSTRAINT operator_action_work_check CHECK ((work = ANY (ARRAY['batch'::text, 'automation'::text, 'webhook'::text])))
);
CREATE TABLE public.operator_outcome (
    action_id uuid NOT NULL,
    ordinal integer NOT NULL,
    workspace text NOT NULL,
    item uuid NOT NULL,
    refusal text,
    at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.operator_pause (
    workspace_id uuid NOT NULL,
    work text NOT NULL,
    reason text NOT NULL,
    paused_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT operator_pause_work_check CHECK ((work = ANY (ARRAY['batch'::text, 'automation'::text, 'webhook'::text])))
);
ALTER TABLE ONLY public.operator_pause ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.operator_session (
    token_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.order_supplier (
    workspace_id uuid NOT NULL,
    order_id uuid NOT NULL,
    name text NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT order_supplier_key_check CHECK ((key <> ''::text)),
    CONSTRAINT order_supplier_name_check CHECK ((name <> ''::text))
);
ALTER TABLE ONLY public.order_supplier ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.outbox (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    context_type smallint NOT NULL,
    events bytea NOT NULL,
    event_count integer NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    depth smallint DEFAULT 0 NOT NULL,
    cause_run_id uuid,
    root_id uuid,
    target_run_id uuid,
    automation_next integer DEFAULT 0 NOT NULL,
    automation_done boolean DEFAULT false NOT NULL,
    webhook_next integer DEFAULT 0 NOT NULL,
    webhook_done boolean DEFAULT false NOT NULL,
    traceparent text
);
ALTER TABLE ONLY public.outbox ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.pending_link (
    workspace_id uuid NOT NULL,
    parent_guid uuid NOT NULL,
    child_id uuid NOT NULL,
    quantity numeric(15,6) NOT NULL,
    line jsonb,
    CONSTRAINT pending_link_quantity_check CHECK ((quantity > (0)::numeric))
);
ALTER TABLE ONLY public.pending_link ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.pending_link.line IS 'findNumber, referenceDesignators (sorted, each once), unit and note, as far as they are said; null for none of them.';
CREATE TABLE public.property_definition (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    used boolean DEFAULT false NOT NULL,
    CONSTRAINT property_definition_type_check CHECK ((type = ANY (ARRAY['text'::text, 'numeric'::text, 'date'::text, 'boolean'::text])))
);
ALTER TABLE ONLY public.property_definition ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.property_definition.used IS 'Set once, by the first writer that stores a value of it; an index on the keys of entity.properties would cost every write instead.';
CREATE TABLE public.schema_migration (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    executed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);
CREATE SEQUENCE public.schema_migration_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_migration_id_seq OWNED BY public.schema_migration.id;
CREATE TABLE public.standby_mark (
    web_id uuid NOT NULL,
    mark bigint NOT NULL,
    written_at timestamp with time zone DEFAULT now() NOT NULL
);
COMMENT ON TABLE public.standby_mark IS 'Of each web that reads from a standby the last number that it has written: a standby that shows one has all from before it.';
CREATE TABLE public.stock_ledger (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    sequence bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    movement_type text NOT NULL COLLATE pg_catalog."C",
    quantity numeric(15,6) NOT NULL,
    on_hand_delta numeric(15,6) NOT NULL,
    reserved_delta numeric(15,6) NOT NULL,
    on_order_delta numeric(15,6) NOT NULL,
    on_hand_after numeric(15,6) NOT NULL,
    reserved_after numeric(15,6) NOT NULL,
    on_order_after numeric(15,6) NOT NULL,
    note text,
    line_id uuid,
    order_id uuid,
    requirement_id uuid,
    actor_id uuid NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT stock_ledger_effect CHECK (public.stock_effect_holds(movement_type, quantity, on_hand_delta, reserved_delta, on_order_delta)),
    CONSTRAINT stock_ledger_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT stock_ledger_note_check CHECK ((octet_length(note) <= 8000)),
    CONSTRAINT stock_ledger_on_hand_after_check CHECK ((on_hand_after >= (0)::numeric)),
    CONSTRAINT stock_ledger_on_order_after_check CHECK ((on_order_after >= (0)::numeric)),
    CONSTRAINT stock_ledger_opening CHECK (((sequence > 1) OR ((on_hand_after = on_hand_delta) AND (reserved_after = reserved_delta) AND (on_order_after = on_order_delta)))),
    CONSTRAINT stock_ledger_quantity_check CHECK ((quantity <> (0)::numeric)),
    CONSTRAINT stock_ledger_reserved_after_check CHECK ((reserved_after >= (0)::numeric)),
    CONSTRAINT stock_ledger_sequence_check CHECK ((sequence > 0))
);
ALTER TABLE ONLY public.stock_ledger ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.stock_ledger.id IS 'UUIDv7 of recorded_at and the order within the transaction: within a position it rises with sequence.';
CREATE TABLE public.stock_line (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    order_id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    requirement_id uuid,
    quantity numeric(15,6) NOT NULL,
    required_by date,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT stock_line_quantity_check CHECK ((quantity > (0)::numeric)),
    CONSTRAINT stock_line_type_check CHECK ((type = ANY (ARRAY['purchaseOrder'::text, 'salesOrder'::text, 'manufacturingOrder'::text])))
);
ALTER TABLE ONLY public.stock_line ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.stock_line_total (
    workspace_id uuid NOT NULL,
    line_id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    received numeric NOT NULL,
    shipped numeric NOT NULL,
    reserved numeric NOT NULL,
    on_order numeric NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.stock_line_total ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.stock_position (
    workspace_id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    on_hand numeric(15,6) NOT NULL,
    reserved numeric(15,6) NOT NULL,
    on_order numeric(15,6) NOT NULL,
    sequence bigint NOT NULL,
    hash bytea NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT stock_position_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT stock_position_on_hand_check CHECK ((on_hand >= (0)::numeric)),
    CONSTRAINT stock_position_on_order_check CHECK ((on_order >= (0)::numeric)),
    CONSTRAINT stock_position_reserved_check CHECK ((reserved >= (0)::numeric)),
    CONSTRAINT stock_position_sequence_check CHECK ((sequence > 0))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.stock_position ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.stock_requirement_total (
    workspace_id uuid NOT NULL,
    requirement_id uuid NOT NULL,
    item_id uuid NOT NULL,
    location_id uuid NOT NULL,
    reserved numeric NOT NULL,
    issued numeric NOT NULL,
    ordered numeric NOT NULL,
    received numeric NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
ALTER TABLE ONLY public.stock_requirement_total ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.structure_edit (
    workspace_id uuid NOT NULL,
    edits bigint NOT NULL
);
ALTER TABLE ONLY public.structure_edit ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON TABLE public.structure_edit IS 'Counts links that were made other than by sync, under the structure lock. A batch that finds another count
       than when it planned its links looks for cycles again before it writes them.';
CREATE TABLE public.sync_batch (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    accepted_order bigint,
    status text NOT NULL,
    phase text DEFAULT 'plan'::text NOT NULL,
    profile_name text NOT NULL,
    dry_run boolean DEFAULT false NOT NULL,
    submitted_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    progressed_at timestamp with time zone DEFAULT now() NOT NULL,
    submitted_by uuid NOT NULL,
    request_id text,
    element_count integer DEFAULT 0 NOT NULL,
    chunk_count integer DEFAULT 0 NOT NULL,
    commit_of uuid,
    structure_edits bigint,
    payload_kept boolean DEFAULT true NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    counts jsonb,
    failure jsonb,
    cancelling boolean DEFAULT false NOT NULL,
    results_kept boolean DEFAULT true NOT NULL,
    results_left boolean DEFAULT true NOT NULL,
    resend_of uuid,
    traceparent text,
    structure_mode text DEFAULT 'additive'::text NOT NULL,
    brought_kept boolean DEFAULT true NOT NULL,
    cancellation jsonb,
    CONSTRAINT sync_batch_phase_check CHECK ((phase = ANY (ARRAY['plan'::text, 'structure'::text, 'write'::text, 'link'::text, 'done'::text]))),
    CONSTRAINT sync_batch_status_check CHECK ((status = ANY (ARRAY['receiving'::text, 'queued'::text, 'processing'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))),
    CONSTRAINT sync_batch_structure_mode_check CHECK ((structure_mode = ANY (ARRAY['additive'::text, 'exact'::text])))
);
ALTER TABLE ONLY public.sync_batch ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON COLUMN public.sync_batch.structure_edits IS 'Count of edits of the structure beside sync when the batch planned its links.';
COMMENT ON COLUMN public.sync_batch.cancelling IS 'Cancelled, and goes on only to link what is written.';
COMMENT ON COLUMN public.sync_batch.resend_of IS 'The batch whose elements this one sends again, at the places that they had there.';
COMMENT ON COLUMN public.sync_batch.brought_kept IS 'Whether its results say which GUIDs it brought; those of earlier releases do not.';
CREATE SEQUENCE public.sync_batch_accepted
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.sync_chunk (
    workspace_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    ordinal integer NOT NULL,
    element_count integer NOT NULL,
    first_index integer NOT NULL,
    last_index integer NOT NULL,
    phase text DEFAULT 'plan'::text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    has_links boolean DEFAULT false NOT NULL,
    plan bytea,
    structure bytea,
    basis bytea,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    error integer DEFAULT 0 NOT NULL,
    warnings integer DEFAULT 0 NOT NULL,
    bucket integer,
    slot_from smallint DEFAULT 0 NOT NULL,
    slot_to smallint DEFAULT 64 NOT NULL,
    applied boolean DEFAULT false NOT NULL,
    leaves boolean DEFAULT false NOT NULL,
    CONSTRAINT sync_chunk_phase_check CHECK ((phase = ANY (ARRAY['plan'::text, 'structure'::text, 'write'::text, 'link'::text, 'done'::text])))
);
ALTER TABLE ONLY public.sync_chunk ALTER COLUMN workspace_id SET STATISTICS 0;
ALTER TABLE ONLY public.sync_chunk ALTER COLUMN plan SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_chunk ALTER COLUMN structure SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_chunk ALTER COLUMN basis SET STORAGE EXTERNAL;
COMMENT ON COLUMN public.sync_chunk.bucket IS 'The chunk of sync_payload that its elements lie in; its own ordinal where null.';
COMMENT ON COLUMN public.sync_chunk.applied IS 'Done before a retry of an exact batch: its plan is kept only for the links that it names.';
COMMENT ON COLUMN public.sync_chunk.leaves IS 'No element of the batch names an entity of this chunk as its parent; false where that is not known.';
CREATE TABLE public.sync_digest (
    workspace_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    chunk integer NOT NULL,
    digest bytea NOT NULL
);
ALTER TABLE ONLY public.sync_digest ALTER COLUMN workspace_id SET STATISTICS 0;
COMMENT ON TABLE public.sync_digest IS 'Only of chunks that have anything to tell. Batches that ended before this table was made have no digest.';
CREATE TABLE public.sync_payload (
    workspace_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    chunk integer NOT NULL,
    segment integer NOT NULL,
    elements bytea NOT NULL
);
ALTER TABLE ONLY public.sync_payload ALTER COLUMN workspace_id SET STATISTICS 0;
ALTER TABLE ONLY public.sync_payload ALTER COLUMN elements SET STORAGE EXTERNAL;
CREATE TABLE public.sync_result (
    workspace_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    range integer NOT NULL,
    chunk integer NOT NULL,
    created integer NOT NULL,
    updated integer NOT NULL,
    skipped integer NOT NULL,
    error integer NOT NULL,
    results bytea NOT NULL,
    facts text[],
    brought uuid[],
    refused uuid[]
);
ALTER TABLE ONLY public.sync_result ALTER COLUMN workspace_id SET STATISTICS 0;
ALTER TABLE ONLY public.sync_result ALTER COLUMN results SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_result ALTER COLUMN brought SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.sync_result ALTER COLUMN refused SET STORAGE EXTERNAL;
COMMENT ON COLUMN public.sync_result.facts IS 'Codes of errors and warnings in the portion, and changed:fields, changed:structure. Null: not known, any of them.';
COMMENT ON COLUMN public.sync_result.brought IS 'GUIDs of the elements that were taken; null where an earlier release stored the results.';
COMMENT ON COLUMN public.sync_result.refused IS 'GUIDs of the elements that were refused; null for none.';
CREATE TABLE public.web_session (
    workspace_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    key_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY public.web_session ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.webhook (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events jsonb NOT NULL,
    enabled boolean NOT NULL,
    enabled_at timestamp with time zone,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_expires_at timestamp with time zone,
    failing_since timestamp with time zone,
    disabled_reason text,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    turn bigint DEFAULT 0 NOT NULL,
    announced_at timestamp with time zone
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.webhook ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.webhook_delivery (
    workspace_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    payload text NOT NULL,
    status text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    last_attempt_at timestamp with time zone,
    last_status smallint,
    last_error text,
    last_duration_ms real,
    history jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    traceparent text,
    CONSTRAINT webhook_delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.webhook_delivery ALTER COLUMN workspace_id SET STATISTICS 0;
CREATE TABLE public.work_series (
    at timestamp with time zone NOT NULL,
    work text NOT NULL,
    workspace text NOT NULL,
    done integer NOT NULL,
    failed integer NOT NULL,
    p95_ms real,
    oldest_seconds real NOT NULL,
    CONSTRAINT work_series_work_check CHECK ((work = ANY (ARRAY['batch'::text, 'automation'::text, 'webhook'::text])))
);
CREATE TABLE public.workspace (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    state text DEFAULT 'active'::text NOT NULL,
    moved_to text,
    active_since timestamp with time zone,
    CONSTRAINT workspace_moved_to_check CHECK (((length(moved_to) >= 1) AND (length(moved_to) <= 500))),
    CONSTRAINT workspace_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'::text)),
    CONSTRAINT workspace_state_check CHECK ((state = ANY (ARRAY['active'::text, 'moving'::text, 'gone'::text])))
);
COMMENT ON COLUMN public.workspace.moved_to IS 'Of one that is gone: the address of the installation that has it, for whoever still asks here.';
ALTER TABLE ONLY public.kept_answer ATTACH PARTITION public.kept_answer_other DEFAULT;
ALTER TABLE ONLY public.schema_migration ALTER COLUMN id SET DEFAULT nextval('public.schema_migration_id_seq'::regclass);
ALTER TABLE ONLY public.actor
    ADD CONSTRAINT actor_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_workspace_id_hash_key UNIQUE (workspace_id, hash);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.automation
    ADD CONSTRAINT automation_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.automation_run
    ADD CONSTRAINT automation_run_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.automation_script
    ADD CONSTRAINT automation_script_pkey PRIMARY KEY (workspace_id, automation_id, version);
ALTER TABLE ONLY public.category
    ADD CONSTRAINT category_pkey PRIMARY KEY (workspace_id, key);
ALTER TABLE ONLY public.configuration_version
    ADD CONSTRAINT configuration_version_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.csv_link
    ADD CONSTRAINT csv_link_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.entity_link
    ADD CONSTRAINT entity_link_pkey PRIMARY KEY (workspace_id, parent_id, child_id);
ALTER TABLE ONLY public.entity
    ADD CONSTRAINT entity_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.entity_revision_link
    ADD CONSTRAINT entity_revision_link_pkey PRIMARY KEY (workspace_id, entity_id, revision_number, child_id);
ALTER TABLE ONLY public.entity_revision
    ADD CONSTRAINT entity_revision_pkey PRIMARY KEY (workspace_id, entity_id, revision_number);
ALTER TABLE ONLY public.entity_text
    ADD CONSTRAINT entity_text_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.entity_transition
    ADD CONSTRAINT entity_transition_pkey PRIMARY KEY (workspace_id, entity_id, id);
ALTER TABLE ONLY public.event_chain
    ADD CONSTRAINT event_chain_pkey PRIMARY KEY (workspace_id, root_id);
ALTER TABLE ONLY public.event_lane
    ADD CONSTRAINT event_lane_pkey PRIMARY KEY (workspace_id, reader);
ALTER TABLE ONLY public.event_listener
    ADD CONSTRAINT event_listener_pkey PRIMARY KEY (workspace_id, context_type, listener_id);
ALTER TABLE ONLY public.import_definition
    ADD CONSTRAINT import_definition_pkey PRIMARY KEY (workspace_id, name);
ALTER TABLE ONLY public.kept_answer
    ADD CONSTRAINT kept_answer_pkey PRIMARY KEY (workspace_id, actor_id, key, created_at);
ALTER TABLE ONLY public.kept_answer_other
    ADD CONSTRAINT kept_answer_other_pkey PRIMARY KEY (workspace_id, actor_id, key, created_at);
ALTER TABLE ONLY public.ledger_digest_head
    ADD CONSTRAINT ledger_digest_head_pkey PRIMARY KEY (workspace_id, item_id, location_id, ordinal);
ALTER TABLE ONLY public.ledger_digest
    ADD CONSTRAINT ledger_digest_pkey PRIMARY KEY (workspace_id, ordinal);
ALTER TABLE ONLY public.ledger_digest
    ADD CONSTRAINT ledger_digest_workspace_id_digest_key UNIQUE (workspace_id, digest);
ALTER TABLE ONLY public.lifecycle
    ADD CONSTRAINT lifecycle_pkey PRIMARY KEY (workspace_id, key);
ALTER TABLE ONLY public.link_designator
    ADD CONSTRAINT link_designator_pkey PRIMARY KEY (workspace_id, designator, parent_id, child_id);
ALTER TABLE ONLY public.material_requirement
    ADD CONSTRAINT material_requirement_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.number_counter
    ADD CONSTRAINT number_counter_pkey PRIMARY KEY (workspace_id, category);
ALTER TABLE ONLY public.operator_action
    ADD CONSTRAINT operator_action_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.operator_outcome
    ADD CONSTRAINT operator_outcome_pkey PRIMARY KEY (action_id, ordinal);
ALTER TABLE ONLY public.operator_pause
    ADD CONSTRAINT operator_pause_pkey PRIMARY KEY (workspace_id, work);
ALTER TABLE ONLY public.operator_session
    ADD CONSTRAINT operator_session_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.order_supplier
    ADD CONSTRAINT order_supplier_pkey PRIMARY KEY (workspace_id, order_id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.pending_link
    ADD CONSTRAINT pending_link_pkey PRIMARY KEY (workspace_id, parent_guid, child_id);
ALTER TABLE ONLY public.property_definition
    ADD CONSTRAINT property_definition_pkey PRIMARY KEY (workspace_id, key);
ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.standby_mark
    ADD CONSTRAINT standby_mark_pkey PRIMARY KEY (web_id);
ALTER TABLE ONLY public.stock_ledger
    ADD CONSTRAINT stock_ledger_pkey PRIMARY KEY (workspace_id, item_id, location_id, sequence);
ALTER TABLE ONLY public.stock_line
    ADD CONSTRAINT stock_line_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.stock_line_total
    ADD CONSTRAINT stock_line_total_pkey PRIMARY KEY (workspace_id, line_id, item_id, location_id);
ALTER TABLE ONLY public.stock_position
    ADD CONSTRAINT stock_position_pkey PRIMARY KEY (workspace_id, item_id, location_id);
ALTER TABLE ONLY public.stock_requirement_total
    ADD CONSTRAINT stock_requirement_total_pkey PRIMARY KEY (workspace_id, requirement_id, item_id, location_id);
ALTER TABLE ONLY public.structure_edit
    ADD CONSTRAINT structure_edit_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.sync_batch
    ADD CONSTRAINT sync_batch_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.sync_chunk
    ADD CONSTRAINT sync_chunk_pkey PRIMARY KEY (workspace_id, batch_id, ordinal);
ALTER TABLE ONLY public.sync_digest
    ADD CONSTRAINT sync_digest_pkey PRIMARY KEY (workspace_id, batch_id, chunk);
ALTER TABLE ONLY public.sync_payload
    ADD CONSTRAINT sync_payload_pkey PRIMARY KEY (workspace_id, batch_id, chunk, segment);
ALTER TABLE ONLY public.sync_result
    ADD CONSTRAINT sync_result_pkey PRIMARY KEY (workspace_id, batch_id, range, chunk);
ALTER TABLE ONLY public.web_session
    ADD CONSTRAINT web_session_pkey PRIMARY KEY (workspace_id, token_hash);
ALTER TABLE ONLY public.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (workspace_id, webhook_id, id);
ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.work_series
    ADD CONSTRAINT work_series_pkey PRIMARY KEY (at, work, workspace);
ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_slug_key UNIQUE (slug);
CREATE INDEX api_key_hash ON public.api_key USING btree (hash);
CREATE INDEX audit_log_action ON public.audit_log USING btree (workspace_id, action, id);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (workspace_id, actor_id, id);
CREATE INDEX audit_log_subject_key ON public.audit_log USING btree (workspace_id, subject_key, id);
CREATE INDEX audit_log_subject_type ON public.audit_log USING btree (workspace_id, subject_type, id);
CREATE INDEX automation_run_age ON public.automation_run USING btree (finished_at);
CREATE INDEX automation_run_cause ON public.automation_run USING btree (workspace_id, cause_run_id) WHERE (cause_run_id IS NOT NULL);
CREATE INDEX automation_run_history ON public.automation_run USING btree (workspace_id, automation_id, id);
CREATE UNIQUE INDEX automation_run_once ON public.automation_run USING btree (workspace_id, event_id, event_index, automation_id, attempt);
CREATE INDEX automation_run_status ON public.automation_run USING btree (workspace_id, status, id);
CREATE UNIQUE INDEX csv_link_token ON public.csv_link USING btree (workspace_id, token_hash);
CREATE INDEX entity_further_version ON public.entity USING btree (workspace_id, version_id) WHERE (version_id <> id);
CREATE UNIQUE INDEX entity_guid ON public.entity USING btree (workspace_id, guid) WITH (fillfactor='90');
CREATE INDEX entity_link_child ON public.entity_link USING btree (workspace_id, child_id, parent_id);
CREATE INDEX entity_number ON public.entity USING btree (workspace_id, number, id);
CREATE INDEX entity_revision_version ON public.entity_revision USING btree (workspace_id, version_id);
CREATE INDEX entity_state ON public.entity USING btree (workspace_id, category, state, id);
CREATE INDEX entity_text_lines ON public.entity_text USING gin (uuid_send(workspace_id), lines public.gin_trgm_ops);
ALTER INDEX public.entity_text_lines ALTER COLUMN 1 SET STATISTICS 0;
CREATE INDEX entity_text_newer ON public.entity_text USING btree (workspace_id, id) WHERE is_newer;
CREATE INDEX event_chain_age ON public.event_chain USING btree (updated_at);
CREATE INDEX material_requirement_item ON public.material_requirement USING btree (workspace_id, item_id, id);
CREATE INDEX material_requirement_line ON public.material_requirement USING btree (workspace_id, line_id, id) WHERE (line_id IS NOT NULL);
CREATE INDEX material_requirement_project ON public.material_requirement USING btree (workspace_id, project_id, item_id, id) WHERE (project_id IS NOT NULL);
CREATE INDEX material_requirement_project_id ON public.material_requirement USING btree (workspace_id, project_id, id) WHERE (project_id IS NOT NULL);
CREATE INDEX operator_session_age ON public.operator_session USING btree (expires_at);
CREATE INDEX order_supplier_key ON public.order_supplier USING btree (workspace_id, key, order_id);
CREATE INDEX outbox_age ON public.outbox USING btree (recorded_at) WHERE (automation_done AND webhook_done);
CREATE INDEX outbox_for_automations ON public.outbox USING btree (workspace_id, id) WHERE (NOT automation_done);
CREATE INDEX outbox_for_webhooks ON public.outbox USING btree (workspace_id, id) WHERE (NOT webhook_done);
CREATE INDEX pending_link_child_parent ON public.pending_link USING btree (workspace_id, child_id, parent_guid);
CREATE INDEX stock_ledger_actor ON public.stock_ledger USING btree (workspace_id, actor_id, movement_type, id);
CREATE INDEX stock_ledger_all ON public.stock_ledger USING btree (workspace_id, movement_type, id);
CREATE INDEX stock_ledger_item ON public.stock_ledger USING btree (workspace_id, item_id, movement_type, id);
CREATE INDEX stock_ledger_line ON public.stock_ledger USING btree (workspace_id, line_id, id) WHERE (line_id IS NOT NULL);
CREATE INDEX stock_ledger_location ON public.stock_ledger USING btree (workspace_id, location_id, movement_type, id);
CREATE INDEX stock_ledger_recorded ON public.stock_ledger USING brin (recorded_at) WITH (pages_per_range='256', autosummarize='on');
CREATE INDEX stock_ledger_requirement ON public.stock_ledger USING btree (workspace_id, requirement_id, id) WHERE (requirement_id IS NOT NULL);
CREATE INDEX stock_ledger_time ON public.stock_ledger USING btree (workspace_id, item_id, location_id, id);
CREATE INDEX stock_line_item ON public.stock_line USING btree (workspace_id, item_id, id);
CREATE INDEX stock_line_order ON public.stock_line USING btree (workspace_id, order_id, id);
CREATE INDEX stock_line_required ON public.stock_line USING btree (workspace_id, required_by, id) WHERE (required_by IS NOT NULL);
CREATE INDEX stock_line_requirement ON public.stock_line USING btree (workspace_id, requirement_id, id) WHERE (requirement_id IS NOT NULL);
CREATE INDEX stock_line_type ON public.stock_line USING btree (workspace_id, type, id);
CREATE INDEX stock_position_location ON public.stock_position USING btree (workspace_id, location_id, item_id);
CREATE INDEX sync_batch_bare ON public.sync_batch USING btree (finished_at) WHERE (NOT results_left);
CREATE INDEX sync_batch_line ON public.sync_batch USING btree (workspace_id, accepted_order) WHERE (status = ANY (ARRAY['queued'::text, 'processing'::text]));
CREATE INDEX sync_batch_payload ON public.sync_batch USING btree (finished_at) WHERE payload_kept;
CREATE INDEX sync_batch_profile ON public.sync_batch USING btree (workspace_id, profile_name, id);
CREATE INDEX sync_batch_results ON public.sync_batch USING btree (finished_at) WHERE (results_kept AND (NOT payload_kept));
CREATE INDEX sync_batch_results_left ON public.sync_batch USING btree (finished_at) WHERE ((NOT results_kept) AND results_left);
CREATE INDEX sync_batch_status ON public.sync_batch USING btree (workspace_id, status, id);
CREATE INDEX sync_batch_unfinished ON public.sync_batch USING btree (progressed_at) WHERE (status = ANY (ARRAY['receiving'::text, 'queued'::text, 'processing'::text]));
CREATE INDEX web_session_age ON public.web_session USING btree (expires_at);
CREATE INDEX web_session_key ON public.web_session USING btree (workspace_id, key_id, created_at);
CREATE INDEX webhook_delivery_age ON public.webhook_delivery USING btree (created_at);
CREATE INDEX webhook_delivery_due ON public.webhook_delivery USING btree (workspace_id, webhook_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_delivery_status ON public.webhook_delivery USING btree (workspace_id, webhook_id, status, id);
CREATE INDEX webhook_delivery_test ON public.webhook_delivery USING btree (workspace_id, webhook_id) WHERE ((status = 'pending'::text) AND (type = 'webhook.test'::text));
CREATE INDEX work_series_of_workspace ON public.work_series USING btree (workspace, work, at);
CREATE INDEX workspace_arrived ON public.workspace USING btree (active_since) WHERE (active_since IS NOT NULL);
CREATE INDEX workspace_resting ON public.workspace USING btree (id) WHERE (state <> 'active'::text);
ALTER INDEX public.kept_answer_pkey ATTACH PARTITION public.kept_answer_other_pkey;
CREATE TRIGGER category_changes_version AFTER INSERT OR DELETE OR UPDATE ON public.category FOR EACH ROW EXECUTE FUNCTION public.change_configuration_version();
CREATE TRIGGER entity_link_designators_delete AFTER DELETE ON public.entity_link FOR EACH ROW WHEN (((old.line -> 'referenceDesignators'::text) IS NOT NULL)) EXECUTE FUNCTION public.index_link_designators();
ALTER TABLE public.entity_link ENABLE ALWAYS TRIGGER entity_link_designators_delete;
CREATE TRIGGER entity_link_designators_insert AFTER INSERT ON public.entity_link FOR EACH ROW WHEN (((new.line -> 'referenceDesignators'::text) IS NOT NULL)) EXECUTE FUNCTION public.index_link_designators();
ALTER TABLE public.entity_link ENABLE ALWAYS TRIGGER entity_link_designators_insert;
CREATE TRIGGER entity_link_designators_update AFTER UPDATE OF line ON public.entity_link FOR EACH ROW WHEN (((old.line -> 'referenceDesignators'::text) IS DISTINCT FROM (new.line -> 'referenceDesignators'::text))) EXECUTE FUNCTION public.index_link_designators();
ALTER TABLE public.entity_link ENABLE ALWAYS TRIGGER entity_link_designators_update;
CREATE TRIGGER entity_text_applied AFTER INSERT ON public.entity FOR EACH ROW EXECUTE FUNCTION public.write_entity_text();
ALTER TABLE public.entity ENABLE REPLICA TRIGGER entity_text_applied;
CREATE TRIGGER entity_text_insert AFTER INSERT ON public.entity REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.block_entity_texts();
CREATE TRIGGER entity_text_update AFTER UPDATE OF number, name ON public.entity FOR EACH ROW WHEN (((old.number IS DISTINCT FROM new.number) OR (old.name IS DISTINCT FROM new.name))) EXECUTE FUNCTION public.write_entity_text();
ALTER TABLE public.entity ENABLE ALWAYS TRIGGER entity_text_update;
CREATE TRIGGER lifecycle_changes_version AFTER INSERT OR DELETE OR UPDATE ON public.lifecycle FOR EACH ROW EXECUTE FUNCTION public.change_configuration_version();
CREATE TRIGGER property_definition_changes_version AFTER INSERT OR DELETE OR UPDATE OF key, name, type ON public.property_definition FOR EACH ROW EXECUTE FUNCTION public.change_configuration_version();
CREATE TRIGGER stock_ledger_append_only BEFORE UPDATE OR TRUNCATE ON public.stock_ledger FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_ledger_change();
CREATE TRIGGER stock_ledger_stays BEFORE DELETE ON public.stock_ledger FOR EACH ROW EXECUTE FUNCTION public.refuse_ledger_deletion();
CREATE TRIGGER stock_ledger_totals AFTER INSERT ON public.stock_ledger REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.add_stock_totals();
CREATE TRIGGER stock_ledger_totals_applied AFTER INSERT ON public.stock_ledger FOR EACH ROW WHEN ((((new.line_id IS NOT NULL) OR (new.requirement_id IS NOT NULL)) AND (current_setting('session_replication_role'::text) = 'replica'::text))) EXECUTE FUNCTION public.add_applied_stock_totals();
ALTER TABLE public.stock_ledger ENABLE REPLICA TRIGGER stock_ledger_totals_applied;
CREATE TRIGGER workspace_state BEFORE UPDATE OF state ON public.workspace FOR EACH ROW EXECUTE FUNCTION public.refuse_workspace_state();
ALTER TABLE ONLY public.web_session
    ADD CONSTRAINT web_session_workspace_id_key_id_fkey FOREIGN KEY (workspace_id, key_id) REFERENCES public.api_key(workspace_id, id);
ALTER TABLE public.actor ENABLE ROW LEVEL SECURITY;
CREATE POLICY actor_of_instance ON public.actor TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY actor_of_workspace ON public.actor TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.api_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_key_of_instance ON public.api_key TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY api_key_of_workspace ON public.api_key TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY audit_log_of_instance ON public.audit_log TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY audit_log_of_workspace ON public.audit_log TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.automation ENABLE ROW LEVEL SECURITY;
CREATE POLICY automation_of_instance ON public.automation TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY automation_of_workspace ON public.automation TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.automation_run ENABLE ROW LEVEL SECURITY;
CREATE POLICY automation_run_of_instance ON public.automation_run TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY automation_run_of_workspace ON public.automation_run TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.automation_script ENABLE ROW LEVEL SECURITY;
CREATE POLICY automation_script_of_instance ON public.automation_script TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY automation_script_of_workspace ON public.automation_script TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.category ENABLE ROW LEVEL SECURITY;
CREATE POLICY category_of_instance ON public.category TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY category_of_workspace ON public.category TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.configuration_version ENABLE ROW LEVEL SECURITY;
CREATE POLICY configuration_version_of_instance ON public.configuration_version TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY configuration_version_of_workspace ON public.configuration_version TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.csv_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY csv_link_of_instance ON public.csv_link TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY csv_link_of_workspace ON public.csv_link TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.entity ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_link_of_instance ON public.entity_link TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_link_of_workspace ON public.entity_link TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
CREATE POLICY entity_of_instance ON public.entity TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_of_workspace ON public.entity TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.entity_revision ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.entity_revision_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_revision_link_of_instance ON public.entity_revision_link TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_revision_link_of_workspace ON public.entity_revision_link TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
CREATE POLICY entity_revision_of_instance ON public.entity_revision TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_revision_of_workspace ON public.entity_revision TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.entity_text ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_text_of_instance ON public.entity_text TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_text_of_workspace ON public.entity_text TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.entity_transition ENABLE ROW LEVEL SECURITY;
CREATE POLICY entity_transition_of_instance ON public.entity_transition TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY entity_transition_of_workspace ON public.entity_transition TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.event_chain ENABLE ROW LEVEL SECURITY;
CREATE POLICY event_chain_of_instance ON public.event_chain TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY event_chain_of_workspace ON public.event_chain TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.event_lane ENABLE ROW LEVEL SECURITY;
CREATE POLICY event_lane_of_instance ON public.event_lane TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY event_lane_of_workspace ON public.event_lane TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.event_listener ENABLE ROW LEVEL SECURITY;
CREATE POLICY event_listener_of_instance ON public.event_listener TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY event_listener_of_workspace ON public.event_listener TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.import_definition ENABLE ROW LEVEL SECURITY;
CREATE POLICY import_definition_of_instance ON public.import_definition TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY import_definition_of_workspace ON public.import_definition TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.kept_answer ENABLE ROW LEVEL SECURITY;
CREATE POLICY kept_answer_of_instance ON public.kept_answer TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY kept_answer_of_workspace ON public.kept_answer TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.kept_answer_other ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_digest ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.ledger_digest_head ENABLE ROW LEVEL SECURITY;
CREATE POLICY ledger_digest_head_of_instance ON public.ledger_digest_head TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY ledger_digest_head_of_workspace ON public.ledger_digest_head TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
CREATE POLICY ledger_digest_of_instance ON public.ledger_digest TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY ledger_digest_of_workspace ON public.ledger_digest TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.lifecycle ENABLE ROW LEVEL SECURITY;
CREATE POLICY lifecycle_of_instance ON public.lifecycle TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY lifecycle_of_workspace ON public.lifecycle TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.link_designator ENABLE ROW LEVEL SECURITY;
CREATE POLICY link_designator_of_instance ON public.link_designator TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY link_designator_of_workspace ON public.link_designator TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.material_requirement ENABLE ROW LEVEL SECURITY;
CREATE POLICY material_requirement_of_instance ON public.material_requirement TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY material_requirement_of_workspace ON public.material_requirement TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.number_counter ENABLE ROW LEVEL SECURITY;
CREATE POLICY number_counter_of_instance ON public.number_counter TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY number_counter_of_workspace ON public.number_counter TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.operator_pause ENABLE ROW LEVEL SECURITY;
CREATE POLICY operator_pause_of_instance ON public.operator_pause TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY operator_pause_of_workspace ON public.operator_pause TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.order_supplier ENABLE ROW LEVEL SECURITY;
CREATE POLICY order_supplier_of_instance ON public.order_supplier TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY order_supplier_of_workspace ON public.order_supplier TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.outbox ENABLE ROW LEVEL SECURITY;
CREATE POLICY outbox_of_instance ON public.outbox TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY outbox_of_workspace ON public.outbox TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.pending_link ENABLE ROW LEVEL SECURITY;
CREATE POLICY pending_link_of_instance ON public.pending_link TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY pending_link_of_workspace ON public.pending_link TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.property_definition ENABLE ROW LEVEL SECURITY;
CREATE POLICY property_definition_of_instance ON public.property_definition TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY property_definition_of_workspace ON public.property_definition TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.stock_ledger ENABLE ROW LEVEL SECURITY;
CREATE POLICY stock_ledger_of_instance ON public.stock_ledger TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY stock_ledger_of_workspace ON public.stock_ledger TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.stock_line ENABLE ROW LEVEL SECURITY;
CREATE POLICY stock_line_of_instance ON public.stock_line TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY stock_line_of_workspace ON public.stock_line TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.stock_line_total ENABLE ROW LEVEL SECURITY;
CREATE POLICY stock_line_total_of_instance ON public.stock_line_total TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY stock_line_total_of_workspace ON public.stock_line_total TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.stock_position ENABLE ROW LEVEL SECURITY;
CREATE POLICY stock_position_of_instance ON public.stock_position TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY stock_position_of_workspace ON public.stock_position TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.stock_requirement_total ENABLE ROW LEVEL SECURITY;
CREATE POLICY stock_requirement_total_of_instance ON public.stock_requirement_total TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY stock_requirement_total_of_workspace ON public.stock_requirement_total TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.structure_edit ENABLE ROW LEVEL SECURITY;
CREATE POLICY structure_edit_of_instance ON public.structure_edit TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY structure_edit_of_workspace ON public.structure_edit TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.sync_batch ENABLE ROW LEVEL SECURITY;
CREATE POLICY sync_batch_of_instance ON public.sync_batch TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY sync_batch_of_workspace ON public.sync_batch TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.sync_chunk ENABLE ROW LEVEL SECURITY;
CREATE POLICY sync_chunk_of_instance ON public.sync_chunk TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY sync_chunk_of_workspace ON public.sync_chunk TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.sync_digest ENABLE ROW LEVEL SECURITY;
CREATE POLICY sync_digest_of_instance ON public.sync_digest TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY sync_digest_of_workspace ON public.sync_digest TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.sync_payload ENABLE ROW LEVEL SECURITY;
CREATE POLICY sync_payload_of_instance ON public.sync_payload TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY sync_payload_of_workspace ON public.sync_payload TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.sync_result ENABLE ROW LEVEL SECURITY;
CREATE POLICY sync_result_of_instance ON public.sync_result TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY sync_result_of_workspace ON public.sync_result TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.web_session ENABLE ROW LEVEL SECURITY;
CREATE POLICY web_session_of_instance ON public.web_session TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY web_session_of_workspace ON public.web_session TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
ALTER TABLE public.webhook ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY webhook_delivery_of_instance ON public.webhook_delivery TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY webhook_delivery_of_workspace ON public.webhook_delivery TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
CREATE POLICY webhook_of_instance ON public.webhook TO partbook_system USING ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text))))) WITH CHECK ((workspace_id <> ALL (ARRAY( SELECT workspace.id
   FROM public.workspace
  WHERE (workspace.state <> 'active'::text)))));
CREATE POLICY webhook_of_workspace ON public.webhook TO partbook_app USING ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif"))) WITH CHECK ((workspace_id = ( SELECT (NULLIF(current_setting('partbook.workspace_id'::text, true), ''::text))::uuid AS "nullif")));
REVOKE ALL ON FUNCTION public.add_applied_stock_totals() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.add_stock_totals() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.authenticate_api_key(key_hash bytea, wanted_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.authenticate_api_key(key_hash bytea, wanted_slug text) TO partbook_app;
GRANT ALL ON FUNCTION public.authenticate_api_key(key_hash bytea, wanted_slug text) TO partbook_system;
REVOKE ALL ON FUNCTION public.authenticate_api_keys(key_hashes bytea[], wanted_slugs text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.authenticate_api_keys(key_hashes bytea[], wanted_slugs text[]) TO partbook_app;
GRANT ALL ON FUNCTION public.authenticate_api_keys(key_hashes bytea[], wanted_slugs text[]) TO partbook_system;
REVOKE ALL ON FUNCTION public.authenticate_csv_link(wanted_hash bytea, wanted_slug text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.authenticate_csv_link(wanted_hash bytea, wanted_slug text) TO partbook_app;
GRANT ALL ON FUNCTION public.authenticate_csv_link(wanted_hash bytea, wanted_slug text) TO partbook_system;
REVOKE ALL ON FUNCTION public.authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer) TO partbook_app;
GRANT ALL ON FUNCTION public.authenticate_web_session(wanted_hash bytea, wanted_slug text, hours integer) TO partbook_system;
REVOKE ALL ON FUNCTION public.block_entity_texts() FROM PUBLIC;
GRANT ALL ON FUNCTION public.block_entity_texts() TO partbook_app;
GRANT ALL ON FUNCTION public.block_entity_texts() TO partbook_system;
REVOKE ALL ON FUNCTION public.change_configuration_version() FROM PUBLIC;
GRANT ALL ON FUNCTION public.change_configuration_version() TO partbook_app;
GRANT ALL ON FUNCTION public.change_configuration_version() TO partbook_system;
REVOKE ALL ON FUNCTION public.designators_of(line jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.designators_of(line jsonb) TO partbook_app;
GRANT ALL ON FUNCTION public.designators_of(line jsonb) TO partbook_system;
REVOKE ALL ON FUNCTION public.entity_line(number text, name text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.entity_line(number text, name text) TO partbook_app;
GRANT ALL ON FUNCTION public.entity_line(number text, name text) TO partbook_system;
REVOKE ALL ON FUNCTION public.index_link_designators() FROM PUBLIC;
GRANT ALL ON FUNCTION public.index_link_designators() TO partbook_app;
GRANT ALL ON FUNCTION public.index_link_designators() TO partbook_system;
REVOKE ALL ON FUNCTION public.keep_answer_partitions(retention_days integer, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_answer_partitions(retention_days integer, rows_max integer) TO partbook_system;
REVOKE ALL ON FUNCTION public.open_small_batch(wanted uuid, is_linked boolean, OUT configuration text, OUT listened smallint[], OUT links_wait boolean, OUT holds_structure boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_small_batch(wanted uuid, is_linked boolean, OUT configuration text, OUT listened smallint[], OUT links_wait boolean, OUT holds_structure boolean) TO partbook_app;
REVOKE ALL ON FUNCTION public.raise_stock_race() FROM PUBLIC;
GRANT ALL ON FUNCTION public.raise_stock_race() TO partbook_app;
GRANT ALL ON FUNCTION public.raise_stock_race() TO partbook_system;
REVOKE ALL ON FUNCTION public.remake_stock_totals(of_workspace uuid, of_item uuid, of_location uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.search_entities(patterns text[], entities_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_entities(patterns text[], entities_max integer) TO partbook_app;
REVOKE ALL ON FUNCTION public.search_lines(patterns text[], hits_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_lines(patterns text[], hits_max integer) TO partbook_app;
GRANT ALL ON FUNCTION public.search_lines(patterns text[], hits_max integer) TO partbook_system;
REVOKE ALL ON FUNCTION public.settle_statistics() FROM PUBLIC;
GRANT ALL ON FUNCTION public.settle_statistics() TO partbook_system;
REVOKE ALL ON FUNCTION public.stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric, on_order numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION public.stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric, on_order numeric) TO partbook_app;
GRANT ALL ON FUNCTION public.stock_effect_holds(movement_type text, quantity numeric, on_hand numeric, reserved numeric, on_order numeric) TO partbook_system;
REVOKE ALL ON FUNCTION public.write_entity_text() FROM PUBLIC;
GRANT ALL ON FUNCTION public.write_entity_text() TO partbook_app;
GRANT ALL ON FUNCTION public.write_entity_text() TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.actor TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.actor TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_key TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_key TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.audit_log TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.audit_log TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automation TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automation TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automation_run TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.automation_run TO partbook_system;
GRANT SELECT,INSERT,DELETE ON TABLE public.automation_script TO partbook_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.automation_script TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.category TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.category TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.configuration_version TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.configuration_version TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.csv_link TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.csv_link TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_link TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_link TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.entity_revision TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.entity_revision TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.entity_revision_link TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.entity_revision_link TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_text TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.entity_text TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.entity_transition TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.entity_transition TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_chain TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_chain TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_lane TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_lane TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_listener TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.event_listener TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.import_definition TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.import_definition TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.kept_answer TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.kept_answer TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.ledger_digest TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.ledger_digest TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.ledger_digest_head TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.ledger_digest_head TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lifecycle TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lifecycle TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.link_designator TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.link_designator TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.material_requirement TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.material_requirement TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.number_counter TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.number_counter TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.operator_action TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.operator_outcome TO partbook_system;
GRANT SELECT ON TABLE public.operator_pause TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.operator_pause TO partbook_system;
GRANT SELECT,INSERT,DELETE ON TABLE public.operator_session TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.order_supplier TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.order_supplier TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outbox TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.outbox TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pending_link TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.pending_link TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.property_definition TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.property_definition TO partbook_system;
GRANT SELECT ON TABLE public.schema_migration TO partbook_app;
GRANT SELECT ON TABLE public.standby_mark TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.standby_mark TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.stock_ledger TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.stock_ledger TO partbook_system;
GRANT SELECT,INSERT ON TABLE public.stock_line TO partbook_app;
GRANT SELECT,INSERT ON TABLE public.stock_line TO partbook_system;
GRANT UPDATE(quantity) ON TABLE public.stock_line TO partbook_app;
GRANT UPDATE(required_by) ON TABLE public.stock_line TO partbook_app;
GRANT SELECT ON TABLE public.stock_line_total TO partbook_app;
GRANT SELECT ON TABLE public.stock_line_total TO partbook_system;
GRANT SELECT,INSERT,UPDATE ON TABLE public.stock_position TO partbook_app;
GRANT SELECT,INSERT,UPDATE ON TABLE public.stock_position TO partbook_system;
GRANT SELECT ON TABLE public.stock_requirement_total TO partbook_app;
GRANT SELECT ON TABLE public.stock_requirement_total TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.structure_edit TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.structure_edit TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_batch TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_batch TO partbook_system;
GRANT USAGE ON SEQUENCE public.sync_batch_accepted TO partbook_app;
GRANT USAGE ON SEQUENCE public.sync_batch_accepted TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_chunk TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_chunk TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_digest TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_digest TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_payload TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_payload TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_result TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sync_result TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.web_session TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.web_session TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook TO partbook_system;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_delivery TO partbook_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_delivery TO partbook_system;
GRANT SELECT,INSERT,DELETE ON TABLE public.work_series TO partbook_system;
GRANT SELECT ON TABLE public.workspace TO partbook_app;
GRANT SELECT ON TABLE public.workspace TO partbook_system;
GRANT INSERT(id) ON TABLE public.workspace TO partbook_system;
GRANT INSERT(slug) ON TABLE public.workspace TO partbook_system;
GRANT INSERT(name) ON TABLE public.workspace TO partbook_system;
GRANT INSERT(created_at) ON TABLE public.workspace TO partbook_system;
INSERT INTO public.schema_migration (name) VALUES
  ('20261120_0001_floor'),
  ('20261120_0002_configuration_use'),
  ('20261120_0003_stock'),
  ('20261120_0004_entities'),
  ('20261120_0006_procurement'),
  ('20261120_0007_automation'),
  ('20261120_0008_sync_ending'),
  ('20261120_0010_stock_writer'),
  ('20261122_0100_sync_chunk_slots'),
  ('20261122_0200_workspace_statistics'),
  ('20261122_0201_ledger_digest'),
  ('20261122_0300_configuration_version'),
  ('20261122_0500_retention'),
  ('20261122_0600_revision_guid'),
  ('20261122_0700_web_session'),
  ('20261122_0701_sync_digest'),
  ('20261122_0702_run_status'),
  ('20261122_1100_resend'),
  ('20261122_1101_overview'),
  ('20261122_1200_traceparent'),
  ('20261122_1201_operator'),
  ('20261122_1300_import_definition'),
  ('20261123_0100_link_line'),
  ('20261123_0101_exact_structure'),
  ('20261123_0300_audit_filters'),
  ('20261123_0301_waiting_tests'),
  ('20261123_0400_idempotency_partitions'),
  ('20261123_0401_ledger_recorded'),
  ('20261123_0500_workspace_state'),
  ('20261123_0501_workspace_arrival'),
  ('20261124_0100_kept_answers'),
  ('20261124_0101_audit_action'),
  ('20261124_0102_enter_a_workspace_that_is_there'),
  ('20261124_0300_brought_guids'),
  ('20261124_0500_search_index'),
  ('20261124_0501_search_by_pattern'),
  ('20261126_0100_csv_link'),
  ('20261126_0400_entity_text'),
  ('20261126_0401_applied_designators'),
  ('20261126_0700_ordered_lists'),
  ('20261127_0100_leaf_chunks'),
  ('20261127_0200_version_index'),
  ('20261127_0300_open_small_batch'),
  ('20261127_0500_standby_mark'),
  ('20261127_0600_stock_totals'),
  ('20261127_0601_fill_stock_totals'),
  ('20261127_0700_search_lines'),
  ('20261128_0300_settle_statistics'),
  ('20261129_0200_authenticate_api_keys'),
  ('20261129_0300_sent_again'),
  ('20261130_0100_category_index'),
  ('20261130_0200_changed_lines'),
  ('20261130_0300_converted_requirements'),
  ('20261130_0600_ledger_actor'),
  ('20261130_0700_order_supplier'),
  ('20261130_0701_required_lines'),
  ('20261130_0800_cancellation'),
  ('20261201_0100_pending_links_of_child');
