/**
 * $1 workspace, $2 category, $3 how many. One upsert: the counter's row is locked until the transaction ends,
 * so that in the entity's own transaction there is neither gap nor duplicate, and concurrent takers queue.
 * bigint comes back as text: the caller converts.
 */
export const advanceCounter = `
  insert into number_counter as c (workspace_id, category, next_value) values ($1, $2, 1 + $3::bigint)
  on conflict (workspace_id, category) do update set next_value = c.next_value + $3::bigint
  returning (next_value - $3::bigint)::text as first`;

/** The next value of the category's counter, without taking it; no row before the first. $1 workspace, $2 category. */
export const selectNextValue = `
  select next_value::text as next from number_counter where workspace_id = $1 and category = $2`;
