/** Statements that read the forecasts of a planning run. All take the workspace as $1. */

export interface ForecastRow {
  item_id: string;
  from_day: string;
  day: number;
  /** The rest that sales lines of the span leave; null for a span that has passed. */
  quantity: string | null;
}

/** Sales lines of the span consume a forecast, shipped or not. */
const planForecasts = (forecasts: string) => `
  select f.item_id, f.from_day::text, f.from_day - $2::date as day,
         case when f.until_day >= $2::date then greatest(0, f.quantity - s.sold)::numeric(30, 6) end as quantity
  from (${forecasts}) f
  cross join lateral (
    select coalesce(sum(n.quantity), 0) as sold from (
      select id, type, quantity, required_by from stock_line where workspace_id = $1 and item_id = f.item_id offset 0) n
    cross join lateral (select state from entity where workspace_id = $1 and id = n.id offset 0) e
    where n.type = 'salesOrder' and n.required_by between f.from_day and f.until_day and e.state not in ('Draft', 'Cancelled')) s
  order by f.item_id, f.from_day`;

/** $2 day of the run, $3 item and $4 day behind which, $5 rows. */
export const selectPlanForecasts = planForecasts(`
    select * from forecast where workspace_id = $1 and (item_id, from_day) > ($3::uuid, $4::date)
    order by item_id, from_day limit $5`);

/** $2 day, $3 item[], $4 rows or null for all. */
export const selectPlanForecastsOfItems = planForecasts(`
    select f.* from unnest($3::uuid[]) as i (id)
    cross join lateral (select * from forecast where workspace_id = $1 and item_id = i.id offset 0) f
    limit $4::bigint`);
