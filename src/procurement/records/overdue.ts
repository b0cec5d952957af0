/** Overdue lines and orders: open, and required before today. */

interface Narrowed {
  open: 'true' | 'false';
  requiredBefore?: string | undefined;
}

export function onlyOverdue<Query extends Narrowed>(query: Query): Query {
  const today = new Date().toISOString().slice(0, 10);
  const { requiredBefore = today } = query;
  return { ...query, open: 'true', requiredBefore: requiredBefore < today ? requiredBefore : today };
}
