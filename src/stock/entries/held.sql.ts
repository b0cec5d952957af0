/** Reads what requirements hold reserved at a position from a row of `stock_requirement_total`. */

/** How much of the item of the row is held, as the required item or as a substitute of it. */
export const heldOf = (t: string) =>
  `(${t}.reserved - ${t}.issued - ${t}.substitute_covers + ${t}.substitute_held)`;

/**
 * A row for what is held as the required item, and one for what is held as a substitute: `held`, and `covers`, how much of the required
 * item that is; null for the required item itself.
 */
export const heldParts = (t: string) => `
  cross join lateral (
    select * from (values (${t}.reserved - ${t}.issued - ${t}.substitute_covers, null::numeric),
                          (${t}.substitute_held, ${t}.substitute_covers)) as v (held, covers)
    where held <> 0) h`;
