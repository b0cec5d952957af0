/** Forecasts as they are stored. All statements take the workspace as $1. */

export interface ForecastRow {
  item_id: string;
  item_number: string | null;
  item_name: string | null;
  from_day: string;
  until_day: string;
  quantity: string;
}

const shown = (forecasts: string) => `
  select f.item_id, i.number as item_number, i.name as item_name, f.from_day::text, f.until_day::text, f.quantity
  from (${forecasts}) f
  left join lateral (select number, name from entity where workspace_id = $1 and id = f.item_id offset 0) i on true
  order by f.item_id, f.from_day`;

/** A page by item and day. $2 item and $3 day to go on behind, $4 the last item, $5 rows. */
export const selectForecastPage = shown(`
  select * from forecast
  where workspace_id = $1 and (item_id, from_day) > ($2::uuid, $3::date) and item_id <= $4::uuid
  order by item_id, from_day limit $5`);

/** $2 items and $3 days, side by side. */
export const lockForecasts = shown(`
  select f.* from unnest($2::uuid[], $3::date[]) as k (item_id, from_day)
  join forecast f on f.workspace_id = $1 and f.item_id = k.item_id and f.from_day = k.from_day
  order by f.item_id, f.from_day for update of f`);

/** Lets one caller at a time set forecasts, so that spans do not overlap and their number stays within its limit. */
export const lockForecastsOfWorkspace = `
  select pg_advisory_xact_lock(hashtextextended('forecasts of:' || $1::uuid::text, 0))`;

export const countForecasts = 'select count(*)::int as count from forecast where workspace_id = $1';

/** $2 items, $3 first days, $4 last days, $5 quantities. */
export const upsertForecasts = `
  insert into forecast as f (workspace_id, item_id, from_day, until_day, quantity)
  select $1, * from unnest($2::uuid[], $3::date[], $4::date[], $5::numeric[])
  on conflict (workspace_id, item_id, from_day) do update set until_day = excluded.until_day, quantity = excluded.quantity
  where (f.until_day, f.quantity) is distinct from (excluded.until_day, excluded.quantity)`;

/** A forecast whose span reaches into the next one of its item. $2 items. */
export const selectOverlap = `
  select f.item_id, f.from_day::text, n.from_day::text as next_day from unnest($2::uuid[]) as i (id)
  cross join lateral (select * from forecast where workspace_id = $1 and item_id = i.id offset 0) f
  cross join lateral (
    select from_day from forecast
    where workspace_id = $1 and item_id = i.id and from_day > f.from_day order by from_day limit 1) n
  where n.from_day <= f.until_day
  order by f.item_id, f.from_day limit 1`;

/** $2 item, $3 day. */
export const deleteForecast =
  'delete from forecast where workspace_id = $1 and item_id = $2 and from_day = $3::date';

/** Counts the forecasts of $2, and finds the first of them whose span differs from one of $3 that it shares days with. */
export const selectMerged = `
  select (select count(*)::int from forecast where workspace_id = $1 and item_id = $2) as count, c.*
  from (select) as always
  left join lateral (
    select f.from_day::text, f.until_day::text, o.from_day::text as other_from, o.until_day::text as other_until,
           (o.from_day, o.until_day) = (f.from_day, f.until_day) as is_same
    from forecast f
    cross join lateral (
      select from_day, until_day, quantity from forecast
      where workspace_id = $1 and item_id = $3 and from_day <= f.until_day order by from_day desc limit 1) o
    where f.workspace_id = $1 and f.item_id = $2 and o.until_day >= f.from_day
      and ((o.from_day, o.until_day) <> (f.from_day, f.until_day) or f.quantity + o.quantity > 999999999.999999)
    order by f.from_day limit 1) c on true`;

export interface MergedRow {
  count: number;
  from_day: string | null;
  until_day: string;
  other_from: string;
  other_until: string;
  is_same: boolean;
}

/** Moves the forecasts of $2 to $3. Quantities of the same span add up: both items were expected to be sold. */
export const moveForecasts = `
  with moved as (
    delete from forecast where workspace_id = $1 and item_id = $2 returning from_day, until_day, quantity)
  insert into forecast as f (workspace_id, item_id, from_day, until_day, quantity)
  select $1, $3, from_day, until_day, quantity from moved order by from_day
  on conflict (workspace_id, item_id, from_day) do update set quantity = f.quantity + excluded.quantity`;
