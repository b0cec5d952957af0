/** Statements about the terms of purchase lines, and the references of orders. */

/** The terms of line `n`, as `TermsRow`. $1 workspace. */
export const termsOfLine = `
  left join lateral (
    select numerator::text || '/' || denominator::text as terms_factor, supplier_part_id, sku, pack_quantity, unit as price_unit,
           price, currency, amount
    from purchase_terms
    where n.type = 'purchaseOrder' and workspace_id = $1 and order_id = n.order_id and line_id = n.id offset 0) terms on true`;

/** Columns of `termsOfLine`. */
export const termsColumnsShown = `terms.terms_factor, terms.supplier_part_id, terms.sku, terms.pack_quantity, terms.price_unit,
         terms.price, terms.currency, terms.amount`;

/** Sums of order `o` by currency, of lines that are not cancelled, and the number of these that have a price. $1 workspace. */
export const amountsOfOrder = `
  cross join lateral (
    select coalesce(sum(s.lines), 0)::int as priced_lines,
           coalesce(jsonb_agg(jsonb_build_object('currency', s.currency, 'amount', s.amount::text) order by s.currency), '[]') as amounts
    from (
      select p.currency, count(*) as lines, sum(p.amount) as amount from purchase_terms p
      cross join lateral (select state from entity where workspace_id = $1 and id = p.line_id offset 0) e
      where p.workspace_id = $1 and p.order_id = o.id and p.price is not null and e.state <> 'Cancelled'
      group by p.currency) s) m`;

/** $1 workspace, $2 order[], $3 line[], and the columns of `termsColumns`. Of a line that has terms they are replaced. */
export const upsertTerms = `
  insert into purchase_terms (workspace_id, order_id, line_id, supplier_part_id, sku, pack_quantity, unit, numerator, denominator, price,
                              currency, amount)
  select $1, given.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::numeric[], $7::text[], $8::numeric[], $9::numeric[],
                                 $10::numeric[], $11::text[], $12::numeric[]) as given
  on conflict (workspace_id, order_id, line_id) do update
  set price = excluded.price, currency = excluded.currency, amount = excluded.amount`;

/** $1 workspace, $2 order[], $3 our references, $4 their references, $5 customers. */
export const upsertReferences = `
  insert into order_reference (workspace_id, order_id, ours, theirs, customer)
  select $1, given.* from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as given
  on conflict (workspace_id, order_id) do update
  set ours = excluded.ours, theirs = excluded.theirs, customer = excluded.customer`;
