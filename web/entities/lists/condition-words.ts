/** How the operators of conditions are named. */
export type Operator = 'lt' | 'le' | 'gt' | 'ge' | 'eq' | 'ne' | 'in' | 'has' | 'none';

export const words: Readonly<Record<Operator, string>> = {
  eq: '=',
  ne: 'is not',
  lt: '<',
  le: '≤',
  gt: '>',
  ge: '≥',
  in: 'is one of',
  has: 'has the words',
  none: 'is empty',
};
