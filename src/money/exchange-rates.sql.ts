/** Which exchange rate applies on a day. */

const newest = (from: string, to: string) => `
  select r.from_currency, r.to_currency, r.valid_from, r.rate from exchange_rate r
  where r.workspace_id = $1 and r.from_currency = ${from} and r.to_currency = ${to} and r.valid_from <= $4::date
  order by r.valid_from desc limit 1`;

/**
 * The rate of each of these currencies into another that applies on a day: the newest of both directions, and of the same day the direct one.
 * $1 workspace, $2 currency[], $3 the other currency, $4 day.
 */
export const selectRatesInto = `
  select c.code, r.from_currency = c.code as is_direct, r.rate::text, r.valid_from::text
  from unnest($2::text[]) as c (code)
  cross join lateral (
    select * from (
      select * from (${newest('c.code', '$3')}) direct union all select * from (${newest('$3', 'c.code')}) inverse) either
    order by valid_from desc, from_currency = c.code desc limit 1) r`;
