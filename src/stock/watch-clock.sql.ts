/** All ledgers at once, in the scope of the instance: by the index of recording times, which leaves out whatever is older. */
export const selectAhead = `
  select coalesce(extract(epoch from max(recorded_at) - now()), 0)::float8 as seconds
  from stock_ledger where recorded_at > now()`;
