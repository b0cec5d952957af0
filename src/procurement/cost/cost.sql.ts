/** Statements about the cost of items. */

/** Items whose planning says that they are bought. $1 workspace, $2 item[]. */
export const selectBought = `
  select item_id as id from item_planning
  where workspace_id = $1 and item_id = any($2::uuid[]) and make_or_buy = 'buy'`;
