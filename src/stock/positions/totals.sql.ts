/** SQL of the totals of positions and movements, counted along one index and no further than to a bound. */

/** The entities whose rows are counted. */
export type TotalsOf = 'all' | 'item' | 'location';

/** The order of an index, which the walk follows. */
const orders = {
  stock_position: { all: 'item_id, location_id', item: 'location_id', location: 'item_id' },
  stock_ledger: {
    all: 'item_id, location_id, sequence',
    item: 'location_id, sequence',
    location: 'movement_type, id',
  },
};

const countOf = (table: keyof typeof orders, of: TotalsOf) => `
  (select count(*)::int from (
     select from ${table} where workspace_id = $1${of === 'all' ? '' : ` and ${of}_id = $3`}
     order by ${orders[table][of]} limit $2 + 1) n)`;

/** $1 workspace, $2 counted at most, $3 the item or location if there is one. */
export const countStockRows = (of: TotalsOf) =>
  `select ${countOf('stock_position', of)} as positions, ${countOf('stock_ledger', of)} as entries`;
