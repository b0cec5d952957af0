/** Whether lists show an entity, by whether it is archived. */

/** SQL: whether an entity whose `archived_at` is in scope is listed. `parameter` is a value of `Archived`. */
export const isListed = (parameter: string) =>
  `(${parameter}::text = 'true' or (archived_at is null) = (${parameter} = 'false'))`;
