/** Statements about exchange rates. */

export interface RateRow {
  from_currency: string;
  to_currency: string;
  valid_from: string;
  rate: string;
  version: number;
}

const columns = 'from_currency, to_currency, valid_from::text, rate::text, version';

/** Selects rates by currencies and day. $1 workspace, $2 to $4 the rate to go on after, $5 and $6 currencies or null, $7 rows. */
export const selectRatePage = `
  select ${columns} from exchange_rate
  where workspace_id = $1 and (from_currency, to_currency, valid_from) > ($2, $3, $4::date)
    and ($5::text is null or from_currency = $5) and ($6::text is null or to_currency = $6)
  order by from_currency, to_currency, valid_from limit $7`;

/** $1 workspace, $2 and $3 currencies, $4 day. */
export const lockRate = `
  select ${columns} from exchange_rate
  where workspace_id = $1 and from_currency = $2 and to_currency = $3 and valid_from = $4 for update`;

/** Lets one caller at a time add rates, so that their number stays within its limit. $1 workspace. */
export const lockRates = `
  select pg_advisory_xact_lock(hashtextextended('exchange rates of:' || $1::uuid::text, 0))`;

/** $1 workspace. */
export const countRates = 'select count(*)::int as count from exchange_rate where workspace_id = $1';

/** $1 workspace, $2 and $3 currencies, $4 day, $5 rate. */
export const upsertRate = `
  insert into exchange_rate as r (workspace_id, from_currency, to_currency, valid_from, rate) values ($1, $2, $3, $4, $5)
  on conflict (workspace_id, from_currency, to_currency, valid_from) do update
  set rate = excluded.rate, version = r.version + 1
  returning ${columns}`;

/** $1 workspace, $2 and $3 currencies, $4 day. */
export const deleteRate = `
  delete from exchange_rate where workspace_id = $1 and from_currency = $2 and to_currency = $3 and valid_from = $4`;
