/** The parts of an order line that come on different days. */

/**
 * The parts of line `n`, with sums `s` and open quantity `w.open`, that were promised, by day, and the rest on its required date or with the last
 * part. What is received is of the first parts: `partsToCome` in SQL. $3 day of the run.
 */
export const partsOfLine = `
  select on_day - $3::date as day, is_rest, up_to - lag(up_to, 1, 0::numeric) over (order by is_rest, on_day) as quantity
  from (
    select q.on_day, q.is_rest,
           least(w.open, greatest(0, sum(q.quantity) over (order by q.is_rest, q.on_day) - s.received + s.returned)) as up_to
    from (
      select (p ->> 'on')::date as on_day, false as is_rest, (p ->> 'quantity')::numeric as quantity
      from jsonb_array_elements(n.promises) p
      union all select coalesce(n.required_by, (n.promises -> -1 ->> 'on')::date), true, 'infinity') q) u`;
