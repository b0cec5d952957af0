/** Overdue lines and orders: open, and required before today. */
import { today } from '../../calendar/days.ts';

interface Narrowed {
  open: 'true' | 'false';
  requiredBefore?: string | undefined;
}

export function onlyOverdue<Query extends Narrowed>(query: Query): Query {
  const now = today();
  const { requiredBefore = now } = query;
  return { ...query, open: 'true', requiredBefore: requiredBefore < now ? requiredBefore : now };
}
